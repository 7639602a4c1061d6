import type { Page } from 'playwright/test'
import { expect, test, title } from './support.ts'

/** Reports: those of each role opened, and kept days counted anew. */

interface Offered {
  key: string
  title: string
}

/** Waits until the totals of the whole period are shown. */
async function counted(page: Page, name: string): Promise<void> {
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByText(/^.*Обновлено в \d\d:\d\d/).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

test('each role finds the reports that it may see, and what is closed says so', async ({ page, clinic }) => {
  for (const role of ['Бухгалтер', 'Врач', 'Оператор колл-центра', 'Лаборант']) {
    const { token } = await clinic.enter(page, role)
    const { items }: { items: Offered[] } = await clinic.as(token)('GET', '/reports')
    expect(items.length, role).toBeGreaterThan(0)
    await page.goto('/app/reports')
    for (const { title: name } of items)
      await expect(page.getByRole('link').filter({ hasText: name }).first()).toBeVisible()
    for (const { key, title: name } of items) {
      await page.goto(`/app/reports?tab=${key}`)
      await counted(page, name)
    }
    await page.goto('/app/reports?tab=violations')
    if (!items.some(({ key }) => key === 'violations'))
      await expect(page.getByText('Такого отчёта нет, или он закрыт вашими правами')).toBeVisible()
  }
})

test('kept days of a report are counted anew by a button', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/reports/rollups')
  const one = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Оплаты', exact: true }) })
  await expect(one.getByText(/^Посчитано: /)).toBeVisible()
  await one.getByRole('button', { name: 'Пересчитать итоги: Оплаты' }).click()
  await expect(one.getByText(/Ждут пересчёта/)).toBeVisible()
  await expect(one.getByText(/^Посчитано: \d/)).toBeVisible()
})
