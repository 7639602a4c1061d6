import { randomUUID } from 'node:crypto'
import { plusDays } from '@ordinator/model/zone'
import { ahead, booking, branch, today } from './branch.ts'
import { expect, test } from './support.ts'

/** The parts of a booking: shares, price, advance, deal and repetitions. */

test('a service that two perform: their shares are shown at its line and in the history, and come to the whole', async ({
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
  // The visit's doctor alone counts as no executors.
  await expect(panel.getByText('Исполнители:')).toBeHidden()
  await expect(panel.getByText(new RegExp(`: ${two}.* больше не исполнитель`))).toBeVisible()
})

test('the quoted price stays on the line when the list is raised, and shows why', async ({ page, clinic }) => {
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

test('a patient with two no-shows is booked with an advance taken at once, or with a reason', async ({
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
  // Shown before booking: the reason, the sum and where it is paid.
  const alert = dialog.getByRole('alert').filter({ hasText: 'За год не пришёл 2 раза: запись только с предоплатой' })
  await expect(alert).toContainText(/Примите в кассе аванс 1.\d\d\d,00/)
  await expect(dialog.getByRole('textbox', { name: 'Почему без предоплаты' })).toBeVisible()
  await alert.getByRole('button', { name: 'Принять аванс…' }).click()
  const take = page.getByRole('dialog', { name: 'Принять оплату' })
  await expect(take.getByText(/запись только с предоплатой/)).toBeVisible()
  await take.getByRole('textbox', { name: 'Сумма', exact: true }).click()
  await page.keyboard.type('1500')
  await page.keyboard.press('Enter')
  await expect(take).toBeHidden()
  await expect(alert).toBeHidden()
  await dialog.getByRole('button', { name: 'Записать' }).click()
  await expect(dialog.getByText(/Вы записаны: .* в 09:00/)).toBeVisible()

  // The waiting list also requires a reason.
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

test('a service offered in a deal is booked: the visit links to the deal, and the deal to the visit', async ({
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
  // The focus in the list of times stays when another user takes one of them.
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
  // The day sheet shows it as one arrival.
  await page.goto(`/app/calendar/day-sheet?${at}`)
  await expect(page.getByRole('row', { name: new RegExp(surname) })).toHaveCount(2)
})

test('a course is booked at once, and a time of it that is taken is replaced by the nearest', async ({
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
  // A day that does not fit is removed from the course, and the numbering follows.
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
