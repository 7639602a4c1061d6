import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, test, title } from './support.ts'

/** A visit is booked by keys alone, dragged and seen by others, fought over, led through its day; a shift is cut; a time
 * that became free goes to who waits for it. */

const ZONE = 'Europe/Moscow'
const today = () => dayIn(ZONE, Date.now())
/** A working day that lies ahead, whatever day it is. */
const ahead = (days: number) => plusDays(today(), days)

/** A branch of its own with two doctors who work on the day, a service of half an hour and a patient. */
async function branch(clinic: Clinic, day: string) {
  const mark = randomUUID().slice(0, 6)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Сетка ${mark}`, timeZone: ZONE })
  const service = await clinic.call('POST', '/services', { nameService: `Приём ${mark}`, priceService: 1500 })
  await clinic.call('POST', '/service-durations', { idService: service.id, minutes: 30 })
  const doctors: { id: number; name: string }[] = []
  for (const surname of [`Абрамова-${mark}`, `Белов-${mark}`]) {
    const { id, shortFio } = await clinic.call('POST', '/users', {
      surname,
      name: 'Елена',
      post: 'Терапевт',
      login: `doc-${randomUUID().slice(0, 12)}`,
    })
    await clinic.call('POST', '/service-performers', { idService: service.id, idUser: id })
    const shift = {
      type: 'shift',
      idUser: id,
      idFilial: filial.id,
      localDate: day,
      localFrom: '09:00',
      localTo: '15:00',
    }
    await clinic.call('POST', '/staff-events', shift)
    doctors.push({ id, name: shortFio })
  }
  const patient = await clinic.call('POST', '/customers', { surname: `Пациентова-${mark}`, name: 'Анна' })
  const book = (localStart: string, idUser = doctors[0]?.id, localDate = day) =>
    clinic.call('POST', '/appointments/book', {
      idCustomer: patient.id,
      idFilial: filial.id,
      localDate,
      coupons: [{ idUser, localStart, services: [{ idService: service.id }] }],
    })
  const [first, second] = doctors as [(typeof doctors)[0], (typeof doctors)[0]]
  return {
    mark,
    filial,
    service,
    first,
    second,
    patient: patient.shortFio as string,
    idPatient: patient.id as number,
    book,
    at: `filial=${filial.id}&day=${day}`,
  }
}

const visit = (page: Page, name: string | RegExp) => page.locator('[data-item]').and(page.getByRole('button', { name }))
const booking = (page: Page) => page.getByRole('dialog', { name: 'Запись на приём' })

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

test('a visit that is dragged or moved by keys is seen at once by who looks; a phone shows one column', async ({
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

  // By the mouse: to the other doctor, two steps later.
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

  // Its edge is dragged: it lasts a step longer.
  const edge = await there(page, second.name, '09:30–10:00').locator('[data-edge]').boundingBox()
  if (!edge) throw new Error('The visit has no edge')
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2 + 12, { steps: 3 })
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2 + 24, { steps: 3 })
  await expect(page.locator('[data-ghost]')).toHaveText('09:30–10:15')
  await page.mouse.up()
  await expect(there(other, second.name, '09:30–10:15')).toBeVisible()

  // By keys: back to the first one, longer.
  await there(page, second.name, '09:30–10:15').focus()
  await page.keyboard.press('m')
  for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowDown']) await page.keyboard.press(key)
  await expect(page.locator('[data-ghost]')).toHaveText('09:15–10:15')
  await page.keyboard.press('Enter')
  await expect(there(page, first.name, '09:15–10:15')).toBeFocused()
  await expect(there(other, first.name, '09:15–10:15')).toBeVisible()
  // Escape leaves it where it was.
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(there(page, first.name, '09:15–10:15')).toBeFocused()
  // Enter opens it, and the address says so.
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

test('of two who book one time the second is offered the nearest and keeps what was typed', async ({
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
  // Somebody else is quicker, while this list still stands.
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
  // What one holds oneself is free to oneself.
  expect((await tried).status()).toBe(201)
  await expect(alert).toBeHidden()
  await dialog.getByRole('textbox', { name: 'Примечание' }).fill('Придёт с мамой')
  await expect(dialog.getByText(patient.split(' ')[0] as string).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Записать' }).click()
  await expect(dialog.getByText(/Вы записаны: .* в 09:30/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await expect(visit(page, /09:30–10:00/)).toBeVisible()
})

test('the list of a day: a key each for who has come, is called in and is done', async ({ page, clinic }) => {
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
  // Money, the paper and the next one: a key each, told over the list and in the help.
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
  const help = page.getByRole('dialog')
  for (const label of ['Пришёл', 'Принять оплату', 'Печать', 'Вызвать следующего'])
    await expect(help.getByText(label, { exact: true }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(page.getByRole('note', { name: 'Клавиши листа дня' })).toContainText('вызвать следующего')
  await page.keyboard.press('v')
  await expect(row.getByText('На приёме')).toBeVisible()
  await row.focus()
  await page.keyboard.press('s')
  await expect(row.getByText('Завершён')).toBeVisible()
  await page.getByRole('button', { name: 'Пришли 1' }).click()
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Не пришли 0' }).click()
  await expect(page.getByText('«Не пришли»: сейчас пусто.')).toBeVisible()
  await page.goBack()
  // Who did not come: a key too.
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

test('a shift that is cut says whose visits it leaves, marks them and offers to move them', async ({
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
  // What hangs is put elsewhere from the list: the nearest free times are offered, the other doctor's same one first.
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

test('a month is filled with shifts, and the way of it is kept as a pattern', async ({ page, clinic }) => {
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

test('a time that became free goes to who waits for it, by a key', async ({ page, clinic }) => {
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

test('a service that two perform: their shares are told at its line and in the history, and come to the whole', async ({
  page,
  clinic,
}) => {
  const { at, book, service, first, second } = await branch(clinic, ahead(9))
  const made = await book('10:00')
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&visit=${made.id}`)
  const [one, two] = [first, second].map(({ name }) => name.split(' ')[0] as string) as [string, string]
  const panel = page.getByRole('dialog', { name: `Запись № ${made.id}` })
  const asked = page.getByRole('dialog', { name: `Исполнители: ${service.nameService}` })
  const open = async () => {
    await panel.getByRole('button', { name: `Услуга: ${service.nameService}` }).click()
    await page.getByRole('menuitem', { name: 'Исполнители и доли…' }).click()
  }
  await open()
  await expect(asked.getByRole('combobox', { name: 'Исполнитель 1' })).toHaveValue(new RegExp(one))
  await asked.getByRole('button', { name: 'Добавить исполнителя' }).click()
  await asked.getByRole('textbox', { name: 'Доля исполнителя 2, %' }).fill('30')
  await page.keyboard.press('Control+Enter')
  await expect(asked.getByText('Выберите исполнителя')).toBeVisible()
  await asked.getByRole('combobox', { name: 'Исполнитель 2' }).fill(two)
  await page.getByRole('option', { name: two }).click()
  await expect(asked.getByRole('alert')).toHaveText('Вместе должно быть 100 %, сейчас 130 %')
  await asked.getByRole('textbox', { name: 'Доля исполнителя 1, %' }).fill('70')
  await expect(asked.getByText('Вместе 100 %')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(asked).toBeHidden()
  await expect(panel.getByText(new RegExp(`Исполнители: ${one}.*70 %, ${two}.*30 %`))).toBeVisible()
  await expect(panel.getByText(new RegExp(`: исполнитель ${two}.*, 30 %`))).toBeVisible()
  await expect(panel.getByRole('button', { name: `Услуга: ${service.nameService}` })).toBeFocused()

  await open()
  await asked.getByRole('button', { name: 'Убрать исполнителя 2' }).click()
  await expect(asked.getByText('Вместе 100 %')).toBeVisible()
  await asked.getByRole('button', { name: 'Сохранить' }).click()
  // The doctor of the visit alone is as if nobody were named.
  await expect(panel.getByText('Исполнители:')).toBeHidden()
  await expect(panel.getByText(new RegExp(`: ${two}.* больше не исполнитель`))).toBeVisible()
})

test('the price that was told stands at the line when the list is raised, and says why', async ({ page, clinic }) => {
  const day = ahead(9)
  const { at, book, service } = await branch(clinic, day)
  const made = await book('10:00')
  await clinic.call('PUT', `/services/${service.id}`, { priceService: 1800 })
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&visit=${made.id}`)
  const panel = page.getByRole('dialog', { name: `Запись № ${made.id}` })
  await panel.getByRole('button', { name: `Почему такая цена: ${service.nameService}` }).click()
  const until = plusDays(today(), 30).split('-').toReversed().join('.')
  const why = new RegExp(`Цена, названная при записи, действует по ${until}: .* 1.800,00`)
  await expect(panel.getByText(why)).toBeVisible()
  await expect(panel.getByText(/^1.500,00/).first()).toBeVisible()
})

test('who did not come twice is booked with an advance taken on the spot, or with a reason', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 422/)
  const day = ahead(9)
  const { first, filial, service, patient, book, at, idPatient, mark } = await branch(clinic, day)
  const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
  const desk = { idFilial: filial.id, idOrganization: own.items[0].id, kktMode: 'simulator', terminalMode: 'simulator' }
  const { id: idDesk } = await clinic.call('POST', '/cash-desks', { name: `Касса ${mark}`, ...desk })
  await clinic.call('POST', '/cash-shifts/open', { key: randomUUID(), idDesk })
  const shift = { type: 'shift', idUser: first.id, idFilial: filial.id, localFrom: '00:00', localTo: '24:00' }
  await clinic.call('POST', '/staff-events', { ...shift, localDate: today() })
  for (const start of ['01:00', '02:00']) {
    const { id } = await book(start, first.id, today())
    await clinic.call('POST', `/appointments/${id}/status`, { status: 'noShow' })
  }
  await clinic.call('PUT', '/settings/common', { noShowDemand: 2 })
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&book=1`)
  const dialog = booking(page)
  await dialog.getByRole('combobox', { name: 'Пациент' }).fill(patient.split(' ')[0] as string)
  await page.getByRole('option', { name: `${patient.split(' ')[0]} Анна` }).click()
  await dialog.getByRole('combobox', { name: 'Услуги' }).fill(service.nameService)
  await page.getByRole('option', { name: service.nameService }).click()
  await dialog.getByRole('button', { name: 'Дальше' }).click()
  await dialog.getByRole('button', { name: new RegExp(`09:00, ${first.name}`) }).click()
  // It is told before anything is booked: why, how much, and where it is taken.
  const told = dialog.getByRole('alert').filter({ hasText: 'За год не пришёл 2 раза: запись только с предоплатой' })
  await expect(told).toContainText(/Примите в кассе аванс 1.\d\d\d,00/)
  await expect(dialog.getByRole('textbox', { name: 'Почему без предоплаты' })).toBeVisible()
  await told.getByRole('button', { name: 'Принять аванс…' }).click()
  const take = page.getByRole('dialog', { name: 'Принять оплату' })
  await expect(take.getByText(/запись только с предоплатой/)).toBeVisible()
  await take.getByRole('textbox', { name: 'Сумма', exact: true }).click()
  await page.keyboard.type('1500')
  await page.keyboard.press('Enter')
  await expect(take).toBeHidden()
  await expect(told).toBeHidden()
  await dialog.getByRole('button', { name: 'Записать' }).click()
  await expect(dialog.getByText(/Вы записаны: .* в 09:00/)).toBeVisible()

  // The waiting list asks the same, and takes a reason.
  const entry = await clinic.call('POST', '/waiting-list', {
    idCustomer: idPatient,
    idFilial: filial.id,
    idService: service.id,
  })
  const time = { idUser: first.id, localDate: day, localStart: '11:00' }
  await clinic.call('POST', `/waiting-list/${entry.id}/offer`, time)
  await page.goto(`/app/calendar/waiting-list?open=${entry.id}`)
  const opened = page.getByRole('dialog')
  await expect(opened.getByRole('link', { name: new RegExp(mark) })).toHaveAttribute(
    'href',
    `/app/customers/edit?id=${idPatient}`,
  )
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  const out = page.getByRole('region', { name: 'Ждут ответа' }).getByRole('listitem').filter({ hasText: mark })
  await out.getByRole('button', { name: 'Согласен' }).click()
  const asked = page.getByRole('dialog', { name: 'Нужна предоплата' })
  await expect(asked.getByText(/Примите в кассе аванс/)).toBeVisible()
  await expect(asked.getByRole('textbox', { name: 'Почему без предоплаты' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(asked.getByText('Примите аванс или укажите причину')).toBeVisible()
  await asked.getByRole('textbox', { name: 'Почему без предоплаты' }).fill('Острая боль')
  await page.keyboard.press('Enter')
  await expect(asked).toBeHidden()
  await expect(out).toBeHidden()
  await clinic.call('PUT', '/settings/common', { noShowDemand: 0 })
})

test('what was offered in a deal and is booked: the visit leads to the deal, and the deal to the visit', async ({
  page,
  clinic,
}) => {
  const day = ahead(9)
  const { at, book, service, idPatient, mark } = await branch(clinic, day)
  const sales = '/sales-management'
  const funnel = await clinic.call('POST', `${sales}/funnels`, { name: `Воронка ${mark}` })
  const stages = await clinic.call('GET', `${sales}/stages?filter[idFunnel]=${funnel.id}`)
  const lead = { title: `Курс ${mark}`, idStage: stages.items[0].id }
  const { id: idLead } = await clinic.call('POST', `${sales}/leads`, lead)
  await clinic.call('POST', `${sales}/contacts`, { idLead, surname: 'Пациентова', idCustomer: idPatient })
  const { id: idOffer } = await clinic.call('POST', `${sales}/offers`, { idLead, name: `Массаж ${mark}` })
  await clinic.call('POST', `${sales}/offer-services`, { idOffer, idService: service.id })
  const visit = await book('10:00')
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&visit=${visit.id}`)
  const services = page.getByRole('region', { name: 'Услуги' })
  await expect(services.getByText('Предложение:')).toBeVisible()
  await services.getByRole('link', { name: `Массаж ${mark}` }).click()
  await expect(page).toHaveURL(new RegExp(`lead=${idLead}`))
  await page.getByRole('tab', { name: /^Предложения/ }).click()
  const back = page.getByRole('link', { name: / 10:00$/ })
  await expect(back).toBeVisible()
  await back.click()
  await expect(page).toHaveURL(new RegExp(`visit=${visit.id}`))
})

test('two services one after another, at two doctors, are one visit booked at once', async ({ page, clinic }) => {
  const day = ahead(9)
  const { at, filial, service, first, second, patient, mark, book } = await branch(clinic, day)
  const scan = await clinic.call('POST', '/services', { nameService: `Осмотр ${mark}`, priceService: 700 })
  await clinic.call('POST', '/service-durations', { idService: scan.id, minutes: 20 })
  await clinic.call('POST', '/service-performers', { idService: scan.id, idUser: second.id })
  await book('09:00', second.id)
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&book=1`)
  const dialog = booking(page)
  const surname = patient.split(' ')[0] as string
  await dialog.getByRole('combobox', { name: 'Пациент' }).fill(surname)
  await page.getByRole('option', { name: `${surname} Анна` }).click()
  for (const { nameService } of [service, scan]) {
    await dialog.getByRole('combobox', { name: 'Услуги' }).fill(nameService)
    await page.getByRole('option', { name: nameService }).click()
  }
  await dialog.getByRole('button', { name: 'Дальше' }).click()
  // Who walks the times stays where they are when somebody takes another one.
  const times = dialog.getByRole('group', { name: 'Свободное время' }).getByRole('button')
  await expect(times.first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(times.nth(1)).toBeFocused()
  const late = { idUser: first.id, idFilial: filial.id, localDate: day, localStart: '14:00', minutes: 30 }
  const taken = dialog.getByRole('button', { name: `14:00, ${first.name}` })
  await expect(taken).toBeVisible()
  await clinic.call('POST', '/appointments/holds', late)
  await expect(taken).toHaveCount(0)
  await expect(times.nth(1)).toBeFocused()
  await dialog.getByText('По очереди у разных').click()
  await dialog.getByRole('checkbox', { name: 'В этом порядке' }).check()
  const chain = dialog.getByRole('button', { name: new RegExp(`09:00.*Приём ${mark}.*09:30.*Осмотр ${mark}`) })
  await expect(chain).toContainText(first.name)
  await expect(chain).toContainText(second.name)
  await chain.click()
  await expect(dialog.getByText(/, 50 мин/)).toBeVisible()
  await expect(dialog.getByText(/2.200,00/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Записать' }).click()
  await expect(dialog.getByText(/в 09:00, врач .* — Приём .*; в 09:30, врач .* — Осмотр/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Готово' }).click()
  const stands = ({ name }: { name: string }, span: string) =>
    page
      .getByRole('region', { name: new RegExp(name) })
      .getByRole('button', { name: new RegExp(`${span}, ${surname}`) })
  await expect(stands(first, '09:00–09:30')).toBeVisible()
  await expect(stands(second, '09:30–09:50')).toBeVisible()
  // The list of the day has it as one coming.
  await page.goto(`/app/calendar/day-sheet?${at}`)
  await expect(page.getByRole('row', { name: new RegExp(surname) })).toHaveCount(2)
})

test('a course is booked at once, and a time of it that is taken gives way to the nearest', async ({
  page,
  clinic,
}) => {
  const day = ahead(12)
  const { first, filial, service, patient, at, idPatient, mark } = await branch(clinic, day)
  const shift = { type: 'shift', idUser: first.id, idFilial: filial.id, localFrom: '09:00', localTo: '15:00' }
  for (const later of [1, 2]) await clinic.call('POST', '/staff-events', { ...shift, localDate: plusDays(day, later) })
  const { id: idOther } = await clinic.call('POST', '/customers', { surname: `Другая-${mark}`, name: 'Ольга' })
  await clinic.call('POST', '/appointments/book', {
    idCustomer: idOther,
    idFilial: filial.id,
    localDate: plusDays(day, 1),
    coupons: [{ idUser: first.id, localStart: '10:00', services: [{ idService: service.id }] }],
  })
  await clinic.enter(page)
  await page.goto(`/app/calendar?${at}&book=1`)
  const dialog = booking(page)
  await dialog.getByRole('combobox', { name: 'Пациент' }).fill(patient.split(' ')[0] as string)
  await page.getByRole('option', { name: `${patient.split(' ')[0]} Анна` }).click()
  await dialog.getByRole('combobox', { name: 'Услуги' }).fill(service.nameService)
  await page.getByRole('option', { name: service.nameService }).click()
  await dialog.getByRole('button', { name: 'Дальше' }).click()
  await dialog
    .getByRole('button', { name: new RegExp(`10:00, ${first.name}`) })
    .first()
    .click()

  await dialog.getByRole('switch', { name: 'Записать курсом' }).check()
  const count = dialog.getByRole('textbox', { name: 'Визитов' })
  await count.fill('4')
  await dialog.getByRole('combobox', { name: 'Как часто' }).click()
  await page.getByRole('option', { name: 'Каждый день' }).click()
  const visits = dialog.getByRole('list', { name: 'Визиты курса' }).getByRole('listitem')
  await expect(visits).toHaveText([/свободно/, /Это время уже занято/, /свободно/, /вне смены/])
  // A day that does not fit is taken out of the course, and its number follows.
  await visits
    .nth(3)
    .getByRole('button', { name: /^Убрать/ })
    .click()
  await expect(count).toHaveValue('3')
  await expect(visits).toHaveText([/свободно/, /Это время уже занято/, /свободно/])
  await expect(dialog.getByRole('button', { name: 'Записать: 3 визита' })).toBeDisabled()
  await visits.nth(1).getByRole('button', { name: /10:30/ }).click()
  await expect(visits).toHaveText([/свободно/, /10:30.*свободно/, /свободно/])
  await dialog.getByRole('button', { name: 'Записать: 3 визита' }).click()
  await expect(dialog.getByText(/Вы записаны: курс, .* в 10:00; .* в 10:30; .* в 10:00/)).toBeVisible()
  const { items } = await clinic.call('GET', `/appointments?filter[idCustomer]=${idPatient}&sort=localDate`)
  expect(items.map(({ localStart }: { localStart: string }) => localStart)).toEqual(['10:00', '10:30', '10:00'])
  expect(new Set(items.map(({ idSeries }: { idSeries: number }) => idSeries)).size).toBe(1)
})
