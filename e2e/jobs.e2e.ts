import { ahead, branch, sit, today } from './branch.ts'
import { Hand, WAYS } from './hand.ts'
import { dialog, mark, printSteps, WIDE } from './steps.ts'
import { expect, test, toast } from './support.ts'

/**
 * Daily jobs, each done by mouse and by keyboard alone, with the number of steps; docs/tests.md defines a step. More
 * steps than written here fail the test; when there are fewer, lower the number here.
 */

const MOST = {
  task: { mouse: 12, keys: 12 },
  deal: { mouse: 14, keys: 15 },
  regulation: { mouse: 11, keys: 15 },
  booking: { mouse: 8, keys: 8 },
  illness: { mouse: 6, keys: 6 },
  payment: { mouse: 10, keys: 9 },
  plan: { mouse: 12, keys: 11 },
  // From a chat to a booked visit, on one screen.
  chat: { mouse: 9, keys: 8 },
} as const

for (const way of WAYS) {
  test(`a task with a check list, a day and a file is given and found: ${way}`, async ({ page, clinic }) => {
    const name = `Проверить ${mark()}`
    const board = await clinic.call('POST', '/tasks-management/boards', { name: `Дела ${mark()}` })
    const { person } = await clinic.enter(page)
    await clinic.call('POST', '/tasks-management/members', {
      idBoard: board.id,
      idUser: person.id,
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'all',
    })
    await page.goto(`/app/tasks?board=${board.id}`)
    const hand = new Hand(page, way)
    const column = page.locator(`[data-column="${board.idColumnNew}"]`)
    const add = column.getByRole('button', { name: 'Добавить задачу', exact: true })
    await expect(add).toBeVisible()
    if (way === 'mouse') await hand.press(add)
    else await hand.key('n')
    await expect(page.getByPlaceholder('Название задачи')).toBeFocused()
    await hand.type(name)
    await hand.key('Control+Enter')
    const open = dialog(page, new RegExp(name))
    const attach = open.getByRole('button', { name: 'Прикрепить', exact: true })
    const choosing = page.waitForEvent('filechooser')
    await expect(attach).toBeVisible()
    // Its keys work once it has the focus.
    await expect(open).toBeFocused()
    if (way === 'mouse') await hand.press(attach)
    else await hand.key('f')
    await (await choosing).setFiles({ name: 'памятка.txt', mimeType: 'text/plain', buffer: Buffer.from('Слова') })
    // It is in the list while it is being sent, too.
    await expect(open.getByRole('button', { name: 'Действия с файлом «памятка.txt»' })).toBeVisible()
    if (way === 'mouse') await hand.press(open.getByRole('button', { name: 'Добавить: чек-лист' }))
    else await hand.key('l')
    const item = open.getByRole('textbox', { name: 'Новый пункт: Чек-лист' })
    await expect(item).toBeFocused()
    await hand.paste(item, 'Позвонить\nЗаписать')
    await expect(open.getByRole('checkbox', { name: 'Записать' })).toBeVisible()
    await hand.enter(open.getByRole('textbox', { name: 'Срок', exact: true }))
    await hand.type('завтра 16:00')
    await hand.key('Escape')
    await expect(open).toBeHidden()

    await page.goto('/app/regulations')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Поиск и команды' }))
    else await hand.key('Control+k')
    // Characters outside Latin layouts are inserted as text, without key events: they need the field.
    await expect(page.getByRole('combobox', { name: 'Поиск и команды' })).toBeFocused()
    await hand.type(name)
    const found = page.getByRole('option').filter({ hasText: name })
    await expect(found).toBeVisible()
    if (way === 'mouse') await hand.press(found)
    else await hand.key('Enter')
    const again = dialog(page, new RegExp(name))
    await expect(again.getByText('памятка.txt')).toBeVisible()
    await expect(again.getByRole('checkbox', { name: 'Записать' })).toBeVisible()
    await expect(again.getByRole('textbox', { name: 'Срок', exact: true })).toHaveValue(/16:00/)
    printSteps('a task', hand, MOST.task)
  })

  test(`a deal goes from a call to won with an offer of three services: ${way}`, async ({ page, clinic }) => {
    const tag = mark()
    const { id: idFunnel } = await clinic.call('POST', '/sales-management/funnels', { name: `Воронка ${tag}` })
    const services = ['Осмотр', 'Снимок', 'Слепок'].map((service) => `${service} ${tag}`)
    for (const nameService of services) await clinic.call('POST', '/services', { nameService, priceService: 1000 })
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto(`/app/deals?funnel=${idFunnel}`)
    const hand = new Hand(page, way)
    const add = page.getByRole('button', { name: 'Новая сделка', exact: true })
    await expect(add).toBeEnabled()
    if (way === 'mouse') await hand.press(add)
    else await hand.key('n')
    const fresh = dialog(page, 'Новая сделка')
    await expect(fresh.getByLabel('Название')).toBeFocused()
    await hand.type(`Протез ${tag}`)
    await hand.enter(fresh.getByLabel('Контакт', { exact: true }))
    await hand.type(`Анна Сергеевна 912${String(Date.now()).slice(-7)}`)
    if (way === 'mouse') await hand.press(fresh.getByRole('button', { name: 'Создать' }))
    else await hand.key('Control+Enter')
    const deal = dialog(page, /^Сделка/)
    await expect(deal.getByLabel('Название сделки')).toHaveValue(`Протез ${tag}`)
    if (way === 'mouse') await hand.press(deal.getByRole('tab', { name: /^Предложения/ }))
    else await hand.key('o')
    for (const service of services) {
      await hand.enter(deal.getByLabel('Добавить услугу'))
      await hand.type(service)
      const option = page.getByRole('option', { name: new RegExp(service) })
      await expect(option).toBeVisible()
      if (way === 'mouse') await hand.press(option)
      else await hand.key('Enter')
      await expect(deal.getByRole('listitem', { name: service })).toBeVisible()
    }
    await hand.press(deal.getByRole('button', { name: 'Перевести на этап «Успешно»' }))
    const won = dialog(page, /→ Успешно/)
    await expect(won.getByRole('checkbox', { name: /Клиент принял предложение: 3 услуги на 3.000/ })).toBeChecked()
    await expect(won.getByLabel('Сумма сделки')).toHaveValue(/3\s000/)
    // Key presses reach the dialog once it has the focus.
    await expect(won.getByLabel('Сумма сделки')).toBeFocused()
    if (way === 'mouse') await hand.press(won.getByRole('button', { name: 'Завершить сделку' }))
    else await hand.key('Control+Enter')
    await expect(deal.getByRole('button', { name: 'Успешно, сейчас' })).toBeVisible()
    const { items } = await clinic.call(
      'GET',
      `/sales-management/leads?filter[idFunnel]=${idFunnel}&fields=price,totalAccepted`,
    )
    expect(items).toMatchObject([{ price: 3000, totalAccepted: 3000 }])
    printSteps('a deal', hand, MOST.deal)
  })

  test(`a regulation is written, approved and read: ${way}`, async ({ page, clinic, visitor }) => {
    const name = `Уборка ${mark()}`
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto('/app/regulations')
    const hand = new Hand(page, way)
    const create = page.getByRole('button', { name: 'Создать', exact: true })
    await expect(create).toBeVisible()
    if (way === 'mouse') await hand.press(create)
    else await hand.key('n')
    const form = dialog(page)
    await hand.enter(form.getByRole('textbox', { name: 'Название', exact: true }))
    await hand.type(name)
    for (const [at, step] of ['Взять инвентарь', 'Вымыть пол'].entries()) {
      await hand.press(form.getByRole('button', { name: 'Добавить шаг' }))
      await hand.enter(form.getByRole('textbox', { name: `Название шага ${at + 1}` }))
      await hand.type(step)
    }
    await hand.key('Control+Enter')
    await expect(form.getByRole('heading', { name })).toBeVisible()
    for (const [act, state] of [
      ['Отправить на проверку', 'На проверке'],
      ['Утвердить', 'Утверждён'],
      ['Ввести в действие', 'Активный'],
    ] as const) {
      await hand.press(form.getByRole('button', { name: act }))
      await expect(form.getByText(state, { exact: true }).first()).toBeVisible()
    }
    const id = new URL(page.url()).searchParams.get('id')
    const reader = await clinic.walkers.borrow('Медсестра')
    await clinic.call('POST', `/regulations/model/set-audience?id=${id}`, {
      roles: [],
      idUsers: [reader.person.id],
    })
    const theirs = await visitor({ viewport: WIDE })
    await theirs.context().setStorageState(reader.state)
    await theirs.goto(`/app/regulations?id=${id}`)
    const reading = new Hand(theirs, way)
    await reading.press(dialog(theirs, name).getByRole('button', { name: 'Ознакомлен' }))
    await expect(dialog(theirs, name).getByText(/Вы ознакомились/)).toBeVisible()
    hand.steps += reading.steps
    hand.tabs += reading.tabs
    printSteps('a regulation', hand, MOST.regulation)
  })

  test(`an unknown number becomes a booked visit: ${way}`, async ({ page, clinic }) => {
    const { mark: tag, first, service, at } = await branch(clinic, ahead(9))
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto(`/app/calendar?${at}`)
    await expect(page.getByRole('region', { name: new RegExp(first.name) })).toBeVisible()
    const hand = new Hand(page, way)
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Записать', exact: true }))
    else await hand.key('n')
    const open = dialog(page, 'Запись на приём')
    await expect(open.getByRole('combobox', { name: 'Пациент' })).toBeFocused()
    await hand.type(`+7 922 ${String(Date.now()).slice(-7)} Новикова-${tag} Ольга`)
    const fresh = page.getByRole('option', { name: /^Добавить/ })
    await expect(fresh).toBeVisible()
    if (way === 'mouse') await hand.press(fresh)
    else await hand.key('Enter')
    await expect(open.getByRole('textbox', { name: 'Имя' })).toHaveValue('Ольга')
    await expect(open.getByRole('textbox', { name: 'Телефон' })).toBeFocused()
    await hand.key('Enter')
    await expect(open.getByRole('combobox', { name: 'Услуги' })).toBeFocused()
    await hand.type(service.nameService)
    await expect(page.getByRole('option', { name: service.nameService })).toBeVisible()
    await hand.key('Control+Enter')
    const time = open.getByRole('button', { name: new RegExp(`09:00, ${first.name}`) })
    await expect(time).toBeFocused()
    if (way === 'mouse') await hand.press(time)
    else await hand.key('Enter')
    const book = open.getByRole('button', { name: 'Записать', exact: true })
    await expect(book).toBeFocused()
    if (way === 'mouse') await hand.press(book)
    else await hand.key('Enter')
    await expect(open.getByText(/Вы записаны: .* в 09:00, врач/)).toBeVisible()
    await expect(open.getByText(/\.\./)).toHaveCount(0)
    printSteps('a booking', hand, MOST.booking)
  })

  test(`a doctor is ill and the five visits of the day go elsewhere: ${way}`, async ({ page, clinic }) => {
    const day = ahead(9)
    const { first, mark: tag, book, at } = await branch(clinic, day)
    for (const start of ['09:00', '09:30', '10:00', '10:30', '11:00']) await book(start)
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto(`/app/calendar?${at}`)
    await expect(page.getByRole('region', { name: new RegExp(first.name) })).toBeVisible()
    const hand = new Hand(page, way)
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Врача не будет' }))
    else await hand.key('o')
    const open = dialog(page, 'Отсутствие')
    const who = open.getByRole('combobox', { name: 'Сотрудники' })
    await hand.enter(who)
    await hand.type(`Абрамова-${tag}`)
    const option = page.getByRole('option', { name: new RegExp(`Абрамова-${tag}`) })
    await expect(option).toBeVisible()
    await hand.key('Enter')
    await expect(open.getByText(/Без врача останутся 5.записей/)).toBeVisible()
    // The list of names covers the buttons.
    await hand.key('Control+Enter')
    const hanging = dialog(page, 'Записи без врача')
    const all = hanging.getByRole('button', { name: 'Перенести все: 5' })
    await expect(all).toBeEnabled()
    if (way === 'mouse') await hand.press(all)
    else await hand.key('Control+Enter')
    await expect(hanging).toBeHidden()
    const { items } = await clinic.call('GET', `/coupons?filter[idUser]=${first.id}&filter[localDate]=${day}`)
    expect(items).toEqual([])
    printSteps('an illness', hand, MOST.illness)
  })

  // The reason of the former discount is preset: the first of a day takes two more steps.
  test(`a patient comes, gets a discount and pays by two ways: ${way}`, async ({ page, clinic }) => {
    await page.setViewportSize(WIDE)
    const { person } = await clinic.enter(page, 'Регистратор')
    const { filial, mark: tag, book, at } = await branch(clinic, today())
    await sit(clinic, filial.id, person.id)
    const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
    const desk = await clinic.call('POST', '/cash-desks', {
      name: `Касса ${tag}`,
      idFilial: filial.id,
      idOrganization: own.items[0].id,
      kktMode: 'simulator',
      terminalMode: 'simulator',
    })
    await book('14:00')
    const { id: idVisit } = await book('14:30')
    const due = async () => {
      const { lines } = await clinic.call('GET', `/appointments/${idVisit}/price`)
      return lines[0].final as number
    }
    const whole = await due()
    await page.goto(`/app/cash?desk=${desk.id}`)
    await page.getByRole('button', { name: 'Открыть смену' }).click()
    await expect(page.getByRole('button', { name: 'Принять оплату' })).toBeEnabled()
    await page.goto(`/app/calendar/day-sheet?${at}`)
    const row = (start: string) => page.getByRole('row', { name: new RegExp(`^${start}, `) })
    await row('14:00').focus()
    await page.keyboard.press('d')
    const discount = dialog(page, 'Скидка')
    await expect(discount.getByLabel('Скидка вручную')).toBeFocused()
    await page.keyboard.type('5')
    await discount.getByLabel('Основание').fill('Постоянный клиент')
    await page.keyboard.press('Enter')
    await expect(discount).toBeHidden()
    await expect(row('14:00')).toBeFocused()
    await page.getByRole('heading', { level: 1 }).click()

    const hand = new Hand(page, way)
    const mine = row('14:30')
    const menu = mine.getByRole('button', { name: /^Действия: / })
    if (way === 'mouse') await hand.press(mine.getByRole('button', { name: 'Пришёл' }))
    else {
      await hand.enter(mine)
      await hand.key('a')
    }
    await expect(mine).toContainText('Пришёл')
    if (way === 'mouse') {
      await hand.press(menu)
      await hand.press(page.getByRole('menuitem', { name: 'Скидка…' }))
    } else await hand.key('d')
    await expect(discount.getByLabel('Скидка вручную')).toBeFocused()
    await hand.type('5')
    if (way === 'mouse') await hand.press(discount.getByRole('button', { name: 'Применить' }))
    else await hand.key('Enter')
    await expect(discount).toBeHidden()
    await expect.poll(due, { timeout: 30_000 }).toBeLessThan(whole)
    const rest = (await due()) - 500
    if (way === 'mouse') {
      await hand.press(menu)
      await hand.press(page.getByRole('menuitem', { name: 'Принять оплату' }))
    } else await hand.key('o')
    const take = dialog(page, 'Принять оплату')
    await expect(take.getByRole('textbox', { name: 'Сумма' })).toHaveValue(/\d/)
    await expect(take.getByRole('textbox', { name: 'Сумма' })).toBeFocused()
    await hand.type('500')
    if (way === 'mouse') await hand.press(take.getByRole('button', { name: 'Ещё способ' }))
    else await hand.key('Alt+0')
    await expect(take.getByRole('textbox', { name: 'Сумма, часть 2' })).toHaveValue(
      new RegExp(rest.toFixed(2).replace('.', ',')),
    )
    if (way === 'mouse') await hand.press(take.getByRole('button', { name: /^Принять / }))
    else await hand.key('Enter')
    await expect(toast(page, 'Принято')).toBeVisible()
    await expect(mine).toContainText('оплачено')
    printSteps('a payment', hand, MOST.payment)
  })

  test(`a plan of three stages is agreed and its first stage booked: ${way}`, async ({ page, clinic }) => {
    const day = ahead(9)
    const { filial, service, first, mark: tag, idPatient } = await branch(clinic, day)
    const others = ['Массаж', 'Осмотр'].map((name) => `${name} ${tag}`)
    for (const nameService of others) await clinic.call('POST', '/services', { nameService, priceService: 1000 })
    const plan = await clinic.call('POST', '/customer-plans', {
      name: `Спина ${tag}`,
      idCustomer: idPatient,
      idDoctor: first.id,
      idFilial: filial.id,
    })
    await clinic.call('POST', '/customer-plans/stages', { idPlan: plan.id, name: 'Этап 1' })
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto(`/app/customer-plans/${plan.id}`)
    const hand = new Hand(page, way)
    const names = [service.nameService as string, ...others]
    for (const [at, name] of names.entries()) {
      const field = page.getByRole('combobox', { name: `Добавить услугу: Этап ${at + 1}` })
      await expect(field).toBeFocused()
      await hand.type(name)
      const option = page.getByRole('option', { name: new RegExp(name) })
      await expect(option).toBeVisible()
      const isLast = at === names.length - 1
      if (way === 'keys') await hand.key(isLast ? 'Enter' : 'Control+Enter')
      else {
        await hand.press(option)
        if (!isLast) await hand.press(page.getByRole('button', { name: 'Добавить этап' }))
      }
      await expect(page.getByRole('listitem', { name: `Этап: Этап ${at + 1}` })).toContainText(name)
    }
    await hand.press(page.getByRole('button', { name: 'Согласовать' }))
    const agree = dialog(page, 'Согласование плана')
    await expect(agree.getByRole('checkbox', { name: 'Сразу выбрать время первого этапа' })).toBeChecked()
    if (way === 'mouse') await hand.press(agree.getByRole('button', { name: 'Согласован' }))
    else await hand.key('Control+Enter')
    const open = dialog(page, 'Запись на приём')
    const time = open.getByRole('button', { name: new RegExp(`09:00, ${first.name}`) })
    if (way === 'mouse') await hand.press(time)
    else {
      await expect(time).toBeFocused()
      await hand.key('Enter')
    }
    const book = open.getByRole('button', { name: 'Записать', exact: true })
    await expect(book).toBeFocused()
    if (way === 'mouse') await hand.press(book)
    else await hand.key('Enter')
    await expect(open.getByText(/Вы записаны: .* в 09:00, врач/)).toBeVisible()
    const { status } = await clinic.call('GET', `/customer-plans/${plan.id}`)
    expect(status).toBe('inWork')
    printSteps('a plan', hand, MOST.plan)
  })

  test(`a chat of a new patient becomes a booked visit on one screen: ${way}`, async ({ page, clinic }) => {
    const { filial, service, first, mark: tag } = await branch(clinic, ahead(1))
    const shift = { type: 'shift', idUser: first.id, idFilial: filial.id, localFrom: '00:00', localTo: '24:00' }
    await clinic.call('POST', '/staff-events', { ...shift, localDate: today() })
    const phone = `+7918${String(Date.now()).slice(-7)}`
    const chat = await clinic.call('POST', '/live-assist', { name: 'Вера', phone })
    await clinic.call('PUT', `/live-assist/${chat.id}`, { idFilial: filial.id })
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto(`/app/live-assist?tab=all&chat=${chat.id}`)
    const hand = new Hand(page, way)
    const book = page.getByRole('button', { name: 'Записать на приём' })
    await expect(book).toBeVisible()
    if (way === 'mouse') await hand.press(book)
    else await hand.key('b')
    const booking = dialog(page)
    await expect(booking.getByRole('textbox', { name: 'Имя' })).toHaveValue('Вера')
    await hand.enter(booking.getByRole('textbox', { name: 'Фамилия' }))
    await hand.type(`Новая-${tag}`)
    if (way === 'mouse') await hand.press(booking.getByRole('button', { name: 'Дальше' }))
    else await hand.key('Enter')
    await hand.enter(booking.getByRole('combobox', { name: 'Услуги' }))
    await hand.type(service.nameService)
    const option = page.getByRole('option', { name: service.nameService })
    await expect(option).toBeVisible()
    if (way === 'mouse') {
      await hand.press(option)
      await hand.press(booking.getByRole('button', { name: 'Дальше' }))
    } else await hand.key('Control+Enter')
    const time = booking.getByRole('button', { name: new RegExp(`\\d\\d:\\d\\d, ${first.name}`) }).first()
    await expect(time).toBeVisible()
    if (way === 'mouse') await hand.press(time)
    else {
      await expect(time).toBeFocused()
      await hand.key('Enter')
    }
    const write = booking.getByRole('button', { name: 'Записать', exact: true })
    await expect(write).toBeVisible()
    if (way === 'mouse') await hand.press(write)
    else {
      await expect(write).toBeFocused()
      await hand.key('Enter')
    }
    await expect(booking.getByText(/Вы записаны/)).toBeVisible()
    await expect(page).toHaveURL(/live-assist/)
    const { idCustomer } = await clinic.call('GET', `/live-assist/${chat.id}`)
    expect(idCustomer).not.toBeNull()
    printSteps('a chat booked', hand, MOST.chat)
  })
}
