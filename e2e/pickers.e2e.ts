import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { expect, holdsFocus, test } from './support.ts'

/** What opens at a press and takes an answer: lists, menus, calendars, panels. */
const PICKERS = '[role="combobox"]:enabled, [aria-haspopup]:enabled'

interface Place {
  name: string
  at(world: World): string
  /** From the page to the frame: what is pressed, one after another. */
  open?: string | RegExp | readonly (string | RegExp)[]
  /** Pickers stand on the page itself, and not in what opens over it. */
  isPage?: true
  /** The picker that comes last: with it all are there. */
  last: string | RegExp
}

const task = ({ board, card }: World) => `/app/tasks?board=${board}&assignedColumn=${card}`
const cash = ({ cashDesk }: World) => `/app/cash?desk=${cashDesk}`
const chat = ({ chat: id }: World) => `/app/live-assist?chat=${id}`
const places: readonly Place[] = [
  { name: 'задача', at: task, last: 'Метки: изменить' },
  { name: 'фильтры', at: ({ board }) => `/app/tasks?board=${board}`, open: /^Фильтры/, last: 'Состояние' },
  { name: 'напоминание', at: task, open: 'Напомнить', last: 'Повторять' },
  { name: 'сделка', at: ({ funnel, lead }) => `/app/deals?funnel=${funnel}&lead=${lead}`, last: 'Компания' },
  {
    name: 'регламент',
    at: ({ regulations }) => `/app/regulations?id=${regulations.draft}&mode=edit`,
    open: 'Развернуть все',
    last: 'Утверждают',
  },
  { name: 'обращение', at: () => '/app/journal/appeals?open=new', last: 'Филиал' },
  { name: 'клиент', at: () => '/app/customers?open=new', last: 'Пол' },
  {
    name: 'новая запись',
    at: ({ filial, day }) => `/app/calendar?filial=${filial}&day=${day}&book=1`,
    last: /^Пациент/,
  },
  {
    name: 'запись',
    at: ({ filial, day, visit }) => `/app/calendar?filial=${filial}&day=${day}&visit=${visit}`,
    last: /^Услуга: /,
  },
  { name: 'оплата', at: cash, open: 'Принять оплату', last: /^Клиент/ },
  { name: 'сертификат', at: cash, open: ['Смена', 'Продать сертификат…'], last: /^Кто покупает/ },
  { name: 'новый осмотр', at: () => '/app/examinations?open=new', last: /^Шаблон/ },
  {
    name: 'осмотр',
    at: ({ examination }) => `/app/examinations/${examination}`,
    isPage: true,
    last: 'Добавить диагноз',
  },
  { name: 'план', at: ({ plans }) => `/app/customer-plans/${plans.draft}`, isPage: true, last: /^Добавить услугу: / },
  { name: 'скидка', at: () => '/app/discount/create', isPage: true, last: /^Вид/ },
  { name: 'чат: передача', at: chat, open: ['Ещё действия с чатом', 'Передать…'], last: /^Кому/ },
  { name: 'чаты: отбор', at: () => '/app/live-assist', open: 'Отбор', last: /Оператор/ },
]
const newerPlaces: readonly Place[] = [
  { name: 'лист ожидания', at: () => '/app/calendar/waiting-list?open=new', last: 'Срочность' },
  { name: 'новый план', at: () => '/app/reports/customer-plans?open=new', last: 'Филиал' },
  { name: 'услуга', at: () => '/app/services?open=new', last: 'Вид' },
  { name: 'шаблон сообщения', at: () => '/app/templates?open=new', last: 'Услуги' },
  { name: 'шаблон печати', at: () => '/app/settings/print-templates?open=new', last: 'Вид' },
  { name: 'касса', at: () => '/app/settings/cash-desks?open=new', last: 'Терминал' },
  { name: 'сотрудник', at: () => '/app/users?open=new', last: 'Роли' },
  { name: 'филиал', at: () => '/app/settings/filials/create', isPage: true, last: 'Часовой пояс' },
  { name: 'условия списка', at: () => '/app/users', open: 'Фильтр', last: 'Сравнение' },
]

for (const [where, all] of Object.entries({
  'over the day’s work': places,
  'in registries and new records': newerPlaces,
}))
  test(`Escape closes the innermost open thing only, whatever picker stands open ${where}`, async ({
    page,
    clinic,
  }) => {
    const { person, token } = await clinic.enter(page)
    const world = await makeWorld(clinic, person, token)
    for (const { name, at, open, isPage, last } of all)
      await test.step(name, async () => {
        await page.goto(at(world))
        await press(page, [open ?? []].flat())
        const frames = isPage ? page.getByRole('main') : page.getByRole('dialog')
        await expect(
          frames
            .locator(PICKERS)
            .and(page.getByLabel(last, { exact: true }))
            .first(),
        ).toBeVisible()
        const address = page.url()
        const frame = frames.nth((await frames.count()) - 1)
        // Nothing of it stands beyond its own edge.
        expect(await frame.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(1)
        await walk(page, frame)
        expect(page.url()).toBe(address)
      })
  })

async function press(page: Page, names: readonly (string | RegExp)[] = []): Promise<void> {
  for (const name of names)
    await page.getByRole('button', { name }).or(page.getByRole('menuitem', { name })).first().click()
}

/**
 * Opens and leaves each picker of the frame, and those of what it opens. Each is known by a mark of its own: by its place
 * it would be another one as soon as something before it comes late. Those that come late are walked too.
 */
async function walk(page: Page, frame: Locator, isInner = false): Promise<void> {
  for (;;) {
    const name = await frame.locator(PICKERS).evaluateAll((all) => {
      const next = all.find((one) => !one.hasAttribute('data-walked') && (one as HTMLElement).offsetParent !== null)
      const fresh = next && crypto.randomUUID()
      if (fresh) next.setAttribute('data-walked', fresh)
      return fresh
    })
    if (name === undefined) return
    const picker = frame.locator(`[data-walked="${name}"]`)
    // Drawn anew since: it stands among those that come late.
    if (!(await picker.isVisible())) continue
    await test.step(await nameOf(picker), async () => {
      const dialogs = await page.getByRole('dialog').count()
      await picker.click()
      await expect.poll(() => stateOf(picker)).not.toBe('closed')
      // A window of the editor's own knows the key only while the focus is within, and what has closed before it may
      // have given the focus back elsewhere.
      if ((await picker.getAttribute('title')) === 'Ссылка') {
        await expect(page.getByRole('textbox', { name: 'Адрес ссылки' })).toBeFocused()
        await picker.focus()
      }
      if (!isInner && (await page.getByRole('dialog').count()) > dialogs)
        await walk(page, page.getByRole('dialog').nth(dialogs), true)
      await page.keyboard.press('Escape')
      await expect.poll(() => stateOf(picker)).not.toBe('open')
      await expect(frame).toBeVisible()
    })
  }
}

const nameOf = (picker: Locator): Promise<string> =>
  picker.evaluate((one) => one.ariaLabel ?? (one as HTMLInputElement).labels?.[0]?.textContent ?? one.textContent ?? '')

/** What is drawn anew, as an answer comes, has lost its mark: it is walked once more. */
const stateOf = async (picker: Locator): Promise<'open' | 'closed' | 'anew'> =>
  (await picker.count()) === 0 ? 'anew' : (await picker.getAttribute('aria-expanded')) === 'true' ? 'open' : 'closed'

test('an Escape from elsewhere in a dialog closes its open menu, and the dialog stays', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  await page.goto(task(world))
  const card = page.getByRole('dialog', { name: /Обзвонить/ })
  const opener = card.getByRole('button', { name: 'Действия с пунктом «Первый»' })
  const menu = page.getByRole('menu')
  await opener.click()
  await expect(menu).toBeVisible()
  await card.getByRole('button', { name: 'Исполнители: изменить' }).focus()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(card).toBeVisible()
})

test('Enter takes the top match, the best first; the focus is never on the page', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  const { mark } = world
  const sought = `Павлов${mark}`
  for (const surname of [`${sought}ич`, `Кар${sought}`, sought])
    await clinic.call('POST', '/users', { login: randomUUID(), surname, name: 'Пётр' })
  await page.goto(`/app/deals?funnel=${world.funnel}&lead=${world.lead}`)
  const people = page.getByRole('combobox', { name: 'Добавить ответственного' })
  await people.fill(sought)
  // Before the options are there.
  await people.press('Enter')
  await expect(page.getByRole('button', { name: `Снять: ${sought} П.` })).toBeVisible()

  await page.goto(task(world))
  const card = page.getByRole('dialog', { name: /Обзвонить/ })
  const opener = card.getByRole('button', { name: 'Исполнители: изменить' })
  await opener.click()
  const search = page.getByRole('textbox', { name: /Исполнители: поиск/ })
  const colleague = card.getByRole('button', { name: /^Убрать: Соседов/ })
  for (const count of [0, 1]) {
    await search.fill('Сосед')
    await search.press('Enter')
    await expect(search).toHaveValue('')
    await expect(colleague).toHaveCount(count)
  }
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()

  // What goes takes the focus along; what stands in its place, or around it, gets it.
  for (const [gone, next] of [
    ['Действия с пунктом «Первый»', 'Действия с пунктом «Второй»'],
    ['Действия с вариантом «Море»', 'Действия с вариантом «Лес»'],
    ['Действия с файлом «Снимок.png»', 'Прикрепить'],
  ] as const) {
    await card.getByRole('button', { name: gone }).press('Enter')
    await page.getByRole('menuitem', { name: 'Удалить' }).press('Enter')
    await expect(card.getByRole('button', { name: next, exact: true })).toBeFocused()
  }
  await colleague.press('Enter')
  await expect(opener).toBeFocused()
  await card.getByRole('button', { name: 'Ответить' }).press('Enter')
  await expect(card.getByRole('textbox', { name: /Ответ/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card.getByRole('button', { name: 'Ответить' })).toBeFocused()
})

interface Search {
  name: string
  at(world: World): string
  open?: readonly (string | RegExp)[]
  picker: string | RegExp
  /** What tells that the best of them has been taken; the picker's own words unless told. */
  taken?(page: Page, sought: string): Locator
  /** What comes next has the focus, and not the picker. */
  leads?: true
}

const searches: readonly Search[] = [
  {
    name: 'новая запись: пациент',
    at: ({ filial, day }) => `/app/calendar?filial=${filial}&day=${day}&book=1`,
    picker: /^Пациент/,
    taken: (page, sought) => page.getByRole('dialog').getByText(`${sought} Пётр`, { exact: true }),
    leads: true,
  },
  { name: 'оплата: клиент', at: cash, open: ['Принять оплату'], picker: /^Клиент/ },
  { name: 'сертификат: кто покупает', at: cash, open: ['Смена', 'Продать сертификат…'], picker: /^Кто покупает/ },
  { name: 'новый осмотр: клиент', at: () => '/app/examinations?open=new', picker: /^Клиент/ },
  { name: 'чат: кому передать', at: chat, open: ['Ещё действия с чатом', 'Передать…'], picker: /^Кому/ },
  {
    name: 'план: услуга',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    picker: /^Добавить услугу: /,
    taken: (page, sought) => page.getByRole('main').getByText(sought, { exact: true }),
  },
]

test('in the newer areas too Enter takes the top match before its options are there, and the focus stays', async ({
  page,
  clinic,
}) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  const sought = `Павлов${world.mark}`
  // The best is not the first of them by any order of a list.
  for (const word of [`${sought}ич`, `Кар${sought}`, sought]) {
    await clinic.call('POST', '/customers', { surname: word, name: 'Пётр' })
    await clinic.call('POST', '/services', { nameService: word, priceService: 100 })
    const { id } = await clinic.call('POST', '/users', { login: randomUUID(), surname: word, name: 'Пётр' })
    await clinic.call('PUT', `/users/${id}`, { isLiveAssist: true })
  }
  for (const { name, at, open, picker, taken, leads } of searches)
    await test.step(name, async () => {
      await page.goto(at(world))
      await press(page, open)
      const field = page.getByRole('combobox', { name: picker }).last()
      // Nothing is found, and nothing is sent.
      await field.fill(`Нет${sought}`)
      await field.press('Enter')
      await expect(field).toBeFocused()
      await field.fill(sought)
      await field.press('Enter')
      if (taken) await expect(taken(page, sought).first()).toBeVisible()
      else await expect(field).toHaveValue(new RegExp(`^${sought} `))
      if (!leads) await expect(field).toBeFocused()
      await holdsFocus(page)
    })

  await test.step('чат: быстрые ответы и упоминания', async () => {
    const { mark } = world
    for (const code of [`да_${mark}_потом`, `да_${mark}`])
      await clinic.call('POST', '/live-assist/suggestions', { name: `Ответ ${code}`, code, text: `Текст ${code}.` })
    await page.goto(chat(world))
    const answer = page.getByRole('textbox', { name: 'Ответ посетителю' })
    await answer.fill(`/да_${mark}`)
    const list = page.getByRole('listbox', { name: 'Быстрые ответы' })
    await expect(list.getByRole('option')).toHaveCount(2)
    await answer.press('Escape')
    await expect(list).toBeHidden()
    await expect(answer).toHaveValue(`/да_${mark}`)
    await expect(answer).toBeFocused()
    await answer.fill('')
    await answer.fill(`/да_${mark}`)
    await expect(list).toBeVisible()
    await answer.press('Enter')
    await expect(answer).toHaveValue(`Текст да_${mark}.`)

    await page.getByText('Заметка', { exact: true }).click()
    const note = page.getByRole('textbox', { name: 'Заметка для коллег' })
    await note.fill('')
    await note.pressSequentially(`Спроси @${sought}`)
    await expect(page.getByRole('listbox', { name: 'Кого упомянуть' }).getByRole('option').first()).toBeVisible()
    await note.press('Enter')
    await expect(note).toHaveValue(`Спроси @${sought} П. `)
    await expect(note).toBeFocused()
    await note.fill('')
  })
})

test('a day is typed in words wherever one is asked for; the calendar stands under its field and marks today', async ({
  page,
  clinic,
}) => {
  await clinic.enter(page)
  const dayFromNow = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toLocaleDateString('ru-RU', { timeZone: 'Europe/Moscow' })
  for (const address of ['calendar/waiting-list?open=new', 'reports/customer-plans?open=new', 'discount/create'])
    await test.step(address, async () => {
      await page.goto(`/app/${address}`)
      const isPage = !address.includes('open=')
      const frame = isPage ? page.getByRole('main') : page.getByRole('dialog')
      const field = frame.getByPlaceholder('ДД.ММ.ГГГГ').first()
      for (const [words, days] of [
        ['завтра', 1],
        ['через неделю', 7],
        ['сегодня', 0],
      ] as const) {
        await field.fill(words)
        await field.blur()
        await expect(field).toHaveValue(dayFromNow(days))
      }
      await field.press('Alt+ArrowDown')
      const today = page.locator('[aria-current="date"]')
      await expect(today).toBeVisible()
      await expect(today).toHaveText(String(Number(dayFromNow(0).slice(0, 2))))
      const [its, popup] = await Promise.all([field.boundingBox(), page.getByRole('table').last().boundingBox()])
      if (!its || !popup) throw new Error('Nothing stands there')
      // Under it, or over it where there is no room below; never beside.
      expect(popup.y > its.y + its.height || popup.y + popup.height < its.y).toBe(true)
      expect(Math.abs(popup.x - its.x)).toBeLessThan(60)
      await page.keyboard.press('Escape')
      await expect(today).toBeHidden()
    })
})
