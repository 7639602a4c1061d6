import type { Locator, Page } from 'playwright/test'
import { expect, holdsFocus, signIn, test, title } from './support.ts'

/** The dashboard: the blocks of each role, and a personal layout. */

const tools = (page: Page, name?: string): Locator =>
  page.getByRole('toolbar', { name: name ? `Блок «${name}»` : /^Блок «/ })

/** Titles of the blocks in their order, while the layout is edited. */
const order = (page: Page): Promise<string[]> =>
  tools(page).evaluateAll((all) => all.map((one) => /«(.*)»/.exec(one.getAttribute('aria-label') ?? '')?.[1] ?? ''))

/** Begins to lay out; the blocks are there once they have been read. */
async function edit(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Настроить', exact: true }).click()
  await expect(tools(page).first()).toBeVisible()
  return order(page)
}

const blockOf = (page: Page, name: string): Locator => tools(page, name).locator('..')

/** Drags a block by its name before another, and lets it go once the place is marked: blocks grow while they are counted. */
async function dragBefore(page: Page, name: string, other: string): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(async () => {
    try {
      await tools(page, name).getByText(name, { exact: true }).hover()
      await page.mouse.down()
      const { x = 0, y = 0 } = (await blockOf(page, other).boundingBox()) ?? {}
      await page.mouse.move(x + 12, y + 60, { steps: 3 })
      await page.mouse.move(x + 4, y + 60)
      await expect(blockOf(page, other)).toHaveAttribute('data-edge', 'left', { timeout: 5_000 })
    } finally {
      await page.mouse.up()
    }
  }).toPass({ timeout: 60_000 })
}

test('the dashboard is laid out by the mouse and by keys, and stays so', async ({ page, clinic }) => {
  const person = await clinic.person({ roles: ['Бухгалтер'] })
  await signIn(page, person)
  await page.goto('/app/')
  const first = await edit(page)
  expect(first.length).toBeGreaterThan(4)
  const [one = '', two = '', three = ''] = first

  // By mouse: later, wider, removed, and added back from the list.
  await page.getByRole('button', { name: `Позже: ${one}`, exact: true }).click()
  await expect.poll(() => order(page)).toEqual([two, one, ...first.slice(2)])
  const width = () => blockOf(page, one).getAttribute('data-width')
  const before = await width()
  await page.getByRole('button', { name: `Ширина: ${one}` }).click()
  await expect.poll(width).not.toBe(before)
  await page.getByRole('button', { name: `Убрать: ${three}`, exact: true }).click()
  await expect(tools(page, three)).toHaveCount(0)
  await page.getByRole('button', { name: 'Добавить блок' }).click()
  await page.getByRole('menuitem', { name: three, exact: true }).click()
  await expect.poll(() => order(page)).toEqual([two, one, ...first.slice(3), three])

  await page.evaluate(() => scrollTo(0, 0))
  await dragBefore(page, one, two)
  const rest = [...first.slice(3), three]
  await expect.poll(() => order(page)).toEqual([one, two, ...rest])

  // By keyboard: there and back, wider, removed. The focus stays with the moved block and is never lost.
  const widen = page.getByRole('button', { name: `Ширина: ${two}` })
  await widen.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => order(page)).toEqual([one, rest[0], two, ...rest.slice(1)])
  await expect(widen).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => order(page)).toEqual([one, two, ...rest])
  await expect(widen).toBeFocused()
  const narrow = await blockOf(page, two).getAttribute('data-width')
  await page.keyboard.press('Enter')
  await expect(blockOf(page, two)).not.toHaveAttribute('data-width', narrow ?? '')
  await page.keyboard.press('Delete')
  await expect(tools(page, two)).toHaveCount(0)
  await holdsFocus(page)
  await page.getByRole('button', { name: 'Добавить блок' }).press('Enter')
  await page.getByRole('menuitem', { name: two, exact: true }).press('Enter')
  const last = [one, ...rest, two]
  await expect.poll(() => order(page)).toEqual(last)
  await page.getByRole('button', { name: 'Готово' }).click()
  await expect(tools(page)).toHaveCount(0)

  // Stored with the account.
  await expect
    .poll(async () => {
      await page.goto('/app/')
      return edit(page)
    })
    .toEqual(last)
  await page.getByRole('button', { name: 'Как у роли' }).click()
  await expect.poll(() => order(page)).toEqual(first)
})

test('a block whose right is gone shows why, and is removed', async ({ page, clinic, complaints }) => {
  // The page repeats its last requests before it learns that the right is gone.
  complaints.allow(/status of 403/)
  const person = await clinic.person({ roles: ['Бухгалтер', 'Кладовщик'] })
  await signIn(page, person)
  await page.goto('/app/')
  // Makes the layout the person's own.
  const name = (await edit(page)).at(-1) as string
  await page.getByRole('button', { name: `Раньше: ${name}`, exact: true }).click()
  await expect(page.getByRole('button', { name: 'Как у роли' })).toBeEnabled()
  await expect(page.getByRole('region', { name: 'Долги и авансы' }).getByText('Обновлено в')).toBeVisible()
  const { items } = await clinic.call(
    'GET',
    `/user-roles?filter[idUser]=${person.id}&filter[idRole]=${await clinic.role('Бухгалтер')}`,
  )
  await clinic.call('DELETE', `/user-roles/${items[0].id}`)
  await page.goto('/app/')
  await expect(page.getByRole('region', { name: 'Долги и авансы' })).toContainText('закрыт вашими правами')
})

test("a colleague's write appears in a block without a reload", async ({ page, clinic }) => {
  await clinic.enter(page, 'Руководитель')
  await page.goto('/app/')
  const block = page.getByRole('region', { name: 'Сделки по этапам' })
  const sum = async () =>
    Number(
      (await block.getByRole('definition').first().getByRole('link').innerText())
        .replace(/[^\d,]/g, '')
        .replace(',', '.'),
    )
  const counted = block.locator('time')
  await expect(counted).toBeVisible()
  const [before, at] = [await sum(), await counted.getAttribute('datetime')]
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await clinic.call('POST', '/sales-management/leads', { title: 'Крупная сделка', price: 70_000_000 })
  await expect.poll(sum).toBeGreaterThanOrEqual(before + 70_000_000)
  await expect(counted).not.toHaveAttribute('datetime', at ?? '')
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
})

/** For each role, blocks of its work. */
const roles: readonly [role: string, blocks: readonly string[]][] = [
  ['Регистратор', ['Мои задачи', 'Новости']],
  ['Оператор колл-центра', ['Звонки и чаты', 'Сделки по этапам', 'Дни рождения']],
  ['Врач', ['Осмотры месяца', 'Больничные', 'Визиты месяца']],
  ['Руководитель', ['Выручка сегодня', 'Выручка с начала месяца', 'План и факт месяца', 'Обращение → оплата']],
  ['Бухгалтер', ['Выручка сегодня', 'Оплаты месяца по способам', 'Долги и авансы']],
  ['Кладовщик', ['Склад']],
  ['Лаборант', ['Лаборатория']],
]

for (const [role, blocks] of roles)
  test(`the dashboard of «${role}» has its own numbers, none over another`, async ({ page, clinic }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await clinic.enter(page, role)
    await page.goto('/app/')
    await expect(title(page, 'Рабочий стол')).toBeVisible()
    for (const name of blocks) await expect(page.getByRole('region', { name })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(page.getByText('закрыт вашими правами')).toHaveCount(0)
    // Report blocks show their time, and link to the report with the same parameters.
    const figures = page.getByRole('region').filter({ hasText: 'Обновлено в', has: page.locator('dl') })
    for (const block of await figures.all())
      await expect(block.getByRole('link').first()).toHaveAttribute('href', /\/app\//)
    const boxes = await page
      .locator('[data-width]')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })),
      )
    const shown = boxes.filter(({ height }) => height > 0)
    for (const [at, a] of shown.entries())
      for (const b of shown.slice(at + 1)) {
        const isApart =
          a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1 || a.y + a.height <= b.y + 1 || b.y + b.height <= a.y + 1
        expect(isApart).toBe(true)
      }
  })

test('the last known figures are shown at once with their time, while the server counts them again', async ({
  page,
  clinic,
}) => {
  await clinic.enter(page)
  await page.goto('/app')
  const block = page.getByRole('region', { name: 'Выручка сегодня' })
  await expect(block.locator('dd').first()).toBeVisible()
  const kept = 'ordinator:figures:dashboard'
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), kept)).toContain('revenueToday')
  // As if the page had been open an hour ago.
  await page.evaluate((key) => {
    const all = JSON.parse(localStorage.getItem(key) as string)
    for (const answer of all.answers) answer.at -= 3_600_000
    localStorage.setItem(key, JSON.stringify(all))
  }, kept)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/dashboard/figures?*', async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  await page.reload()
  await expect(page.getByText(/показатели на \d\d:\d\d, обновляем/)).toBeVisible()
  await expect(block.locator('dd').first()).toBeVisible()
  release()
  await expect(page.getByText(/показатели на/)).toBeHidden()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('when its requests fail the last figures stay with their time, messages are Russian, and it recovers by itself', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 503/)
  await clinic.enter(page)
  await page.goto('/app/')
  const main = page.getByRole('main')
  await expect(title(page, 'Рабочий стол')).toBeVisible()
  await expect(main.locator('[aria-busy="true"]')).toHaveCount(0)
  // The figures are kept a second after the last of them.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.includes('figures'))))
    .toBe(true)
  let failed = 0
  const isData = ({ pathname }: URL) => !/^\/(app|common|auth|socket)\b/.test(pathname)
  await page.route(isData, async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback()
    failed++
    // A proxy without a server behind it answers so.
    await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Service Temporarily Unavailable</h1>' })
  })
  await page.reload()
  await expect(main.getByText(/показатели на .*обновить не удалось/)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Повторить' }).first()).toBeVisible()
  expect(failed).toBeGreaterThan(3)
  expect(await main.innerText()).not.toMatch(/service|unavailable|error|failed|abort/i)

  await page.unroute(isData)
  await expect(main.getByText(/обновить не удалось/)).toHaveCount(0)
  await expect(main.getByRole('button', { name: 'Повторить' })).toHaveCount(0)
})
