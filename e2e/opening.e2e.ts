import type { Locator, Page, Request } from 'playwright/test'
import { expect, signIn, test } from './support.ts'

/** The requests of a page as it opens. */

const S = '/sales-management'

test('a board reads each list once, and gets changes from before its subscription', async ({ page, clinic }) => {
  const { id } = await clinic.call('POST', `${S}/funnels`, { name: `Открытие ${Date.now()}` })
  const { items: stages } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${id}&sort=order&limit=20`)
  const deal = await clinic.call('POST', `${S}/leads`, { title: 'Старое название', idStage: stages[0].id })
  await clinic.enter(page)

  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && request.resourceType() === 'fetch') asked.push(pathname + search)
  })
  const late: (() => void)[] = []
  await page.routeWebSocket(/\/ws\?token=/, (socket) => {
    const server = socket.connectToServer()
    let isLate = true
    socket.onMessage((message) => (isLate ? void late.push(() => server.send(message)) : server.send(message)))
    late.push(() => {
      isLate = false
    })
  })
  await page.goto(`/app/deals?funnel=${id}`)
  await expect(page.locator('[data-card]').filter({ hasText: 'Старое название' })).toBeVisible()
  await clinic.call('PUT', `${S}/leads/${deal.id}`, { title: 'Новое название' })
  for (const send of late) send()
  await expect(page.locator('[data-card]').filter({ hasText: 'Новое название' })).toBeVisible()

  // Reloads caused by the first change were requested before the second one appears.
  await clinic.call('PUT', `${S}/leads/${deal.id}`, { title: 'Ещё новее' })
  await expect(page.locator('[data-card]').filter({ hasText: 'Ещё новее' })).toBeVisible()
  const lists = asked.filter((path) => path.startsWith(`${S}/leads`) && path.includes('fields=title'))
  expect(lists.filter((path) => path.startsWith(`${S}/leads/grouped?`))).toHaveLength(1)
  // Beside the cards of all columns only the one that has changed, once for each change.
  const again = lists.filter((path) => path.includes(`filter[id][in]=${deal.id}&`))
  expect(again.length, lists.join('\n')).toBeLessThanOrEqual(2)
})

/** Waits until the browser has stored the requests of this address. */
async function remembered(page: Page, path: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), `ordinator:opening:${path}`)).not.toBeNull()
}

/** Requests of an operator's page three seconds after loading: on a slow machine the opening takes longer. */
const LATER = ['/live-assist/presence', '/live-assist/counts']

/** Requests of one opening, and the length of their chain. */
async function openingOf(page: Page, path: string, shown: Locator): Promise<{ calls: string[]; steps: number }> {
  const calls: { path: string; from: number; to: number; steps: number }[] = []
  const isCall = (request: Request) =>
    request.resourceType() === 'fetch' && !LATER.includes(new URL(request.url()).pathname)
  const onRequest = (request: Request) => {
    if (!isCall(request)) return
    const { pathname, search } = new URL(request.url())
    calls.push({ path: pathname + search, from: 0, to: 0, steps: 0 })
  }
  const onFinished = (request: Request) => {
    if (!isCall(request)) return
    const { pathname, search } = new URL(request.url())
    const one = calls.find((call) => call.path === pathname + search && call.to === 0)
    const { startTime, responseEnd } = request.timing()
    if (one) Object.assign(one, { from: startTime, to: startTime + responseEnd })
  }
  page.on('request', onRequest)
  page.on('requestfinished', onFinished)
  await page.goto(path)
  await expect(shown).toBeVisible()
  await page.waitForLoadState('networkidle')
  page.off('request', onRequest)
  page.off('requestfinished', onFinished)
  for (const call of calls.sort((a, b) => a.from - b.from))
    call.steps = 1 + Math.max(0, ...calls.filter(({ to }) => to > 0 && to <= call.from).map(({ steps }) => steps))
  return { calls: calls.map((call) => call.path), steps: Math.max(0, ...calls.map(({ steps }) => steps)) }
}

test('a page that was open before sends six requests at most, in two steps at most', async ({ page, clinic }) => {
  const { id: idFunnel } = await clinic.call('POST', `${S}/funnels`, { name: `Шаги ${Date.now()}` })
  const { items: stages } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=1`)
  await clinic.call('POST', `${S}/leads`, { title: 'Сделка', idStage: stages[0].id })
  const token = await signIn(page, await clinic.person({ roles: ['Полный доступ'] }))
  const own = { headers: { Authorization: `Bearer ${token}` } }
  const board = await (
    await page.request.post('/tasks-management/boards', { ...own, data: { name: `Шаги ${Date.now()}` } })
  ).json()
  const places = [
    { path: `/app/tasks?board=${board.id}`, shown: page.locator('[data-column]').first() },
    { path: `/app/deals?funnel=${idFunnel}`, shown: page.locator('[data-card]').first() },
    { path: '/app/regulations', shown: page.getByRole('heading', { level: 1, name: 'Регламенты' }) },
  ]
  for (const { path, shown } of places) {
    await openingOf(page, path, shown)
    await remembered(page, path)
    // Changes by other tests cause further reads: one quiet opening is enough.
    await expect(async () => {
      const { calls, steps } = await openingOf(page, path, shown)
      expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(6)
      expect(steps, calls.join('\n')).toBeLessThanOrEqual(2)
      expect(new Set(calls).size, calls.join('\n')).toBe(calls.length)
    }).toPass({ timeout: 60_000 })
  }
})

test('the menu is drawn before the server has answered, from its last answer', async ({ page, clinic }) => {
  await signIn(page, await clinic.person({ roles: ['Полный доступ'] }))
  await page.goto('/app/regulations')
  const menu = page.getByRole('navigation', { name: 'Разделы' })
  await expect(menu.getByRole('button', { name: 'Приём' })).toBeVisible()
  let answer: () => void = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/common/get-account', async (route) => {
    await answered
    const response = await route.fetch()
    const account = await response.json()
    account.user.permissions = { viewRegulations: true }
    await route.fulfill({ response, json: account })
  })
  await page.goto('/app/users')
  await expect(menu.getByRole('button', { name: 'Приём' })).toBeVisible()
  answer()
  // Elements that are not allowed any more disappear with the response, also the open page.
  await expect(menu.getByRole('button', { name: 'Приём' })).toBeHidden()
  await expect(page).toHaveURL(/\/error\/403/)
})

test('no data of the person stay in the browser after the sign-out', async ({ page, clinic }) => {
  await signIn(page, await clinic.person({ roles: ['Полный доступ'] }))
  await page.goto('/app/regulations')
  await expect(page.getByRole('heading', { level: 1, name: 'Регламенты' })).toBeVisible()
  await remembered(page, '/app/regulations')
  const keys = () => page.evaluate(() => Object.keys(localStorage))
  expect(await keys()).toContain('ordinator:account')
  await page.getByRole('button', { name: /Проверкин/ }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible()
  expect(await keys()).not.toContain('ordinator:account')
  expect((await keys()).filter((key) => key.startsWith('ordinator:opening'))).toEqual([])
})

test('the code of the text editor is loaded with the first edited field, and not before', async ({ page, clinic }) => {
  const editors: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/assets\/editor-.*\.js$/.test(pathname)) editors.push(pathname)
  })
  await clinic.enter(page)
  for (const path of ['/app', '/app/tasks', '/app/deals', '/app/calendar', '/app/news']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(editors, path).toEqual([])
  }
  await page.goto('/app/news?create=true')
  await expect(page.getByRole('dialog').locator('[contenteditable=true]').first()).toBeVisible()
  expect(editors).not.toEqual([])
})
