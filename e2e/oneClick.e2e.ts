import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import type { Page } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { type Clinic, expect, test, toast } from './support.ts'

/** No single accidental click causes an irreversible change, in all areas. */

interface Slip {
  name: string
  at(world: World): string
  /** The click itself, after the steps that lead to it. */
  click(page: Page, world: World): Promise<void>
  /** The title of the confirmation, which the test declines. */
  asks?: string
  /** Text of the toast with the undo action. */
  undo?: string | RegExp
  /** True before the click, and again after it was declined or undone. */
  before(page: Page, world: World, clinic: Clinic): Promise<void>
}

const menu = async (page: Page, name: string | RegExp, item: string) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

const slips: readonly Slip[] = [
  {
    name: 'a chat goes to the archive',
    at: ({ chat }) => `/app/live-assist?chat=${chat}`,
    click: (page) => menu(page, 'Ещё действия с чатом', 'В архив…'),
    asks: 'Убрать чат в архив?',
    before: (page) => expect(page.getByRole('button', { name: 'Вернуть', exact: true })).toBeVisible(),
  },
  {
    name: 'a tag of a patient',
    at: ({ customer }) => `/app/customers/edit?id=${customer}`,
    click: (page) => page.getByRole('button', { name: 'Убрать метку «Постоянный»' }).click(),
    undo: 'Метка снята',
    before: (page) => expect(page.getByRole('button', { name: 'Убрать метку «Постоянный»' })).toBeVisible(),
  },
  {
    name: 'a tag of an appeal',
    at: ({ appeal }) => `/app/journal/appeals/${appeal}`,
    click: (page) => page.getByRole('button', { name: 'Убрать метку «VIP»' }).click(),
    undo: 'Метка снята',
    before: (page) => expect(page.getByRole('button', { name: 'Убрать метку «VIP»' })).toBeVisible(),
  },
  {
    name: 'the session of a colleague',
    at: ({ colleague }) => `/app/users/${colleague.id}?tab=sessions`,
    click: (page) =>
      page
        .getByRole('button', { name: /^Завершить сеанс: / })
        .first()
        .click(),
    asks: 'Завершить сеанс?',
    before: (page) => expect(page.getByRole('button', { name: /^Завершить сеанс: / }).first()).toBeVisible(),
  },
  {
    name: 'the secret of a webhook',
    at: ({ webhook }) => `/app/settings/webhooks?open=${webhook}&tab=sign`,
    click: (page) => page.getByRole('button', { name: 'Заменить секрет' }).click(),
    asks: 'Заменить секрет?',
    before: (page) => expect(page.getByText('Секрет подписи задан')).toBeVisible(),
  },
  {
    name: 'a refund that waits for the word of another',
    at: ({ cashDesk }) => `/app/cash?desk=${cashDesk}`,
    click: (page) => menu(page, /^Действия с платежом/, 'Одобрить возврат…'),
    asks: 'Одобрить возврат?',
    before: (page) => expect(page.getByText('Ждёт одобрения')).toBeVisible(),
  },
  {
    name: 'a refund that is refused',
    at: ({ cashDesk }) => `/app/cash?desk=${cashDesk}`,
    click: (page) => menu(page, /^Действия с платежом/, 'Отказать в возврате…'),
    asks: 'Отказать в возврате?',
    before: (page) => expect(page.getByText('Ждёт одобрения')).toBeVisible(),
  },
  {
    name: 'a block of the site',
    at: ({ clientPage }) => `/app/settings/client/pages/${clientPage}`,
    click: (page) => menu(page, 'Действия: Вопросы и ответы: Частые вопросы', 'Удалить блок'),
    undo: 'Блок «Вопросы и ответы» удалён',
    before: (page) => expect(page.getByRole('button', { name: /^Вопросы и ответы/ }).first()).toBeVisible(),
  },
  {
    name: 'a version of the site over what is written',
    at: ({ clientPage }) => `/app/settings/client/pages/${clientPage}?tab=versions`,
    click: (page) => page.getByRole('button', { name: 'Вернуть в черновик: версия 1' }).click(),
    undo: /^Версия 1 теперь в черновике/,
    before: (_, { clientPage }, clinic) =>
      expect
        .poll(async () => (await clinic.call('GET', `/client/pages/${clientPage}`)).blocks[0].values.title)
        .toBe('Написано позже'),
  },
  {
    name: 'a section of a form',
    at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=form`,
    click: (page) => menu(page, 'Действия: раздел Осмотр', 'Удалить раздел'),
    undo: 'Раздел «Осмотр» удалён',
    before: (page) => expect(page.getByRole('button', { name: /^Зубы/ })).toBeVisible(),
  },
  {
    name: 'a field of a form',
    at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=form`,
    click: (page) => menu(page, 'Действия: Зубы', 'Удалить поле'),
    undo: 'Поле «Зубы» удалено',
    before: (page) => expect(page.getByRole('button', { name: /^Зубы/ })).toBeVisible(),
  },
]

test('a click with a permanent effect asks first, or is undone by a toast', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  await prepare(clinic, world, token)
  for (const slip of slips)
    await test.step(slip.name, async () => {
      await page.goto(slip.at(world))
      await slip.before(page, world, clinic)
      await slip.click(page, world)
      if (slip.asks) {
        await expect(page.getByRole('dialog', { name: slip.asks })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog', { name: slip.asks })).toBeHidden()
      } else {
        await toast(page, slip.undo as string)
          .getByRole('button', { name: 'Отменить' })
          .click()
      }
      await slip.before(page, world, clinic)
    })
})

/** Further records for one-click mistakes: a closed chat, a signed-in user, a refund above the limit. */
async function prepare(clinic: Clinic, world: World, token: string): Promise<void> {
  const call = clinic.as(token)
  const { blocks } = await call('GET', `/client/pages/${world.clientPage}`)
  const [first, ...rest] = blocks
  await call('PUT', `/client/pages/${world.clientPage}`, {
    blocks: [{ ...first, values: { ...first.values, title: 'Написано позже' } }, ...rest],
  })
  const { items } = await call('GET', '/appeals/outcomes?limit=1&fields=id')
  await call('POST', `/live-assist/${world.chat}/complete`, { idOutcome: items[0].id })
  await clinic.token(world.colleague)
  await call('POST', `/webhooks/${world.webhook}/secret`)
  await call('PUT', `/cash-desks/${world.cashDesk}`, { refundLimit: 10 })
  const asking = await clinic.person({ roles: ['Регистратор'] })
  const { idFilial } = await call('GET', `/cash-desks/${world.cashDesk}`)
  await call('POST', '/filials/desks', { idFilial, idUser: asking.id })
  const { items: paid } = await call(
    'GET',
    `/payments?filter[kind]=payment&filter[idDesk]=${world.cashDesk}&limit=1&fields=id`,
  )
  await clinic.as(await clinic.token(asking))('POST', `/payments/${paid[0].id}/refund`, {
    key: randomUUID(),
    parts: [{ method: 'cash', sum: 100 }],
    reason: 'Отказ от услуги',
  })
}

/** The half hour that runs now: a visit long before its time is ended by another question. */
function halfHour(): string {
  const [hours = '', minutes] = new Date().toLocaleTimeString('ru-RU', { timeZone: 'Europe/Moscow' }).split(':')
  return `${hours}:${Number(minutes) < 30 ? '00' : '30'}`
}

/** A visit of now in a branch and with a doctor of its own. */
async function begun(clinic: Clinic, idUser: number) {
  const day = dayIn('Europe/Moscow', Date.now())
  const mark = randomUUID().slice(0, 6)
  const { id: idFilial } = await clinic.call('POST', '/filials', {
    nameFilial: `Приёмный ${mark}`,
    timeZone: 'Europe/Moscow',
  })
  const shift = { type: 'shift', idUser, idFilial, localDate: day, localFrom: '00:00', localTo: '24:00' }
  await clinic.call('POST', '/staff-events', shift)
  const surname = `Приёмова-${mark}`
  const { id: idCustomer } = await clinic.call('POST', '/customers', { surname, name: 'Вера' })
  const { id: idService } = await clinic.call('POST', '/services', {
    nameService: `Приём ${mark}`,
    priceService: 100,
    anyPerformer: true,
  })
  const visit = await clinic.call('POST', '/appointments/book', {
    idCustomer,
    idFilial,
    localDate: day,
    coupons: [{ idUser, localStart: halfHour(), services: [{ idService }] }],
  })
  for (const status of ['arrived', 'inProgress'])
    await clinic.call('POST', `/appointments/${visit.id}/status`, { status })
  return {
    visit,
    surname,
    idService,
    idFilial,
    at: `/app/calendar/day-sheet?filial=${idFilial}&day=${day}&visit=${visit.id}`,
  }
}

test('an undo button ignores the pointer that pressed the step, and accepts a new press', async ({ page, clinic }) => {
  await clinic.enter(page)
  const article = await clinic.call('POST', '/expenses/articles', { name: `Статья ${randomUUID()}`, kind: 'variable' })
  const day = dayIn('Europe/Moscow', Date.now())
  const { id: idUser } = await clinic.person({ roles: ['Полный доступ'] })
  await clinic.call('POST', '/expenses/routes', { idUser, idArticle: article.id, fromSum: 0 })
  const body = { localDate: day, idArticle: article.id, purpose: 'Перчатки', sum: 100 }
  const expense = await clinic.call('POST', '/expenses', body)
  const status = async () => (await clinic.call('GET', `/expenses/${expense.id}`)).status
  let withdrawn = 0
  page.on('request', (request) => void (withdrawn += Number(request.url().endsWith('/withdraw'))))
  await page.goto(`/app/expenses?open=${expense.id}`)
  const step = page.getByRole('button', { name: 'На согласование' })
  const back = page.getByRole('button', { name: 'Вернуть в план' })
  const box = await step.boundingBox()
  if (!box) throw new Error('No step')
  // Near the left edge: the next button is not as wide.
  const [x, y] = [box.x + 12, box.y + box.height / 2]
  // However slow the machine, the button has just come.
  await page.evaluate(() => {
    const now = performance.now()
    performance.now = () => now
  })
  // A double click sends it once: a second time would be refused.
  await page.mouse.dblclick(x, y)
  await expect(back).toBeVisible()
  const its = await back.boundingBox()
  expect(its && x > its.x && x < its.x + its.width && y > its.y && y < its.y + its.height, 'it took the place').toBe(
    true,
  )
  await page.mouse.click(x, y)
  // The answer to the click would come before that of this one.
  expect(await status()).toBe('toApprove')
  expect(withdrawn).toBe(0)
  await page.evaluate(() => Reflect.deleteProperty(performance, 'now'))
  await page.mouse.click(x, y - 200)
  await back.click()
  await expect.poll(status).toBe('plan')
})

test('a user with the right to resume a visit reverts its end', async ({ page, clinic }) => {
  await clinic.enter(page)
  const { visit, at } = await begun(clinic, (await clinic.person({ roles: ['Врач'] })).id)
  await page.goto(at)
  await page
    .getByRole('dialog', { name: /^Запись №/ })
    .getByRole('button', { name: 'Завершить приём' })
    .click()
  await toast(page, 'приём завершён').getByRole('button', { name: 'Отменить' }).click()
  await expect.poll(async () => (await clinic.call('GET', `/appointments/${visit.id}`)).visitStatus).toBe('inProgress')
})

test('a refusal of offered time is undone: the time is offered again', async ({ page, clinic }) => {
  await clinic.enter(page)
  const { id: idUser } = await clinic.person({ roles: ['Врач'] })
  const { visit, surname, idService, idFilial } = await begun(clinic, idUser)
  const localDate = plusDays(dayIn('Europe/Moscow', Date.now()), 1)
  const hours = { localDate, localFrom: '09:00', localTo: '18:00' }
  await clinic.call('POST', '/staff-events', { ...hours, type: 'shift', idUser, idFilial })
  const entry = await clinic.call('POST', '/waiting-list', { idCustomer: visit.idCustomer, idFilial, idService })
  await clinic.call('POST', `/waiting-list/${entry.id}/offer`, { idUser, localDate, localStart: '12:00' })
  await page.goto('/app/calendar/waiting-list')
  const offers = page.getByRole('region', { name: 'Ждут ответа' })
  const line = offers.getByRole('listitem').filter({ hasText: surname })
  await line.getByRole('button', { name: 'Отказ' }).click()
  await expect(line).toBeHidden()
  await toast(page, 'Время снова свободно').getByRole('button', { name: 'Отменить' }).click()
  await expect(line).toBeVisible()
})

test('a user without the right to resume a visit is asked before ending it', async ({ page, clinic }) => {
  const { person } = await clinic.enter(page, 'Врач')
  const { visit, at } = await begun(clinic, person.id)
  await page.goto(at)
  const card = page.getByRole('dialog', { name: /^Запись №/ })
  const end = card.getByRole('button', { name: 'Завершить приём' })
  const question = page.getByRole('dialog', { name: 'Завершить приём?' })
  await end.click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  expect((await clinic.call('GET', `/appointments/${visit.id}`)).visitStatus).toBe('inProgress')
  await end.click()
  await question.getByRole('button', { name: 'Завершить приём' }).click()
  await expect(card.getByText('Завершён', { exact: true }).first()).toBeVisible()
})
