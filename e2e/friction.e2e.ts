import { randomUUID } from 'node:crypto'
import { dayIn } from '@ordinator/model/zone'
import type { Locator, Page, Response } from 'playwright/test'
import { sight, watchShifts } from './look/sight.ts'
import { NARROW, WIDE } from './look/walk.ts'
import { makeWorld, type World } from './look/world.ts'
import { type Clinic, expect, holdsFocus, test } from './support.ts'

/** What stands in nobody's way, over all areas: no slip of one click, no lost focus, nothing that jumps or hides. */

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first()

interface Slip {
  name: string
  at(world: World): string
  /** The one click, after whatever leads to it. */
  click(page: Page, world: World): Promise<void>
  /** The title of the question, which is refused here. */
  asks?: string
  /** What the toast says that takes it back. */
  undo?: string | RegExp
  /** Holds before the click, and again when it was refused or taken back. */
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

test('what one click would change for good asks before, or is taken back by a toast', async ({ page, clinic }) => {
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

/** What the slips need beside the world: a chat that is over, somebody who is signed in, a refund above the limit. */
async function prepare(clinic: Clinic, world: World, token: string): Promise<void> {
  const call = async (method: string, path: string, body?: unknown, as = token) => {
    const answer = await clinic.ask(method, path, body, as)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
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
  await call(
    'POST',
    `/payments/${paid[0].id}/refund`,
    { key: randomUUID(), parts: [{ method: 'cash', sum: 100 }], reason: 'Отказ от услуги' },
    await clinic.token(asking),
  )
}

interface Place {
  name: string
  at(world: World): string
  /** By keys alone, to what takes the focus with it. */
  act(page: Page, world: World): Promise<void>
  /** It has happened. */
  done(page: Page, world: World): Promise<void>
}

/** Opens a menu by keys and takes a line of it. */
const byKeys = async (page: Page, name: string | RegExp, item: string) => {
  await page.getByRole('button', { name }).first().press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}
const gone = (page: Page, text: string | RegExp) => expect(toast(page, text)).toBeVisible()

const places: readonly Place[] = [
  {
    name: 'a policy is deleted',
    at: ({ customer }) => `/app/customers/edit?id=${customer}&tab=documents`,
    act: (page) =>
      page
        .getByRole('region', { name: /олис/ })
        .getByRole('button', { name: /^Удалить: / })
        .first()
        .press('Enter'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'a representative is deleted',
    at: ({ customer }) => `/app/customers/edit?id=${customer}&tab=relations`,
    act: (page) =>
      page
        .getByRole('button', { name: /^Удалить: / })
        .first()
        .press('Enter'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'the only tag is taken off',
    at: ({ customer }) => `/app/customers/edit?id=${customer}`,
    act: (page) => page.getByRole('button', { name: 'Убрать метку «Постоянный»' }).press('Enter'),
    done: (page) => gone(page, 'Метка снята'),
  },
  {
    name: 'a service leaves a plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    act: (page) => byKeys(page, /^Действия: Приём врача/, 'Убрать из плана'),
    done: (page) => gone(page, 'Убрано из плана'),
  },
  {
    name: 'a stage leaves a plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    act: (page) => byKeys(page, 'Действия: Снять боль', 'Удалить этап'),
    done: (page) => gone(page, 'Этап «Снять боль» удалён'),
  },
  {
    name: 'a stage is added to a plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    act: (page) => page.getByRole('button', { name: 'Добавить этап' }).press('Enter'),
    done: (page) => expect(page.getByRole('button', { name: /^Действия: Этап \d/ })).toBeVisible(),
  },
  {
    name: 'the only room of a branch is deleted',
    at: ({ filial }) => `/app/settings/filial/update/${filial}?tab=rooms`,
    act: (page) => page.getByRole('button', { name: 'Удалить: Процедурная' }).press('Enter'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'rules of a service are deleted one by one',
    at: ({ service }) => `/app/service/duration?id=${service}`,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Удалить: / })
        .first()
        .press('Enter')
      await gone(page, /удал/i)
      await holdsFocus(page)
      await page.keyboard.press('Enter')
    },
    done: (page) => expect(page.getByText('Длительность не указана').or(page.getByRole('dialog'))).toBeVisible(),
  },
  {
    name: 'an appeal is deleted in its panel',
    at: ({ appeal }) => `/app/journal/appeals?open=${appeal}`,
    act: (page) => byKeys(page, 'Действия с обращением', 'Удалить'),
    done: (page) => gone(page, /Обращение № \d+ удалено/),
  },
  {
    name: 'a record is deleted in the panel of its registry',
    at: ({ channel }) => `/app/settings/channels?open=${channel}`,
    act: (page) => byKeys(page, 'Действия с записью', 'Удалить'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'a field of a form is deleted',
    at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=form`,
    act: (page) => byKeys(page, 'Действия: Зубы', 'Удалить поле'),
    done: (page) => gone(page, 'Поле «Зубы» удалено'),
  },
  {
    name: 'a block of the site is deleted',
    at: ({ clientPage }) => `/app/settings/client/pages/${clientPage}`,
    act: (page) => byKeys(page, /^Действия: Текст/, 'Удалить блок'),
    done: (page) => gone(page, /^Блок .* удалён/),
  },
  {
    name: 'a note is written in a chat',
    at: ({ chat }) => `/app/live-assist?chat=${chat}`,
    async act(page) {
      await page.getByText('Заметка', { exact: true }).click()
      const note = page.getByRole('textbox', { name: 'Заметка для коллег' })
      await note.fill('Перезвонить завтра')
      await note.press('Enter')
    },
    done: (page) => expect(page.getByRole('log').getByText('Перезвонить завтра')).toBeVisible(),
  },
  {
    name: 'a report of the desk is closed',
    at: ({ cashDesk }) => `/app/cash?desk=${cashDesk}`,
    async act(page) {
      await byKeys(page, 'Смена', 'X-отчёт')
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
    },
    done: (page) => expect(page.getByRole('dialog')).toHaveCount(0),
  },
  {
    name: 'a visit is looked at and left',
    at: ({ filial, day }) => `/app/calendar/day-sheet?filial=${filial}&day=${day}`,
    async act(page) {
      await page.getByRole('rowheader').getByRole('button').first().press('Enter')
      await expect(page.getByRole('dialog', { name: /^Запись №/ })).toBeVisible()
      await page.keyboard.press('Escape')
    },
    done: (page) => expect(page.getByRole('dialog')).toHaveCount(0),
  },
]

test('whatever goes away or is added in the newer areas, the focus stays somewhere', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  for (const { name, at, act, done } of places)
    await test.step(name, async () => {
      await page.goto(at(world))
      await act(page, world)
      await done(page, world)
      await holdsFocus(page)
    })
})

/** Cards of the newer areas, and what of each a person on the move must see at once. */
const cards: readonly { name: string; at(world: World): string; seen(page: Page): readonly Locator[] }[] = [
  {
    name: 'visit',
    at: ({ filial, day, visit }) => `/app/calendar?filial=${filial}&day=${day}&visit=${visit}`,
    seen: (page) => {
      const card = page.getByRole('dialog', { name: /^Запись №/ })
      return [
        card.getByText('Записан', { exact: true }).first(),
        card.getByText(/, 10:00$/),
        card.getByText(/^Осмотров/).first(),
        card.getByText(/^Соседов/).first(),
        card.getByRole('button', { name: 'Подтвердить' }),
      ]
    },
  },
  {
    name: 'appeal',
    at: ({ appeal }) => `/app/journal/appeals/${appeal}`,
    seen: (page) => [
      page.getByText('Открыто', { exact: true }),
      page.getByText(/^срок /),
      page.getByText(/^отвечает /),
      page.getByText(/^Осмотров/).first(),
      page.getByRole('button', { name: 'Закрыть…' }),
    ],
  },
  {
    name: 'chat',
    at: ({ chat }) => `/app/live-assist?chat=${chat}`,
    seen: (page) => [
      page.getByRole('heading', { name: /^Осмотрова/ }),
      page.getByText(/Отвечаете вы/),
      page.getByRole('button', { name: 'Завершить' }),
      page.getByRole('textbox', { name: 'Ответ посетителю' }),
    ],
  },
  {
    name: 'examination',
    at: ({ examination }) => `/app/examinations/${examination}`,
    seen: (page) => [
      page.getByText('Черновик', { exact: true }),
      page.getByText(/^Осмотров/).first(),
      page.getByRole('button', { name: 'Завершить' }),
    ],
  },
  {
    name: 'plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    seen: (page) => [
      page.getByText('Черновик', { exact: true }).first(),
      page.getByText(/^Осмотров/).first(),
      page.getByText(/цены по/),
      page.getByRole('button', { name: 'Согласовать' }),
    ],
  },
  {
    name: 'patient',
    at: ({ customer }) => `/app/customers/edit?id=${customer}`,
    seen: (page) => [
      page.getByRole('heading', { name: /^Осмотров/ }),
      page.getByRole('link', { name: /^\+7/ }).first(),
      page.getByText(/^Долг/),
      page.getByText('Аллергия:'),
      page.getByRole('tab', { name: 'Лента' }),
    ],
  },
  {
    name: 'call',
    at: ({ call }) => `/app/journal/calls?open=${call}`,
    seen: (page) => {
      const card = page.getByRole('dialog', { name: /^Звонок/ })
      return [
        card.getByRole('link', { name: /^\+7/ }).first(),
        card.getByRole('button', { name: /итог/i }),
        card.getByText('Сотрудник', { exact: true }),
        card.getByText('Итог', { exact: true }),
      ]
    },
  },
]

test('on a phone state, people, deadline and the main action stand within the first screen', async ({
  page,
  clinic,
}) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  const deadline = new Date(Date.now() + 86_400_000).toISOString()
  await clinic.call('PUT', `/appeals/${world.appeal}`, { deadline })
  await page.setViewportSize(NARROW)
  for (const { name, at, seen } of cards)
    await test.step(name, async () => {
      await page.goto(at(world))
      for (const part of seen(page)) {
        await expect(part).toBeVisible()
        const box = await part.boundingBox()
        expect((box?.y ?? Infinity) + (box?.height ?? 0), `${part}`).toBeLessThanOrEqual(NARROW.height)
      }
    })
})

/** Screens whose upper parts come by themselves. */
const moving: readonly ((world: World) => string)[] = [
  () => '/app/',
  () => '/app/tasks/mine',
  ({ customer }) => `/app/customers/edit?id=${customer}`,
  ({ plans }) => `/app/customer-plans/${plans.agreed}`,
  ({ filial, day, visit }) => `/app/calendar/day-sheet?filial=${filial}&day=${day}&visit=${visit}`,
  () => '/app/settings/client/documents',
  () => '/app/journal/service-online/chats',
  ({ service }) => `/app/service/duration?id=${service}`,
  ({ filial, day, doctor }) =>
    `/app/calendar/waiting-list?filial=${filial}&user=${doctor}&day=${day}&start=11:00&minutes=30`,
]

test('nothing moves under the eye while a screen opens, however late its parts come', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  await watchShifts(page)
  // Answers come one after another, as over a poor line.
  await page.route(
    /similar|ledger|balance|check-list|figures|matches|service-durations|print-templates\?/,
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue().catch(() => undefined)
    },
  )
  for (const size of [WIDE, NARROW])
    for (const at of moving)
      await test.step(`${size.width} ${at(world)}`, async () => {
        await page.setViewportSize(size)
        await page.goto(at(world))
        await expect(page.locator('h1').first()).toBeVisible()
        await expect(page.locator('.mantine-Skeleton-root:visible')).toHaveCount(0)
        await page.waitForLoadState('networkidle')
        expect((await sight(page)).shift).toBeLessThan(0.1)
      })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

interface Counted {
  /** Of the tile on the desktop. */
  label: RegExp
  /** The page of the menu whose badge counts the same. */
  badge?: string
  /** The call by which the list behind the tile is read. */
  list?: RegExp
  /** In the first hours of a day there may be none. */
  ofToday?: true
}

const counted: readonly Counted[] = [
  { label: /Просрочено задач/, badge: 'myTasks' },
  { label: /Просрочено шагов/, badge: 'deals', list: /\/sales-management\/leads\?.*dateNextStep/ },
  { label: /Неразобранные заявки/, badge: 'dealRequests', list: /\/sales-management\/requests\?.*count=1/ },
  { label: /Регламенты к ознакомлению/, badge: 'regulations' },
  { label: /Непрочитанные новости/, badge: 'news', list: /\/news\?.*isRead/ },
  { label: /Мои обращения/, badge: 'appeals', list: /\/appeals\?.*idOwner/ },
  { label: /Срок обращений вышел/, list: /\/appeals\?.*deadline/ },
  { label: /Ждут моего ответа/, badge: 'liveAssist', list: /\/live-assist\?.*awaitsMe/ },
  { label: /Ждут звонка/, list: /\/calls\?.*recall/ },
  { label: /Пропущено сегодня/, list: /\/calls\?.*callType/, ofToday: true },
]

test('the same thing has one number: in the menu, on the desktop and in its list', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  await owe(clinic, world, person.id, token)
  await page.goto('/app/')
  const tiles = page
    .getByRole('navigation', { name: 'Что ждёт вас' })
    .or(page.getByRole('region', { name: 'Звонки и чаты' }))
    .getByRole('link')
  await expect(tiles.filter({ hasText: 'Мои обращения' })).toBeVisible()
  await expect(tiles.filter({ hasText: 'Ждут моего ответа' })).toBeVisible()
  const { body: badges } = await clinic.ask('GET', '/common/badges', undefined, token)
  const shown = await tiles.evaluateAll((all) =>
    all.map((one) => ({ words: (one as HTMLElement).innerText, href: one.getAttribute('href') as string })),
  )
  for (const { label, badge, list, ofToday } of counted)
    await test.step(label.source, async () => {
      const found = shown.filter(({ words }) => label.test(words))
      if (!ofToday) expect(found.length).toBeGreaterThan(0)
      const numbers = found.map(({ words }) => Number.parseInt(words, 10))
      if (badge) expect(numbers.reduce((sum, one) => sum + one)).toBe(badges[badge])
      for (const [at, { href }] of found.entries()) {
        if (!list) continue
        expect(await listed(page, href, list)).toBe(numbers[at])
      }
    })
})

/** How many the list at the address tells of; deals are read stage by stage. */
async function listed(page: Page, href: string, list: RegExp): Promise<number> {
  const told = new Map<string, number>()
  const hear = async (answer: Response) => {
    const url = decodeURIComponent(answer.url()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    if (!list.test(url) || !answer.ok()) return
    const { items, _meta } = await answer.json()
    told.set(url, _meta?.totalCount ?? items.length)
  }
  page.on('response', hear)
  await page.goto(href)
  await page.waitForLoadState('networkidle')
  await expect.poll(() => told.size).toBeGreaterThan(0)
  page.off('response', hear)
  return [...told.values()].reduce((sum, one) => sum + one)
}

/** Something overdue of each kind, in the name of who walks. */
async function owe(clinic: Clinic, world: World, idUser: number, token: string): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await clinic.ask(method, path, body, token)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const past = new Date(Date.now() - 3_600_000).toISOString()
  const { items } = await call('GET', `/tasks-management/members?filter[idBoard]=${world.board}&sort=id&limit=1`)
  const { items: late } = await call(
    'GET',
    `/tasks-management/assigned?filter[column.idBoard]=${world.board}&filter[task.name]=Просроченная`,
  )
  await call('POST', '/tasks-management/executors', { idTask: late[0].idTask, idMember: items[0].id })
  await call('PUT', `/sales-management/leads/${world.lead}`, { nextStep: 'Позвонить', dateNextStep: past })
  const of = { idLead: world.lead, idUser }
  if ((await call('GET', `/sales-management/responsible?filter[idLead]=${world.lead}`)).items.length === 0)
    await call('POST', '/sales-management/responsible', of)
  await call('PUT', `/appeals/${world.appeal}`, { idOwner: idUser, deadline: past })
}

test('whoever may not resume a visit is asked before ending it', async ({ page, clinic }) => {
  const { person } = await clinic.enter(page, 'Врач')
  const day = dayIn('Europe/Moscow', Date.now())
  const mark = randomUUID().slice(0, 6)
  const { id: idFilial } = await clinic.call('POST', '/filials', {
    nameFilial: `Приёмный ${mark}`,
    timeZone: 'Europe/Moscow',
  })
  const shift = { type: 'shift', idUser: person.id, idFilial, localDate: day, localFrom: '00:00', localTo: '24:00' }
  await clinic.call('POST', '/staff-events', shift)
  const { id: idCustomer } = await clinic.call('POST', '/customers', { surname: `Приёмова-${mark}`, name: 'Вера' })
  const { id: idService } = await clinic.call('POST', '/services', { nameService: `Приём ${mark}`, priceService: 100 })
  const visit = await clinic.call('POST', '/appointments/book', {
    idCustomer,
    idFilial,
    localDate: day,
    coupons: [{ idUser: person.id, localStart: '12:00', services: [{ idService }] }],
  })
  for (const status of ['arrived', 'inProgress'])
    await clinic.call('POST', `/appointments/${visit.id}/status`, { status })
  await page.goto(`/app/calendar/day-sheet?filial=${idFilial}&day=${day}&visit=${visit.id}`)
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
