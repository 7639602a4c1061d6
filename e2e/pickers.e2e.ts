import type { Locator, Page } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { cash, chat, press, task } from './places.ts'
import { expect, test } from './support.ts'

/** Elements that open on a press and take an answer: lists, menus, calendars, panels. */
const PICKERS = '[role="combobox"]:enabled, [aria-haspopup]:enabled'

interface Place {
  name: string
  at(world: World): string
  /** Elements to click in order, from the page to the frame. */
  open?: string | RegExp | readonly (string | RegExp)[]
  /** True when the pickers are on the page itself rather than in an overlay. */
  isPage?: true
  /** The picker that renders last. */
  last: string | RegExp
}

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
  test(`Escape closes the innermost open thing only, whichever picker is open ${where}`, async ({ page, clinic }) => {
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
        // Nothing overflows its edge.
        expect(await frame.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(1)
        await walk(page, frame)
        expect(page.url()).toBe(address)
      })
  })

/**
 * Opens and closes each picker of the frame, including nested ones. Pickers are identified by a mark, as late rendering
 * changes their positions. Late ones are visited, too.
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
    // Rendered again since: visited with the late ones.
    if (!(await picker.isVisible())) continue
    await test.step(await nameOf(picker), async () => {
      const dialogs = await page.getByRole('dialog').count()
      await picker.click()
      await expect.poll(() => stateOf(picker)).not.toBe('closed')
      // The editor's own popup closes only while it is focused, and a former popup may have moved the focus.
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

/** An element rendered again has lost its mark: visited once more. */
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
