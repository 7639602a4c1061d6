import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
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
  await expect(panel.getByText('Не загрузятся')).toBeHidden()
  await panel.getByRole('button', { name: 'Проверить', exact: true }).click()
  return panel
}

/** A clinic moves in: a plan, columns, a rehearsal, the run, the sums against our own books, and all of it back. */
test('two tables are rehearsed, taken in, agree with the ledger, and are taken back', async ({ page, clinic }) => {
  const mark = randomUUID()
    .slice(0, 4)
    .replace(/\d/g, (digit) => 'абвгдежзик'[Number(digit)] as string)
  await clinic.enter(page)
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

  const patients = await add(
    page,
    'Пациенты',
    file(
      'пациенты.csv',
      'ID клиента;Фамилия;Имя',
      `${mark}1;Переездов${mark};Иван`,
      `${mark}2;Переездова${mark};Мария`,
      `${mark}3;;`,
    ),
  )
  await expect(patients.getByRole('button', { name: /^2\s*Новых/ })).toBeVisible()
  await expect(patients.getByRole('button', { name: /^1\s*Останутся/ })).toBeVisible()
  await patients.getByRole('button', { name: 'Загрузить: 2 строки' }).click()
  await expect(patients.getByRole('button', { name: /^2\s*Загружено новых/ })).toBeVisible()
  await page.keyboard.press('Escape')

  const money = await add(
    page,
    'Долги, авансы и бонусы',
    file('долги.csv', 'Код пациента;Долг;Аванс', `${mark}1;1 500,50;`, `${mark}2;;700`),
  )
  await expect(money.getByText('Долгов 1 500,50 ₽ у 1 пациента')).toBeVisible()
  await money.getByRole('button', { name: 'Загрузить: 2 строки' }).click()
  await expect(money.getByRole('button', { name: /^2\s*Загружено новых/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Сверка' }).click()
  await expect(page.getByText('Сходится')).toHaveCount(2)
  await phone(page)
  await fits(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('tab', { name: 'Профили колонок' }).click()
  await expect(page.getByText('Не проверено').first()).toBeVisible()

  await page.getByRole('tab', { name: 'План' }).click()
  await page.getByRole('button', { name: 'Отменить переезд…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Отменить переезд', exact: true }).click()
  await expect(page.getByText('0 из 12')).toBeVisible()
  const customers = `/customers?filter[surname]=${encodeURIComponent(`Переездов${mark}`)}`
  await expect.poll(async () => (await clinic.call('GET', customers)).items).toEqual([])
})
