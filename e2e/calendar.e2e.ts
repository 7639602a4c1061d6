import type { Page } from 'playwright/test'
import { ahead, booking, branch, today, visit } from './branch.ts'
import { expect, fits, phone, test, title } from './support.ts'

/** A visit booked by keyboard alone, dragged and seen by others, contended for, led through its day; a shift cut; a freed
 * time offered to the waiting list. */

test('an unknown number becomes a booked visit without the mouse', async ({ page, clinic }) => {
  const { mark, first, service, at } = await branch(clinic, ahead(9))
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}`)
  await expect(page.getByRole('region', { name: new RegExp(first.name) })).toBeVisible()

  await page.keyboard.press('n')
  const dialog = booking(page)
  const number = `+7 922 ${String(Date.now()).slice(-7)}`
  await expect(dialog.getByRole('combobox', { name: 'Пациент' })).toBeFocused()
  await page.keyboard.type(number)
  await expect(page.getByRole('option', { name: `Добавить «${number}»` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Фамилия' })).toBeFocused()
  await page.keyboard.type(`Новикова-${mark}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ольга')
  await page.keyboard.press('Enter')

  await expect(dialog.getByRole('combobox', { name: 'Услуги' })).toBeFocused()
  await page.keyboard.type(service.nameService)
  await expect(page.getByRole('option', { name: service.nameService })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(service.nameService)).toBeVisible()
  await page.keyboard.press('Control+Enter')

  const time = dialog.getByRole('button', { name: new RegExp(`09:00, ${first.name}`) })
  await expect(time).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')

  await expect(dialog.getByText(/30 мин/)).toBeVisible()
  await expect(dialog.getByText(/1.500,00/).first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Записать' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/Вы записаны: .* в 09:00, врач/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Готово' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(visit(page, new RegExp(`09:00–09:30, Новикова-${mark}`))).toBeVisible()
})

test('a visit that is dragged or moved by keys moves at once for other viewers; a phone shows one column', async ({
  page,
  clinic,
  visitor,
}) => {
  const { first, second, patient, book, at } = await branch(clinic, ahead(9))
  await book('09:00')
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}`)
  const other = await visitor()
  await clinic.enter(other)
  await other.goto(`/app/calendar?${at}`)
  await expect(visit(other, new RegExp(`09:00–09:30, ${patient}`))).toBeVisible()

  // By mouse: to the other doctor, two steps later.
  const from = await visit(page, /09:00–09:30/).boundingBox()
  const column = await page.getByRole('region', { name: new RegExp(second.name) }).boundingBox()
  if (!from || !column) throw new Error('The grid is not drawn')
  await page.mouse.move(from.x + 40, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(column.x + 60, from.y + 30, { steps: 4 })
  await page.mouse.move(column.x + 60, from.y + 56, { steps: 4 })
  await expect(page.locator('[data-ghost]')).toHaveText('09:30–10:00')
  await page.mouse.up()
  const there = (one: Page, name: string, span: string) =>
    one.getByRole('region', { name: new RegExp(name) }).getByRole('button', { name: new RegExp(span) })
  await expect(there(page, second.name, '09:30–10:00')).toBeVisible()
  await expect(there(other, second.name, '09:30–10:00')).toBeVisible()

  // Dragging its edge makes it one step longer.
  const edge = await there(page, second.name, '09:30–10:00').locator('[data-edge]').boundingBox()
  if (!edge) throw new Error('The visit has no edge')
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2 + 12, { steps: 3 })
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2 + 24, { steps: 3 })
  await expect(page.locator('[data-ghost]')).toHaveText('09:30–10:15')
  await page.mouse.up()
  await expect(there(other, second.name, '09:30–10:15')).toBeVisible()

  // By keyboard: back to the first doctor, longer.
  await there(page, second.name, '09:30–10:15').focus()
  await page.keyboard.press('m')
  for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowDown']) await page.keyboard.press(key)
  await expect(page.locator('[data-ghost]')).toHaveText('09:15–10:15')
  await page.keyboard.press('Enter')
  await expect(there(page, first.name, '09:15–10:15')).toBeFocused()
  await expect(there(other, first.name, '09:15–10:15')).toBeVisible()
  // Escape leaves it in place.
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(there(page, first.name, '09:15–10:15')).toBeFocused()
  // Enter opens it, and the address changes.
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/visit=\d+/)
  await expect(
    page
      .getByRole('dialog', { name: /^Запись №/ })
      .getByText(/Перенесён/)
      .first(),
  ).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await phone(other)
  await expect(other.getByRole('combobox', { name: 'Столбец' })).toBeVisible()
  await expect(other.locator('[data-grid] section')).toHaveCount(1)
  await fits(other)
})

test('of two users who book one time the second is offered the nearest and keeps the input', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 409/)
  const day = ahead(9)
  const { first, service, patient, book, at } = await branch(clinic, day)
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&book=1`)
  const dialog = booking(page)
  await dialog.getByRole('combobox', { name: 'Пациент' }).fill(patient.split(' ')[0] as string)
  await page.getByRole('option', { name: `${patient.split(' ')[0]} Анна` }).click()
  await dialog.getByRole('combobox', { name: 'Услуги' }).fill(service.nameService)
  await page.getByRole('option', { name: service.nameService }).click()
  await dialog.getByRole('button', { name: 'Дальше' }).click()
  const time = dialog.getByRole('button', { name: new RegExp(`09:00, ${first.name}`) })
  await expect(time).toBeVisible()
  // Another user books first, while this list is still open.
  await page.route('**/appointments/slots**', (route) => route.abort())
  complaints.allow(/appointments\/slots/)
  await book('09:00')
  await time.click()
  const alert = dialog.getByRole('alert')
  await expect(alert).toBeVisible()
  await page.unroute('**/appointments/slots**')
  const nearest = alert.getByRole('button', { name: new RegExp(first.name) }).first()
  await expect(nearest).toContainText('09:30')
  const tried = page.waitForResponse((answer) => answer.url().endsWith('/appointments/book'))
  await nearest.click()
  // A time held by the user is free for the same user.
  expect((await tried).status()).toBe(201)
  await expect(alert).toBeHidden()
  await dialog.getByRole('textbox', { name: 'Примечание' }).fill('Придёт с мамой')
  await expect(dialog.getByText(patient.split(' ')[0] as string).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Записать' }).click()
  await expect(dialog.getByText(/Вы записаны: .* в 09:30/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await expect(visit(page, /09:30–10:00/)).toBeVisible()
})

test('the list of a day: one key each for «came», «called in» and «done»', async ({ page, clinic }) => {
  const { patient, book, at, filial, first, service, mark } = await branch(clinic, today())
  await book('09:00')
  const absent = await clinic.call('POST', '/customers', { surname: `Забывчивая-${mark}`, name: 'Ида' })
  await clinic.call('POST', '/appointments/book', {
    idCustomer: absent.id,
    idFilial: filial.id,
    localDate: today(),
    coupons: [{ idUser: first.id, localStart: '14:30', services: [{ idService: service.id }] }],
  })
  await clinic.enter(page)
  await page.goto(`/app/calendar/day-sheet?${at}`)
  await expect(title(page, 'Лист дня')).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(patient) })
  await expect(row).toBeVisible()
  await page.keyboard.press('j')
  await expect(row).toBeFocused()
  await page.keyboard.press('a')
  await expect(row.getByText('Пришёл', { exact: true })).toBeVisible()
  await expect(row.getByText('0 мин')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ждут 1' })).toBeVisible()
  await expect(row).toBeFocused()
  // Payment, printing and the next visit: one key each, shown over the list and in the help.
  await page.keyboard.press('o')
  await expect(page.getByRole('dialog', { name: 'Принять оплату' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.keyboard.press('p')
  await expect(page.locator('html[data-printed]')).toBeAttached()
  await page.keyboard.press('?')
  const help = page.getByRole('complementary', { name: 'Справка: Лист дня' })
  for (const label of ['Пришёл', 'Принять оплату', 'Печать', 'Вызвать следующего'])
    await expect(help.getByText(label, { exact: true }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(page.getByRole('note', { name: 'Клавиши листа дня' })).toContainText('вызвать следующего')
  await page.keyboard.press('v')
  await expect(row.getByText('На приёме')).toBeVisible()
  await row.focus()
  await page.keyboard.press('s')
  // Long before the time of the visit it is asked first.
  const early = page.getByRole('dialog', { name: /раньше времени/ })
  await expect(early.or(row.getByText('Завершён'))).toBeVisible()
  if (await early.isVisible()) await early.getByRole('button', { name: 'Завершить приём' }).click()
  await expect(row.getByText('Завершён')).toBeVisible()
  await page.getByRole('button', { name: 'Пришли 1' }).click()
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Не пришли 0' }).click()
  await expect(page.getByText('«Не пришли»: сейчас пусто.')).toBeVisible()
  await page.goBack()
  // A no-show: one key too.
  await page.getByRole('button', { name: 'Все 2' }).click()
  const missing = page.getByRole('row', { name: new RegExp(`Забывчивая-${mark}`) })
  await missing.focus()
  await page.keyboard.press('x')
  await expect(missing.getByText('Не пришёл')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Не пришли 1' })).toBeVisible()
  await expect(row).toBeVisible()
  await phone(page)
  await fits(page)
  await expect(row.getByText('Завершён')).toBeVisible()
})

test('a shortened shift shows the visits that it leaves, marks them and offers to move them', async ({
  page,
  clinic,
}) => {
  const day = ahead(9)
  const { first, second, patient, book, at } = await branch(clinic, day)
  for (const start of ['14:00', '14:30']) await book(start)
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&view=shifts`)
  await page.getByRole('button', { name: `Смена 09:00–15:00, ${first.name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Изменить: смена' })
  await dialog.getByRole('textbox', { name: 'До' }).fill('14:00')
  await expect(dialog.getByText(/Без врача останутся 2.записи/)).toBeVisible()
  await expect(dialog.getByText(new RegExp(`14:30 — ${patient}`))).toBeVisible()
  await dialog.getByRole('button', { name: 'Сохранить' }).click()
  await expect(dialog).toBeHidden()
  // Visits without a doctor are moved from the list: nearest times are offered, the other doctor's same time first.
  const hanging = page.getByRole('dialog', { name: 'Записи без врача' })
  await expect(hanging.getByRole('listitem')).toHaveCount(2)
  await hanging.getByRole('button', { name: `Перенести: ${patient}, 14:00` }).click()
  const nearest = page.getByRole('group', { name: 'Ближайшее свободное время' }).getByRole('button')
  await expect(nearest.first()).toHaveText(new RegExp(`14:00, ${second.name}`))
  await nearest.filter({ hasText: `13:30, ${first.name}` }).click()
  await expect(hanging.getByRole('listitem')).toHaveText([/14:30/])
  await hanging.getByRole('button', { name: 'Оставить как есть' }).click()
  await expect(hanging).toBeHidden()
  await expect(page.getByRole('button', { name: `Смена 09:00–14:00, ${first.name}` })).toBeVisible()
  await page.goto(`/app/calendar?${at}`)
  await expect(visit(page, /14:30–15:00.*требует переноса/)).toBeVisible()
  await expect(visit(page, /13:30–14:00/)).toBeVisible()
  await expect(visit(page, /требует переноса/)).toHaveCount(1)
})

test('a month is filled with shifts, and saved as a pattern', async ({ page, clinic }) => {
  const { at, first, mark } = await branch(clinic, ahead(9))
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&view=shifts`)
  const open = async () => {
    await page.getByRole('button', { name: 'Заполнить период' }).click()
    const dialog = page.getByRole('dialog', { name: 'Заполнить период сменами' })
    const surname = first.name.split(' ')[0] as string
    await dialog.getByRole('combobox', { name: 'Сотрудники' }).fill(surname)
    await page.getByRole('option', { name: surname }).click()
    await page.keyboard.press('Escape')
    return dialog
  }
  const dialog = await open()
  await dialog.getByRole('combobox', { name: 'Как работает' }).click()
  await page.getByRole('option', { name: '2 через 2', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Начало' }).fill('16:00')
  await dialog.getByRole('textbox', { name: 'Конец' }).fill('20:00')
  await dialog.getByRole('textbox', { name: 'Запомнить как шаблон' }).fill(`Вечер ${mark}`)
  await expect(dialog.getByText(/^Добавлено: 14.дней/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Заполнить' }).click()
  await expect(dialog).toBeHidden()
  const { items } = await clinic.call('GET', `/staff-events?filter[idUser]=${first.id}&limit=100&expand=pattern`)
  const made = items.filter(({ localFrom }: { localFrom: string }) => localFrom === '16:00')
  expect(made).toHaveLength(14)
  expect(made[0].pattern.name).toBe(`Вечер ${mark}`)
  const again = await open()
  await again.getByRole('combobox', { name: 'Как работает' }).click()
  await page.getByRole('option', { name: `Шаблон «Вечер ${mark}»` }).click()
  await expect(again.getByText(/пропущено: 14.дней/)).toBeVisible()
  await expect(again.getByRole('textbox', { name: 'Запомнить как шаблон' })).toHaveCount(0)
  await again.getByRole('button', { name: 'Удалить шаблон' }).click()
  await expect(page.getByText('Шаблон смен удалён')).toBeVisible()
  await again.getByRole('combobox', { name: 'Как работает' }).click()
  await expect(page.getByRole('option', { name: '2 через 2', exact: true })).toBeVisible()
  await expect(page.getByRole('option', { name: `Шаблон «Вечер ${mark}»` })).toHaveCount(0)
})

test('a freed time goes to a waiting patient, by a key', async ({ page, clinic }) => {
  const { at, book, filial, service, first, mark } = await branch(clinic, ahead(9))
  const made = await book('10:00')
  const waiting = await clinic.call('POST', '/customers', { surname: `Ждунова-${mark}`, name: 'Вера' })
  const entry = { idFilial: filial.id, idService: service.id }
  await clinic.call('POST', '/waiting-list', { ...entry, idCustomer: waiting.id, urgency: 1 })
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&visit=${made.id}`)
  await page.getByRole('button', { name: 'Отменить запись…' }).click()
  const asked = page.getByRole('dialog', { name: /^Отменить запись/ })
  await asked.getByRole('combobox', { name: 'Причина' }).click()
  await page.getByRole('option', { name: 'Заболел' }).click()
  await asked.getByRole('button', { name: 'Отменить запись' }).click()
  await page.getByRole('button', { name: /Подходит 1.пациенту из листа ожидания/ }).click()

  const freed = page.getByRole('region', { name: 'Свободное время' })
  await expect(freed.getByText(`Ждунова-${mark}`)).toBeVisible()
  await expect(freed.getByText(/^скорее · займёт всё время/)).toBeVisible()
  await page.keyboard.press('o')
  const out = page.getByRole('region', { name: 'Ждут ответа' }).getByRole('listitem').filter({ hasText: mark })
  await expect(out.getByText(new RegExp(`10:00, ${first.name}`))).toBeVisible()
  await out.getByRole('button', { name: 'Согласен' }).click()
  await expect(out).toBeHidden()
  await page.goto(`/app/calendar?${at}`)
  await expect(visit(page, new RegExp(`10:00–10:30, Ждунова-${mark}`))).toBeVisible()
})
