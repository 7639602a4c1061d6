import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { expect, test } from './support.ts'

/** What opens at a press and takes an answer: lists, menus, calendars, panels. */
const PICKERS = '[role="combobox"]:enabled, [aria-haspopup]:enabled'

interface Place {
  name: string
  at(world: World): string
  /** From the page to the frame. */
  open?: string | RegExp
  /** The picker that comes last: with it all are there. */
  last: string | RegExp
}

const task = ({ board, card }: World) => `/app/tasks?board=${board}&assignedColumn=${card}`
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
  { name: 'условия списка', at: () => '/app/users', open: 'Фильтр', last: 'Сравнение' },
]

test('Escape closes the innermost open thing only, whatever picker stands open', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  for (const { name, at, open, last } of places)
    await test.step(name, async () => {
      await page.goto(at(world))
      if (open) await page.getByRole('button', { name: open }).first().click()
      const inFrame = page
        .getByRole('dialog')
        .locator(PICKERS)
        .and(page.getByLabel(last, { exact: true }))
      await expect(inFrame.first()).toBeVisible()
      await walk(page, page.getByRole('dialog').nth((await page.getByRole('dialog').count()) - 1))
    })
})

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
    await test.step((await picker.getAttribute('aria-label')) ?? 'picker', async () => {
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

/** What is drawn anew, as an answer comes, has lost its mark: it is walked once more. */
const stateOf = async (picker: Locator): Promise<'open' | 'closed' | 'anew'> =>
  (await picker.count()) === 0 ? 'anew' : (await picker.getAttribute('aria-expanded')) === 'true' ? 'open' : 'closed'

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
