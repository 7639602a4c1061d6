import { dayIn, plusDays } from '@ordinator/model/zone'
import { type Page, request } from 'playwright/test'
import { ahead, branch } from './branch.ts'
import { violations } from './look/axe.ts'
import { SMS_PORT } from './ports.ts'
import { expect, fits, phone, test } from './support.ts'

/**
 * The code in the latest message to a phone, from the gateway that `server.mjs` starts; @param of pattern of the
 * message
 */
async function codeTo(to: string, of = /Код для входа: (\d{6})/): Promise<string | undefined> {
  const api = await request.newContext()
  const { messages } = await (await api.get(`http://127.0.0.1:${SMS_PORT}/messages`)).json()
  await api.dispose()
  const last = messages.filter((one: { to: string }) => one.to === to).at(-1)
  return of.exec(last?.text ?? '')?.[1]
}

/** A patient who has signed in by a code, on a phone. */
async function inside(own: Page, to: string): Promise<void> {
  await phone(own)
  await own.goto('/portal')
  await own.getByLabel('Телефон').fill(to)
  await own.getByRole('button', { name: 'Получить код' }).click()
  await expect.poll(() => codeTo(to)).toMatch(/^\d{6}$/)
  await own.getByLabel('Код из сообщения').fill((await codeTo(to)) as string)
  await own.getByRole('button', { name: 'Войти' }).click()
  await expect(own.getByRole('heading', { name: 'Мои визиты' })).toBeVisible()
}

test('a patient signs in by a code on a phone, sees visits and data, and leaves no data behind', async ({
  clinic,
  visitor,
  complaints,
}) => {
  complaints.allow(/status of 422 .*portal\/session/)
  const mark = Date.now().toString().slice(-7)
  const to = `+7917${mark}`
  await clinic.call('POST', '/customers', { surname: 'Орлова', name: 'Анна', birthday: '01.02.1980', phone: to })
  const page = await visitor()
  await phone(page)
  await page.goto('/portal')
  await page.getByLabel('Телефон').fill(`8917${mark}`)
  expect(await violations(page, 'light')).toEqual([])
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect.poll(() => codeTo(to)).toMatch(/^\d{6}$/)
  await page.getByLabel('Код из сообщения').fill('000000')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByRole('alert')).toContainText('Неверный код')
  await page.getByLabel('Код из сообщения').fill((await codeTo(to)) as string)
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByRole('heading', { name: 'Мои визиты' })).toBeVisible()
  await expect(page.getByText('Визитов пока нет')).toBeVisible()
  await page.getByRole('link', { name: 'Данные' }).click()
  await expect(page.getByText('01.02.1980')).toBeVisible()
  await fits(page)
  expect(await violations(page, 'light')).toEqual([])
  expect(await violations(page, 'dark')).toEqual([])
  // The browser caches the app, and no patient data.
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return [...all.flat().map(({ url }) => new URL(url).pathname), ...Object.keys(localStorage)]
  })
  expect(kept.filter((one) => !/^\/portal(\/files\/assets\/.+)?$/.test(one))).toEqual([])
  await page.getByRole('button', { name: 'Выйти из кабинета' }).click()
  await expect(page.getByRole('button', { name: 'Получить код' })).toBeVisible()
  expect((await page.request.get('/portal/me')).status()).toBe(401)
})

test('a patient opens a link that the desk gave, and reads a signed examination after a code alone', async ({
  clinic,
  page,
  visitor,
}) => {
  const to = `+7918${Date.now().toString().slice(-7)}`
  const card = { surname: 'Ссылкина', name: 'Вера', birthday: '03.02.1981', phone: to }
  const { id } = await clinic.call('POST', '/customers', card)
  const form = { sections: [{ title: 'Осмотр', fields: [{ key: 'жалобы', label: 'Жалобы', type: 'text' }] }] }
  const template = { name: 'Приём терапевта', isShared: true, forPatient: true, form }
  const { id: idTemplate } = await clinic.call('POST', '/examination-templates', template)
  const examination = await clinic.call('POST', '/examinations', { idCustomer: id, idTemplate })
  const step = (path: string, body: object) => clinic.call('POST', `/examinations/${examination.id}/${path}`, body)
  const saved = await step('save', { changes: { 'values.жалобы': 'Кашель' }, base: {} })
  await step('sign', { _version: (await step('finish', { _version: saved._version }))._version })

  await clinic.enter(page)
  await page.goto(`/app/customers/edit?id=${id}`)
  await page.getByRole('button', { name: 'Действия с картой' }).click()
  await page.getByRole('menuitem', { name: 'Личная ссылка в кабинет…' }).click()
  await page.getByRole('button', { name: 'Выдать ссылку' }).click()
  const url = await page.getByLabel('Личная ссылка', { exact: true }).inputValue()

  const own = await visitor()
  await phone(own)
  await own.goto(url)
  await own.getByLabel('Дата рождения пациента').fill('1981-02-03')
  await own.getByRole('button', { name: 'Войти' }).click()
  await own.getByRole('link', { name: 'Документы' }).click()
  // A personal link may be passed on, so medical documents ask for the phone first.
  await expect(own.getByText(/^По личной ссылке документы не открываются/)).toBeVisible()
  await fits(own)
  expect(await violations(own, 'light')).toEqual([])
  expect((await own.request.get('/portal/papers')).status()).toBe(403)

  const proven = await visitor()
  await inside(proven, to)
  await proven.getByRole('link', { name: 'Документы' }).click()
  await expect(proven.getByRole('listitem').filter({ hasText: 'Приём терапевта' })).toBeVisible()
  await fits(proven)
  expect(await violations(proven, 'light')).toEqual([])
  const href = await proven.getByRole('link', { name: /^Открыть: Приём терапевта/ }).getAttribute('href')
  const paper = await proven.request.get(href as string)
  expect([paper.status(), paper.headers()['content-type']]).toEqual([200, 'application/pdf'])

  // A request about the own data appears in the clinic's register, with its deadline.
  await own.getByRole('link', { name: 'Данные' }).click()
  await own.getByRole('button', { name: 'Написать запрос' }).click()
  await own.getByLabel('Содержание').fill('Какие мои данные вы храните?')
  await own.getByRole('button', { name: 'Отправить' }).click()
  await expect(own.getByText(/^Получен .+, ответят до /)).toBeVisible()
  await fits(own)
  expect(await violations(own, 'light')).toEqual([])
  await page.goto('/app/customers/requests')
  await expect(page.getByRole('row').filter({ hasText: 'Ссылкина' })).toContainText('Какие данные обрабатываются')
})

test('what a patient writes is answered with a document of the portal as a file, and becomes a task', async ({
  clinic,
  page,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const to = `+7919${mark}`
  const surname = `Вопросова${mark}`
  const { id } = await clinic.call('POST', '/customers', { surname, name: 'Нина', birthday: '05.06.1979', phone: to })
  const form = { sections: [{ title: 'Осмотр', fields: [{ key: 'жалобы', label: 'Жалобы', type: 'text' }] }] }
  const template = { name: 'Приём кардиолога', isShared: true, forPatient: true, form }
  const { id: idTemplate } = await clinic.call('POST', '/examination-templates', template)
  const examination = await clinic.call('POST', '/examinations', { idCustomer: id, idTemplate })
  const step = (path: string, body: object) => clinic.call('POST', `/examinations/${examination.id}/${path}`, body)
  const saved = await step('save', { changes: { 'values.жалобы': 'Нет' }, base: {} })
  await step('sign', { _version: (await step('finish', { _version: saved._version }))._version })
  const { name: board } = await clinic.call('POST', '/tasks-management/boards', { name: `Кабинет ${mark}` })

  const own = await visitor()
  await inside(own, to)
  await own.getByRole('link', { name: 'Чат' }).click()
  await own.getByRole('textbox', { name: 'Сообщение клинике' }).fill('Где моё заключение?')
  await own.getByRole('button', { name: 'Отправить' }).click()
  await expect(own.getByRole('log')).toContainText('Где моё заключение?')

  await clinic.enter(page)
  await page.goto('/app/service-online?tab=waiting')
  await page.getByText(surname).first().click()
  await page.getByRole('button', { name: 'Приложить документ или счёт' }).click()
  await page.getByRole('menuitem', { name: /^Приём кардиолога/ }).click()
  const paper = new RegExp(` ${examination.id}\\.pdf`)
  await expect(page.getByText(paper).first()).toBeVisible()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(own.getByRole('log')).toContainText(paper)
  // Booking from the dialogue presets the patient.
  await page.getByRole('link', { name: 'Записать' }).click()
  await expect(
    page
      .getByRole('dialog', { name: /^Запись/ })
      .getByText(surname)
      .first(),
  ).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Задача из диалога' }).click()
  const dialog = page.getByRole('dialog', { name: 'Задача из диалога' })
  await dialog.getByLabel('Задача').fill(`Заключение ${mark}`)
  await dialog.getByLabel('Пространство').fill(board)
  await page.getByRole('option', { name: board }).click()
  await dialog.getByRole('button', { name: 'Создать задачу' }).click()
  await expect(page.getByText('Задача создана')).toBeVisible()
  const { items } = await clinic.call(
    'GET',
    `/tasks-management/tasks?filter[name]=${encodeURIComponent(`Заключение ${mark}`)}`,
  )
  expect(items).toHaveLength(1)

  // An entry of the journal opens the conversation.
  await page.goto('/app/journal/service-online/chats')
  await page.getByRole('row').filter({ hasText: surname }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/app\/service-online\?dialog=\d+/)
  await expect(page.getByRole('log')).toContainText('Где моё заключение?')
})

test('a patient asks a doctor, pays, is answered, and chooses the channel of the answers', async ({
  clinic,
  page,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const to = `+7920${mark}`
  await clinic.call('POST', '/customers', { surname: 'Платова', name: 'Инна', birthday: '05.06.1979', phone: to })
  const doctor = await clinic.person({ roles: ['Врач'], surname: `Ответов${mark}` })
  await clinic.call('PUT', `/users/${doctor.id}`, { isOnSite: true })
  const { doctorDialogService: idService } = await clinic.call('GET', '/settings/common')
  await clinic.call('POST', '/service-performers', { idService, idUser: doctor.id })

  const own = await visitor()
  await inside(own, to)
  await own.getByRole('link', { name: 'Чат' }).click()
  await own.getByText('Врачи', { exact: true }).click()
  await own.getByRole('button', { name: 'Спросить врача' }).click()
  await own.getByRole('radio', { name: new RegExp(doctor.fio.split(' ')[0] as string) }).check()
  await own.getByLabel('Ваш вопрос').fill('Можно ли плавать после прививки?')
  await fits(own)
  expect(await violations(own, 'light')).toEqual([])
  await own.getByRole('button', { name: /^Дальше: оплата 900/ }).click()
  await expect(own.getByText('Ждёт оплаты')).toBeVisible()
  await own.getByRole('button', { name: 'Отказаться' }).click()
  await own
    .getByRole('group', { name: /^Удалить вопрос/ })
    .getByRole('button', { name: 'Оставить' })
    .click()
  await own.getByRole('button', { name: /^Оплатить 900/ }).click()
  await expect(own.getByText('Оплачен, ждёт врача')).toBeVisible()
  expect(await violations(own, 'dark')).toEqual([])

  const { state } = await clinic.walkers.signedIn(doctor)
  await page.context().setStorageState(state)
  await page.goto('/app/service-online')
  await page.getByText('Платова Инна').first().click()
  await expect(page.getByText('оплачен, ждёт врача').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Передать диалог' })).toBeHidden()
  await page.getByRole('textbox', { name: 'Ответ пациенту' }).fill('Через сутки можно')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(own.getByRole('log')).toContainText('Через сутки можно')
  await page.getByRole('button', { name: 'Что сделать с сообщением' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(page.getByRole('dialog', { name: 'Удалить сообщение?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Удалить сообщение?' })).toBeHidden()
  await expect(page.getByRole('log')).toContainText('Через сутки можно')
  await expect(own.getByText('Врач отвечает')).toBeVisible()
  await fits(own)

  await own.getByRole('link', { name: 'Данные' }).click()
  await own.getByRole('checkbox', { name: 'СМС' }).uncheck()
  await expect(own.getByText('Сохранено')).toBeVisible()
  await own.reload()
  await expect(own.getByRole('checkbox', { name: 'СМС' })).not.toBeChecked()
})

test('a bill is paid on the page of the payment system, once, though the patient returned before', async ({
  clinic,
  page,
  visitor,
  complaints,
}) => {
  complaints.allow(/status of 409 .*portal\/payments|favicon\.ico/)
  const world = await branch(clinic, ahead(3))
  const to = `+7922${Date.now().toString().slice(-7)}`
  const { id: idCustomer } = await clinic.call('POST', '/customers', {
    ...{ surname: 'Счётова', name: 'Ия', birthday: '05.06.1979', phone: to, email: 'bill@mail.test' },
  })
  const { id: idOrganization } = await clinic.call('POST', '/organizations', {
    ...{ shortName: `ООО «Ссылки ${world.mark}»`, kind: 'own' },
  })
  const desk = await clinic.call('POST', '/cash-desks', {
    ...{ name: `Ссылки ${world.mark}`, idFilial: world.filial.id, idOrganization, isOnline: true },
    ...{ kktMode: 'outside', terminalMode: 'yookassa', payShop: '123456', paySecret: 'test_key' },
  })
  await clinic.call('POST', '/appointments/book', {
    ...{ idCustomer, idFilial: world.filial.id, localDate: ahead(3) },
    coupons: [{ idUser: world.first.id, localStart: '10:00', services: [{ idService: world.service.id }] }],
  })

  const own = await visitor()
  await inside(own, to)
  await own.getByRole('link', { name: 'Счёт' }).click()
  const pay = own.getByRole('button', { name: /^Оплатить \d/ })
  const sum = (await pay.innerText()).replace('Оплатить', '').trim()
  await pay.click()
  await expect(own.getByRole('heading', { name: /^Оплата .+: pending$/ })).toBeVisible()
  const first = own.url()
  await own.goBack()
  await pay.click()
  await expect(own.getByRole('link', { name: 'Заплатить' })).toBeVisible()
  expect(own.url()).toBe(first)
  await own.getByRole('link', { name: 'Заплатить' }).click()
  await own.getByRole('link', { name: 'Вернуться в магазин' }).click()
  await expect(own.getByRole('heading', { name: 'Оплачено' })).toBeVisible()
  await fits(own)
  await own.getByRole('link', { name: 'В личный кабинет' }).click()
  await expect(own.getByRole('heading', { name: 'Счёт и оплата' })).toBeVisible()
  await expect(own.getByRole('listitem').filter({ hasText: sum })).toContainText('Проведена')
  await expect(pay).toBeHidden()

  // The desk of links shows it, and takes no cash.
  await clinic.enter(page)
  await page.goto(`/app/cash?desk=${desk.id}`)
  await expect(page.getByText('только оплаты по ссылке')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Оплаты и возвраты' }).getByText(sum)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Принять оплату' })).toBeHidden()
  await page.getByRole('button', { name: 'Ссылка на оплату', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Ссылка на оплату' })).toBeVisible()
})

test('a patient signs a consent by a code', async ({ clinic, visitor, complaints }) => {
  complaints.allow(/status of 422 .*papers\/consent/)
  const mark = Date.now().toString().slice(-7)
  const to = `+7921${mark}`
  const { id } = await clinic.call('POST', '/customers', {
    ...{ surname: 'Подписова', name: 'Ия', birthday: '05.06.1979', phone: to },
  })
  const template = await clinic.call('POST', '/consents/templates', { name: `Обработка ${mark}`, type: 'pd' })
  const version = await clinic.call('POST', '/consents/versions', {
    ...{ idTemplate: template.id, dateFrom: '2020-01-01', purpose: 'Ведение карты', text: '<p>Я, {фио}, согласна</p>' },
  })
  await clinic.call('POST', '/consents', { idCustomer: id, idVersion: version.id })

  const own = await visitor()
  await inside(own, to)
  await own.getByRole('link', { name: 'Документы' }).click()
  const paper = own.getByRole('listitem').filter({ hasText: `Обработка ${mark}` })
  await expect(paper).toContainText('Ждёт подписи')
  await paper.getByRole('button', { name: /^Подписать/ }).click()
  await paper.getByRole('button', { name: 'Получить код' }).click()
  await expect.poll(() => codeTo(to, /(\d{6})/)).toMatch(/^\d{6}$/)
  await paper.getByLabel('Код из сообщения').fill('000000')
  await paper.getByRole('button', { name: 'Подписать' }).click()
  await expect(paper.getByRole('alert')).toBeVisible()
  await paper.getByLabel('Код из сообщения').fill((await codeTo(to, /(\d{6})/)) as string)
  await paper.getByRole('button', { name: 'Подписать' }).click()
  await expect(paper).toContainText('Подписано')
  expect(await violations(own, 'light')).toEqual([])
})

test('a visit is confirmed by the link of its message, without a sign-in', async ({ clinic, visitor }) => {
  const mark = Date.now().toString().slice(-7)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Ссылка ${mark}`, timeZone: 'Europe/Moscow' })
  const service = await clinic.call('POST', '/services', {
    nameService: `Осмотр ${mark}`,
    priceService: 1000,
    anyPerformer: true,
  })
  const doctor = await clinic.person({ roles: ['Врач'], surname: `Ждунов${mark}` })
  const day = plusDays(dayIn('Europe/Moscow', Date.now()), 5)
  await clinic.call('POST', '/staff-events', {
    ...{ type: 'shift', idUser: doctor.id, idFilial: filial.id, localDate: day, localFrom: '09:00', localTo: '12:00' },
  })
  const { id } = await clinic.call('POST', '/customers', { surname: 'Ссылкова', name: 'Яна' })
  const visit = await clinic.call('POST', '/appointments/book', {
    ...{ idCustomer: id, idFilial: filial.id, localDate: day },
    coupons: [{ idUser: doctor.id, localStart: '10:00', services: [{ idService: service.id, qty: 1 }] }],
  })
  // As in the message.
  const { text } = await clinic.call('POST', '/message-templates/preview', {
    ...{ event: 'booking', text: '{подтверждение}', idAppointment: visit.id },
  })
  const own = await visitor()
  await phone(own)
  await own.goto(new URL(text).pathname + new URL(text).hash)
  await expect(own.getByRole('region', { name: 'Визит' })).toContainText('10:00')
  await expect(own.getByText('Ссылкова')).toBeHidden()
  await fits(own)
  expect(await violations(own, 'light')).toEqual([])
  await own.getByRole('button', { name: 'Приду', exact: true }).click()
  await expect(own.getByText('Подтверждён')).toBeVisible()
  await own.getByRole('button', { name: 'Не приду' }).click()
  await own.getByRole('button', { name: 'Отменить визит' }).click()
  await expect(own.getByText('Отменён')).toBeVisible()
  expect(await violations(own, 'dark')).toEqual([])
})

test('an unknown visitor books: the browser does the proof of work if required, and the desk gives the time to a caller', async ({
  clinic,
  visitor,
  complaints,
}) => {
  complaints.allow(/status of 409 .*portal\/booking/)
  const day = ahead(9)
  const { service, first, filial, book } = await branch(clinic, day)
  await clinic.call('PUT', `/services/${service.id}`, { activeShop: true })
  await clinic.call('PUT', `/users/${first.id}`, { isOnSite: true })
  const page = await visitor()
  await phone(page)
  // The first response requires a proof of work, as when half of the free times are held.
  const work = { challenge: 'of a test', bits: 9, iterations: 10_000 }
  const message = 'Сейчас записываются очень многие'
  let begun = 0
  await page.route('**/portal/booking', async (route) => {
    if (route.request().method() !== 'POST' || begun++ > 0) return route.continue()
    await route.fulfill({ status: 409, json: { name: 'Conflict', status: 409, code: 'work', message, work } })
  })
  await page.goto(`/portal#book=${service.id}.${first.id}.${filial.id}.${day}.10:00`)
  await expect(page.getByRole('status')).toContainText('Браузер показывает, что вы не программа')
  await expect(page.getByText(/Время держится за вами ещё/)).toBeVisible()
  expect(begun).toBe(2)
  await book('10:00')
  await expect(page.getByRole('heading', { name: 'Это время отдали другому' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('alert')).toContainText('клиника записала на это время другого пациента')
  await fits(page)
  expect(await violations(page, 'light')).toEqual([])
  expect(await violations(page, 'dark')).toEqual([])
  await page.getByRole('button', { name: /, 10:30, / }).click()
  await expect(page.getByText(/Время держится за вами ещё/)).toBeVisible()
  await expect(page.locator('.card strong').filter({ hasText: '10:30' })).toBeVisible()
})

test('a patient finds a membership on the site, reads its rules, and buys it in the portal', async ({
  clinic,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const to = `+7922${mark}`
  const card = { surname: 'Абонементова', name: 'Ия', birthday: '05.06.1979', phone: to }
  await clinic.call('POST', '/customers', card)
  const service = await clinic.call('POST', '/services', { nameService: `Массаж ${mark}`, priceService: 1500 })
  const type = await clinic.call('POST', '/membership-types', {
    ...{ nameType: `Курс ${mark}`, price: 4200, visits: 3, days: 90, isOnSite: true, isOnline: true },
  })
  await clinic.call('POST', '/membership-types/items', { idType: type.id, idService: service.id })
  const own = await visitor()
  await phone(own)
  await own.goto('/site/memberships')
  const offer = own.getByRole('listitem').filter({ has: own.getByRole('heading', { name: `Курс ${mark}` }) })
  await expect(offer).toContainText(`Массаж ${mark}`)
  await fits(own)
  expect(await violations(own, 'light')).toEqual([])
  await offer.getByRole('link', { name: 'Купить' }).click()
  await own.getByLabel('Телефон').fill(to)
  await own.getByRole('button', { name: 'Получить код' }).click()
  await expect.poll(() => codeTo(to)).toMatch(/^\d{6}$/)
  await own.getByLabel('Код из сообщения').fill((await codeTo(to)) as string)
  await own.getByRole('button', { name: 'Войти' }).click()
  // Sign-in does not lose the way.
  await expect(own.getByRole('heading', { name: 'Абонементы' })).toBeVisible()
  const mine = own.getByRole('listitem').filter({ hasText: `Курс ${mark}` })
  await expect(mine).toContainText('Действует 90')
  await mine.getByRole('button', { name: 'Купить' }).click()
  await fits(own)
  expect(await violations(own, 'light')).toEqual([])
  expect(await violations(own, 'dark')).toEqual([])
  await mine.getByRole('button', { name: /^Оплатить 4.200/ }).click()
  await expect(own.getByRole('status')).toContainText('куплен')
  await own.getByRole('link', { name: 'К счёту' }).click()
  await expect(own.getByRole('listitem').filter({ hasText: `Курс ${mark}` })).toContainText('осталось 3 из 3')
})
