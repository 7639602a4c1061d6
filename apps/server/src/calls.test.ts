/** Each call is declared once, in the model, and implemented exactly once by the server, as declared. */
import { type CountedPage, countedPages } from '@ordinator/model/areas/reports/mailing'
import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import { reports } from '@ordinator/model/reports'
import { figuresPath, filePath, rowsPath } from '@ordinator/model/reportWire'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { withReports } from '#areas/reports/index.ts'
import { realtimeOperations } from '#realtime/operations.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { withoutTime } from '#testing/locks.ts'
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

/** Why a call over a period, or of figures, cannot be too long for a request. */
const SHORT: Readonly<Record<string, string>> = {
  '/access-log': 'a page of the journal',
  '/search': 'a page of what is found',
  '/egisz/figures/messages': 'the newest lines of the period',
  '/egisz/figures/events': 'the newest lines of the period',
  '/metrika/counters/:id/upload': 'one file of a year at most',
  '/tasks-management/tasks/calendar/:boardId': 'a page of a board',
  '/appointments/load': 'days of one branch',
  '/appointments/slots': 'a page of free times',
  '/attachment/figures': 'applications of 30 days',
  '/eln/figures': 'sick leaves of 90 days',
  '/customer-plans/figures': 'the newest plans',
  '/sales-management/leads/:id/analytics': 'one deal',
  '/cash-shifts/:id/report': 'one shift',
  '/health-report': 'a line of each part of the server',
  '/dashboard/figures': 'each block answers a refusal of its own',
  '/reports/runs/:id/figures': 'the result of a run',
}
/** A table that each counted page reads. */
const READS: Readonly<Record<CountedPage, string>> = {
  'reports/kpi-analysis': 'kpi_definitions',
  'reports/kpi-analysis/people': 'kpi_definitions',
  'reports/kpi-analysis/mine': 'kpi_definitions',
  'advertising/report': 'advertising_campaigns',
  'expenses/profit': 'ledger_txs',
  'expenses/plan-fact': 'expenses_plans',
  'laboratory/figures': 'laboratory_order_items',
  'service-online/figures': 'service_online',
  'sales-management/funnels/:id/analytics': 'sales_management_lead_visits',
  'warehouse/balance': 'warehouse_moves',
  'egisz/figures': 'egisz_semds',
  'metrika/report': 'sales_management_requests',
}

it('no figures are too long for a request: those of a period are a report or counted in the background', async () => {
  const pages = areas.flatMap(({ counts = [] }) => counts.map(({ key }) => key))
  expect(pages.toSorted()).toEqual(Object.keys(countedPages).toSorted())
  const counted = new Set([
    ...pages.map((key) => `/${key}`),
    ...reports.flatMap((report) => [figuresPath(report), rowsPath(report), filePath(report)]),
  ])
  const asksFor = ({ method, path, query }: Call) => {
    const names = Object.keys((query as z.ZodObject | undefined)?.shape ?? {})
    const has = (...ends: string[]) => ends.some((name) => names.includes(name))
    const isPeriod = has('from', 'dateStart') && has('to', 'until', 'dateEnd')
    return method === 'GET' && (isPeriod || /figures|analytics|report\b(?!s)|balance|profit|plan-fact/.test(path))
  }
  const long = everyCall.filter(asksFor).map(({ path }) => path)
  expect(long.filter((path) => !counted.has(path)).toSorted()).toEqual(Object.keys(SHORT).toSorted())

  const admin = clinic.as('admin')
  const [day, month] = ['2026-01-01', '2026-01']
  const period: Record<string, string> = {
    'reports/kpi-analysis': `month=${month}`,
    'reports/kpi-analysis/people': `month=${month}`,
    'reports/kpi-analysis/mine': '',
    'expenses/profit': `from=${month}&to=${month}`,
    'expenses/plan-fact': `from=${month}&to=${month}`,
    'sales-management/funnels/:id/analytics': `dateStart=${day}&dateEnd=${day}`,
  }
  const funnel = good(await admin.get('/sales-management/funnels?limit=1')).items[0].id
  /** Without what time alone changes. */
  const shown = (answer: unknown) =>
    JSON.stringify(answer, (name, value) => (['passed', 'asked'].includes(name) ? undefined : value))
  const wrong: string[] = []
  for (const [key, table] of Object.entries(READS)) {
    const path = `/${key.replace(':id', funnel)}?${period[key] ?? `from=${day}&to=${day}`}`
    const quick = good(await admin.get(path))
    const { run } = good(await withoutTime(clinic.db, table, () => admin.get(path)))
    if (typeof run === 'number') {
      await clinic.context.jobs.run('reports.run', { id: run })
      if (shown(good(await admin.get(path))) === shown(quick)) continue
    }
    wrong.push(key)
  }
  expect(wrong).toEqual([])
})
