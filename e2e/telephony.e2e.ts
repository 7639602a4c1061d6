import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright/test'
import { OutsideCall } from './exchange.ts'
import { expect, signIn, test } from './support.ts'

const unique = () => String(Math.floor(Math.random() * 9_000_000) + 1_000_000)

/** The telephony program of the employee's computer: it answers, stays silent, or answers with garbage. */
async function startPlugin() {
  const requests: { path: string; body: Record<string, unknown> }[] = []
  const plugin = { mood: 'answers' as 'answers' | 'silent' | 'nonsense', requests, url: '', close: () => {} }
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
    if (request.method === 'OPTIONS') return reply.writeHead(204, allowed).end()
    requests.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) })
    if (plugin.mood === 'silent') return
    if (plugin.mood === 'nonsense') return void request.socket.end('это не HTTP\r\n\r\n')
    reply.writeHead(200, allowed).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  plugin.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  plugin.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return plugin
}

/** The setting of this page only: other users have no such program. */
const withPlugin = (page: Page, url: string) =>
  page.route('**/common/get-account', async (route) => {
    const answer = await route.fetch()
    const account = await answer.json()
    account.common.settings.telephonyPlugin = url
    await route.fulfill({ response: answer, json: account })
  })

test('the telephony program of the computer is notified who signs in and out, and delays nobody', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/ERR_INVALID_HTTP_RESPONSE|ERR_EMPTY_RESPONSE/)
  const plugin = await startPlugin()
  try {
    await withPlugin(page, plugin.url)
    const person = await clinic.person({ roles: ['Оператор колл-центра'] })
    await clinic.call('PUT', `/users/${person.id}`, { sipPhone: unique().slice(0, 5) })
    await signIn(page, person)
    for (const mood of ['answers', 'silent', 'nonsense'] as const) {
      plugin.mood = mood
      plugin.requests.length = 0
      await page.goto('/app/live-assist')
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      // Where the browser wants a press before a page connects to the computer.
      await expect(async () => {
        await page.mouse.click(2, 2)
        expect(plugin.requests.length, mood).toBeGreaterThan(0)
      }).toPass()
      const [login] = plugin.requests
      expect(login).toMatchObject({
        path: '/auth/login',
        body: {
          id: person.id,
          token: expect.any(String),
          name: expect.any(String),
          crmUrl: expect.stringMatching(/\/app$/),
        },
      })
      expect(String(login?.body.wsUrl)).toMatch(/^ws.*\/ws$/)
      // Its token opens the card of a call and nothing else.
      expect((await clinic.ask('GET', '/users', undefined, String(login?.body.token))).status).toBe(401)
      await page.goto('/app/journal/calls')
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    }
    plugin.mood = 'answers'
    plugin.requests.length = 0
    await page.getByRole('button', { name: new RegExp(person.fio.split(' ')[0] ?? '') }).click()
    await page.getByRole('menuitem', { name: 'Выйти' }).click()
    await expect.poll(() => plugin.requests.map(({ path }) => path)).toContain('/auth/logout')
    await expect(page.getByLabel('Логин')).toBeVisible()
  } finally {
    plugin.close()
  }
})

test('text typed into the outcome of a call survives its card', async ({ page, clinic }) => {
  const person = await clinic.person({ roles: ['Оператор колл-центра'] })
  const sip = unique().slice(0, 5)
  await clinic.call('PUT', `/users/${person.id}`, { sipPhone: sip })
  const surname = `Договорова${unique()}`
  const phone = `+7907${unique()}`
  await clinic.call('POST', '/customers', { surname, phone })
  const token = await signIn(page, person)
  await page.goto('/app/customers')
  const call = new OutsideCall(phone, sip)
  await call.rings()
  const calls = page.getByRole('region', { name: 'Звонки', exact: true })
  const card = calls.getByRole('article', { name: new RegExp(surname) })
  await expect(card).toBeVisible()
  await call.answered(sip)
  // Long enough to count as a conversation.
  await expect(card).toContainText(/Разговор.*0:(0[6-9]|[1-5]\d)/s)
  await call.hangsUp()
  await expect(card.getByRole('button', { name: 'Чем закончился звонок?' })).toBeVisible()
  await page.keyboard.press('Alt+n')
  const dialog = page.getByRole('dialog', { name: 'Чем закончился звонок?' })
  await dialog.getByRole('radio', { name: 'Записан на приём' }).check()

  // The card disappears: the next poll returns no calls.
  await page.route('**/calls/incoming', (route) => route.fulfill({ json: { items: [] } }))
  const next = new OutsideCall(`+7907${unique()}`, sip)
  await next.rings()
  await expect(card).toBeHidden()
  await expect(dialog.getByRole('radio', { name: 'Записан на приём' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Записать' }).click()
  await expect(dialog).toBeHidden()
  const found = await clinic.ask('GET', `/calls?filter[contactPhone]=${encodeURIComponent(phone)}`, undefined, token)
  await next.hangsUp()
  expect(found.body.items).toMatchObject([{ idOutcome: expect.any(Number) }])
})
