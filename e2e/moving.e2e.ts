import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { moveFiles, shown } from './moveFiles.ts'
import { expect, fits, phone, test } from './support.ts'

const file = (name: string, ...rows: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${rows.join('\r\n')}\r\n`),
})

async function add(page: Page, table: string, content: ReturnType<typeof file>) {
  await page.getByRole('button', { name: new RegExp(`файл: ${table}$`) }).click()
  await page
    .getByRole('dialog', { name: `${table}: файл` })
    .locator('input[type=file]')
    .setInputFiles(content)
  const panel = page.getByRole('dialog', { name: new RegExp(`^${table}: ${content.name}`) })
  await panel.getByRole('button', { name: 'Проверить', exact: true }).click()
  return panel
}

/** A clinic moves in from files of three programs with their dirt; the sums are those of another count. */
test('dirty files are loaded, match a second count, and are reverted one by one and as a whole', async ({
  page,
  clinic,
}) => {
  test.setTimeout(180_000)
  const mark = randomUUID()
    .slice(0, 4)
    .replace(/\d/g, (digit) => 'абвгдежзик'[Number(digit)] as string)
  const first = moveFiles(mark, 1)
  await clinic.enter(page)
  for (const nameService of first.services) await clinic.call('POST', '/services', { nameService, priceService: 1000 })
  await page.goto('/app/moving')
  const other = page.getByRole('button', { name: 'Начать другой переезд' })
  await expect(other.or(page.getByRole('button', { name: 'Начать переезд' }))).toBeVisible()
  if (await other.isVisible()) await other.click()
  await page.getByRole('combobox', { name: 'Прежняя программа' }).click()
  await page.getByRole('option', { name: 'Другая программа' }).click()
  for (const field of ['Филиал', 'Организация']) {
    const choice = page.getByRole('combobox', { name: field })
    await expect(choice).toBeVisible()
    if (!(await choice.inputValue())) {
      await choice.click()
      await page.getByRole('option').first().click()
    }
  }
  await page.getByRole('button', { name: 'Начать переезд' }).click()
  await expect(page.getByRole('heading', { name: 'Долги, авансы и бонусы' })).toBeVisible()

  const take = async (panel: Locator, rows: RegExp) => {
    await panel.getByRole('button', { name: rows }).click()
    await expect(panel.getByRole('button', { name: 'Отменить загрузку…' })).toBeVisible({ timeout: 60_000 })
  }
  const patients = await add(page, 'Пациенты', file('клиенты.csv', ...first.patients))
  await expect(patients.getByRole('button', { name: /^200\s*Новых/ })).toBeVisible({ timeout: 60_000 })
  await take(patients, /^Загрузить: 200 строк/)
  await page.keyboard.press('Escape')

  const money = await add(page, 'Долги, авансы и бонусы', file('сальдо.csv', ...first.balances))
  const sums = money.getByRole('region', { name: 'Суммы файла' })
  await expect(sums).toContainText(new RegExp(`Долгов ${shown(first.sums.debt)} у ${first.people.debt}`), {
    timeout: 60_000,
  })
  await expect(sums).toContainText('не прочитано: 1 строка')
  await expect(sums).toContainText(new RegExp(`Авансов ${shown(first.sums.advance)} у ${first.people.advance}`))
  // A kind of note shows the rows that bear it, and all rows once it is let go.
  const kind = money.getByRole('region', { name: 'Замечания по строкам' }).getByRole('button', { name: /1\s*строка$/ })
  const lines = money.getByRole('region', { name: 'Строки файла с замечаниями' }).locator('tbody tr')
  await kind.first().click()
  await expect(lines).toHaveCount(1)
  await kind.first().click()
  await expect(lines).toHaveCount(30)
  await take(money, /^Загрузить: 199 строк/)
  await page.keyboard.press('Escape')

  const visits = await add(page, 'Прошлые визиты', file('визиты.csv', ...first.visits))
  await expect(visits.getByRole('region', { name: 'Суммы файла' })).toContainText(
    new RegExp(`Прошлых визитов на ${shown(first.sums.visits)} у ${first.people.visits}`),
    { timeout: 60_000 },
  )
  await take(visits, /^Загрузить: 260 строк/)
  await page.keyboard.press('Escape')

  // The second evening: only what changed is posted; then that file alone is taken back.
  const second = moveFiles(mark, 2)
  const again = await add(page, 'Долги, авансы и бонусы', file('сальдо-2.csv', ...second.balances))
  await expect(again.getByRole('button', { name: /^20\s*Изменённых там/ })).toBeVisible({ timeout: 60_000 })
  await take(again, /^Загрузить: 20 строк/)
  // By a key: a press of the mouse where «Загрузить» was a moment ago is taken for a second one of that.
  await again.getByRole('button', { name: 'Отменить загрузку…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Отменить загрузку', exact: true }).click()
  await expect(again.getByText('Изменённых там')).toBeHidden({ timeout: 60_000 })
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Сверка' }).click()
  const table = page.getByRole('region', { name: 'Суммы' })
  await expect(table.getByText('Сходится')).toHaveCount(2)
  await expect(table.getByText('Прочитано не всё')).toHaveCount(1)
  for (const kopecks of [first.sums.debt, first.sums.advance, first.sums.visits])
    await expect(table.getByText(new RegExp(`^${shown(kopecks)}$`))).toHaveCount(2)
  await phone(page)
  await fits(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('tab', { name: 'План' }).click()
  await page.getByRole('button', { name: 'Отменить переезд…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Отменить переезд', exact: true }).click()
  await expect(page.getByText('0 из 12')).toBeVisible({ timeout: 60_000 })
  const customers = `/customers?filter[surname][ilike]=${encodeURIComponent(`Переездов${mark}`)}`
  await expect.poll(async () => (await clinic.call('GET', customers)).items).toEqual([])
})
