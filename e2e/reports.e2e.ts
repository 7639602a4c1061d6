import type { Page } from 'playwright/test'
import { expect, fits, phone, signIn, test, title } from './support.ts'

/** Reports: each is opened, its figures drilled down to rows, saved, mailed, exported to files and printed. */

interface Offered {
  key: string
  title: string
}

const ofReport = (page: Page, name: string) => page.getByRole('region', { name: `${name}: таблица` })

/** Waits until the totals of the whole period are shown. */
async function counted(page: Page, name: string): Promise<void> {
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByText(/^.*Обновлено в \d\d:\d\d/).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

test('every report of the head tells totals, a table and the rows behind a figure, also on a phone', async ({
  page,
  clinic,
}) => {
  const { token } = await clinic.enter(page, 'Руководитель')
  const { items }: { items: Offered[] } = await clinic.as(token)('GET', '/reports')
  expect(items.length).toBeGreaterThan(20)
  let opened = 0
  for (const { key, title: name } of items) {
    await page.goto(`/app/reports?tab=${key}`)
    await counted(page, name)
    const figures = page.getByRole('link', { name: /показать строки$/ })
    if (await figures.count()) {
      const figure = figures.first()
      const value = ((await figure.textContent()) ?? '').trim()
      await figure.click()
      const rows = page.getByRole('dialog')
      await expect(rows.getByText(/^[\d\s]+ стро(ка|ки|к)$/)).toBeVisible()
      // The panel recomputes the figure from its rows.
      await expect(rows.getByText(value, { exact: true }).first()).toBeVisible()
      await expect(rows.getByRole('table')).toBeVisible()
      await page.goBack()
      await expect(rows).toHaveCount(0)
      opened++
    }
    // A table is present where groups are requested; charts are hidden from screen readers.
    if (await ofReport(page, name).count())
      await expect(ofReport(page, name).getByRole('rowheader', { name: 'Итого' })).toBeVisible()
    await phone(page)
    await fits(page)
    await page.setViewportSize({ width: 1366, height: 800 })
  }
  expect(opened).toBeGreaterThan(15)
})

test('a report is kept as a set, sent by mail, saved in three formats and printed light', async ({ page, clinic }) => {
  const person = await clinic.person({ roles: ['Бухгалтер'] })
  await signIn(page, person)
  await page.goto('/app/reports?tab=payments')
  await counted(page, 'Оплаты')

  // A saved set keeps the grouping and the period.
  await page.getByRole('combobox', { name: 'Группировка' }).click()
  await page.getByRole('option', { name: 'Чем', exact: true }).click()
  await expect(page).toHaveURL(/by=method/)
  await page.getByRole('button', { name: 'Наборы' }).click()
  await page.getByRole('menuitem', { name: 'Сохранить этот отбор' }).click()
  await page.getByRole('textbox', { name: 'Название' }).fill('По способам')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await page.goto('/app/reports?tab=payments')
  await counted(page, 'Оплаты')
  await page.getByRole('button', { name: 'Наборы' }).click()
  await page.getByRole('menuitem', { name: 'По способам', exact: true }).click()
  await expect(page).toHaveURL(/by=method/)
  await counted(page, 'Оплаты')

  for (const [item, file] of [
    ['Таблица в XLSX', /\.xlsx$/],
    ['Таблица в CSV', /\.csv$/],
    ['Таблица в PDF', /\.pdf$/],
    ['Все строки в XLSX', /\.xlsx$/],
  ] as const) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Скачать и напечатать' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    expect((await saved).suggestedFilename()).toMatch(file)
  }

  await page.getByRole('button', { name: 'Прислать по почте' }).click()
  const panel = page.getByRole('dialog', { name: 'Прислать по почте' })
  await panel.getByRole('button', { name: 'Присылать', exact: true }).click()
  await expect(panel).toHaveCount(0)
  await page.goto('/app/reports/mailings')
  await expect(page.getByText('Оплаты').first()).toBeVisible()

  // The print is light also in the dark theme, and the table is not cut off.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/app/reports?tab=payments')
  await counted(page, 'Оплаты')
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
  expect(await scheme()).toBe('dark')
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await scheme()).toBe('light')
  await expect(page.getByRole('navigation').first()).toBeHidden()
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await scheme()).toBe('dark')
})

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
