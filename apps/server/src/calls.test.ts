/** Each call is declared once, in the model, and implemented exactly once by the server, as declared. */
import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withReports } from '#areas/reports/index.ts'
import { realtimeOperations } from '#realtime/operations.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { areas } from './areas.ts'

const operations = [
  ...realtimeOperations(() => {
    throw new Error('not asked')
  }),
  ...areas.map(withReports).flatMap((area) => area.operations ?? []),
]
const nameOf = ({ method, path }: Call) => `${method} ${path}`
const named = (calls: readonly Call[]) => calls.map(nameOf).toSorted()

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
})
afterAll(() => clinic.close())

it('every declared call is implemented once, and nothing else is', () => {
  expect(named(operations)).toEqual(named(everyCall))
})

/** Called by other programs, which add parameters of their own: unknown ones are ignored. */
const OPEN = new Set([
  'GET /live-assist/widget.js',
  'GET /live-assist/channels/:key/updates',
  'POST /live-assist/channels/:key/updates',
  'GET /intake/:key/form',
  'POST /intake/:key',
  'POST /intake/:key/form',
  'GET /calendar-feed/:file',
  'POST /news/intake/:key',
  'POST /egisz/callback',
  'POST /telephony/mango/events/:kind',
  'POST /telephony/zadarma',
  'POST /yookassa/notices',
  'POST /sms/statuses/:provider',
])

it('a parameter of the address that a call does not know is refused and named', async () => {
  const admin = clinic.as('admin')
  const cookies = await patient()
  const wrong: string[] = []
  for (const call of everyCall) {
    const caller = call.access === 'public' ? clinic.anonymous : admin
    const url = `${call.path.replace(/:\w+/g, '1')}?unheardOf=1`
    const answer = await caller.call(call.method, url, call.method === 'GET' ? undefined : {}, { cookies })
    const refused = answer.status === 400 && answer.body?.message === 'Неизвестный параметр: unheardOf'
    if (refused === OPEN.has(nameOf(call))) wrong.push(`${nameOf(call)}: ${answer.status} ${answer.text.slice(0, 120)}`)
  }
  expect(wrong).toEqual([])
})

/** Session cookie of a signed-in demo patient: the portal authenticates before it reads a request. */
async function patient(): Promise<Record<string, string>> {
  const { demo } = good(await clinic.anonymous.get('/portal/start'))
  const phone = demo[0].phone as string
  good(await clinic.anonymous.post('/portal/code', { phone }), 202)
  await clinic.context.jobs.drain()
  const { code } = good(await clinic.anonymous.get(`/portal/demo-code?phone=${encodeURIComponent(phone)}`))
  const { headers } = await clinic.anonymous.post('/portal/session', { phone, code })
  const [, cookie] = /ordinator_patient=([\w-]+)/.exec(String(headers['set-cookie'])) ?? []
  if (!cookie) throw new Error('The patient was not let in')
  return { ordinator_patient: cookie }
}

/** Journals that the law wants of each refused sign-in; their calls have limits of their own. */
const KEPT = new Set(['access_log'])

it('a call without a session that is refused writes nothing after the first time', async () => {
  good(await clinic.as('admin').put('/settings/common', { egiszCallbackToken: 'the key of the register' }))
  const headers = { authorization: 'Bearer another key', 'x-signature': 'sha256=00' }
  const calls = everyCall.filter(({ access }) => access === 'public')
  const refuse = async (): Promise<string[]> => {
    const refused: string[] = []
    for (const call of calls) {
      const url = call.path.replace(/:\w+/g, 'aBcDeFgHiJkLmNoPqRsT0123')
      const { status } = await clinic.anonymous.call(call.method, url, call.method === 'GET' ? undefined : {}, {
        headers,
      })
      if (status >= 400) refused.push(nameOf(call))
    }
    return refused
  }
  const refused = await refuse()
  expect(refused).toEqual(expect.arrayContaining(['POST /egisz/callback', 'POST /auth/login']))
  const before = await rowCounts()
  await refuse()
  await refuse()
  const after = await rowCounts()
  expect([...after].filter(([table, rows]) => rows !== before.get(table) && !KEPT.has(table))).toEqual([])
})

/** Rows of each table of the clinic. */
async function rowCounts(): Promise<Map<string, number>> {
  const tables = await clinic.db.query<{ name: string }>({
    text: `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`,
  })
  const text = tables
    .map(({ name }) => `select '${name}' as name, count(*)::int as rows from "${name}"`)
    .join(' union all ')
  return new Map(
    (await clinic.db.query<{ name: string; rows: number }>({ text })).map(({ name, rows }) => [name, rows]),
  )
}
