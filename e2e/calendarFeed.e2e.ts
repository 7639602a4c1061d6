import { expect, signIn, test } from './support.ts'

/** The secret address of a schedule is shown once, replaced and switched off. */

test('the own schedule has a calendar address, until it is renewed or switched off', async ({
  page,
  clinic,
  request,
}) => {
  const branch = await clinic.call('POST', '/filials', { nameFilial: 'Для календаря', timeZone: 'Europe/Moscow' })
  await signIn(page, await clinic.person({ roles: ['Полный доступ'] }))
  await page.goto(`/app/calendar?filial=${branch.id}`)
  await page.getByRole('button', { name: 'Моё расписание в телефоне' }).click()
  const dialog = page.getByRole('dialog', { name: 'Моё расписание в телефоне' })
  await dialog.getByRole('button', { name: 'Получить адрес' }).click()
  const field = dialog.getByRole('textbox', { name: 'Адрес календаря' })
  const address = async () => new URL(await field.inputValue()).pathname
  await expect(field).toBeVisible()
  const first = await address()
  const answer = await request.get(first)
  expect(await answer.text()).toContain('BEGIN:VCALENDAR')

  await dialog.getByRole('button', { name: 'Новый адрес' }).click()
  await page.getByRole('button', { name: 'Выдать новый' }).click()
  await expect(field).not.toHaveValue(new RegExp(first))
  const second = await address()
  expect((await request.get(first)).status()).toBe(404)
  expect((await request.get(second)).status()).toBe(200)

  // Opened again, the page shows that an address exists, but not the address.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Моё расписание в телефоне' }).click()
  await expect(dialog.getByText(/Адрес выдан/)).toBeVisible()
  await expect(field).toBeHidden()
  await dialog.getByRole('button', { name: 'Отключить' }).click()
  await page.getByRole('dialog', { name: 'Отключить адрес?' }).getByRole('button', { name: 'Отключить' }).click()
  await expect(dialog.getByRole('button', { name: 'Получить адрес' })).toBeVisible()
  expect((await request.get(second)).status()).toBe(404)
})
