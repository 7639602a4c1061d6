import { expect, test } from './support.ts'

/** A template is edited beside its preview for a record, saved as a version, and printed from the record's card. */

test('a template is written with variables, looked at with a record, and printed from its card', async ({
  page,
  clinic,
}) => {
  const mark = Date.now().toString().slice(-7)
  const customer = await clinic.call('POST', '/customers', { surname: `Печатнова${mark}`, name: 'Вера' })
  await clinic.enter(page)
  await page.goto('/app/settings/print-templates?open=new')
  const fresh = page.getByRole('dialog', { name: 'Новый шаблон печати' })
  await fresh.getByRole('textbox', { name: 'Название' }).fill(`Памятка ${mark}`)
  await fresh.getByRole('combobox', { name: 'Для чего' }).click()
  await page.getByRole('option', { name: 'Клиент' }).click()
  await fresh.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Памятка ${mark}` })).toBeVisible()

  const text = page.getByRole('textbox', { name: 'Текст', exact: true })
  const sample = page.getByRole('region', { name: 'Образец' })
  await text.click()
  await page.keyboard.type('Для: ')
  await page.getByRole('button', { name: 'Переменная: вставить' }).nth(1).click()
  await page.getByRole('textbox', { name: 'Найти переменную' }).fill('фио')
  await page.getByRole('button', { name: 'ФИО', exact: true }).click()
  await expect(text).toContainText('{{ ФИО }}')
  // The newest card is the sample; another test may have created one since.
  await expect(sample).toContainText(/Для: [А-ЯЁ]\S+ \S/)

  // Errors are shown while typing, and again at the field on saving.
  await page.keyboard.type(' {{ Кличка }}')
  await expect(sample.getByText('Неизвестная переменная «Кличка»')).toBeVisible()
  for (let at = 0; at < ' {{ Кличка }}'.length; at++) await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Шаблон сохранён')).toBeVisible()

  await page.goto(`/app/customers/edit?id=${customer.id}`)
  const printed = page.waitForResponse((answer) => answer.url().includes('/pdf?record='))
  await page.getByRole('button', { name: 'Печать' }).click()
  await page.getByRole('menuitem', { name: `Памятка ${mark}` }).click()
  const answer = await printed
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf'])
})
