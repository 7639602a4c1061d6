/** Every report: a figure equals its rows, totals are counted and not summed, and the file is equal. */
import { type IndicatorDeclaration, indicators } from '@ordinator/model/areas/kpi/indicators'
import { measureAt, measures, shownInCatalogue } from '@ordinator/model/measures'
import { columnsOf, isTimeUnit, type Measure, type Report } from '@ordinator/model/report'
import type { ReportFigures, ReportGroupRow, ReportRows } from '@ordinator/model/reportCalls'
import { reports } from '@ordinator/model/reports'
import { figuresPath, filePath, rowsPath } from '@ordinator/model/reportWire'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixMonths } from '#areas/kpi/index.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { liveDays, rolledSources, rollUp } from './rollups.ts'

const MOST_PASSES = 20

let clinic: Clinic
let admin: Caller
const people: Record<string, Caller> = {}
const today = dayIn('Europe/Samara', Date.now())
const [from, until] = [plusDays(today, -4), today]

beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
  // A fact of a restricted card counts and does not name it: opened, so that rows can be counted by patients here.
  const closed = await clinic.db.query<{ id: number }>({
    text: `select "id" from customers where "secretLevel" <> 'none'`,
  })
  for (const { id } of closed) good(await admin.post(`/customers/${id}/open`, { reason: 'Сверка отчётов' }), 204)
  // Figures come from rollups if available, rows from the facts: both are compared below. Rollups end before the day of UTC.
  await rolledUp(clinic)
  for (const source of rolledSources(clinic.context))
    expect(await liveDays(clinic.db, source, { from, until: plusDays(dayIn('UTC', Date.now()), -1) })).toEqual([])
})
afterAll(() => clinic.close())

/** A pass ends after a minute and the next one continues, so that a busy machine needs several. */
async function rolledUp({ context, db }: Clinic): Promise<void> {
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    await rollUp(context)
    const [left] = await db.query<{ days: number }>({
      text: 'select count(*)::int as days from report_rollup_days where "dirty" is not null and "day" < current_date',
    })
    if (left?.days === 0) return
  }
}

const query = (asked: Record<string, unknown>) => {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(asked))
    for (const one of [value].flat()) if (one !== undefined) text.append(name, String(one))
  return `?${text}`
}

const figuresOf = async (report: Report, asked: Record<string, unknown>): Promise<ReportFigures> =>
  good(await admin.get(`${figuresPath(report)}${query(asked)}`))

/** Rows from the database, with the hidden fields that figures use. */
async function rowsBehind(report: Report, asked: Record<string, unknown>): Promise<ReportRows> {
  const all: ReportRows['items'] = []
  for (let page = 1; ; page++) {
    const rows: ReportRows = good(await admin.get(`${rowsPath(report)}${query({ ...asked, page, limit: 200 })}`))
    all.push(...rows.items)
    if (!rows.hasMore) return { ...rows, items: all }
  }
}

const rowsTotal = async (report: Report, asked: Record<string, unknown>): Promise<ReportRows['values']> =>
  good(await admin.get(`${rowsPath(report)}${query({ ...asked, limit: 1 })}`)).values

/** A figure recomputed from the rows; undefined if it needs a field that rows do not show. */
function countedOf(report: Report, measure: Measure, rows: ReportRows['items']): number | null | undefined {
  const shown = new Set(columnsOf(report).map(([name]) => name))
  if (measure.kind === 'ratio') {
    const [top, bottom] = measure.of.map((name) => countedOf(report, report.measures[name] as Measure, rows))
    if (top === undefined || bottom === undefined) return undefined
    return !bottom || top === null ? null : top / bottom
  }
  if (measure.of !== undefined && !shown.has(measure.of)) return undefined
  const values = measure.of === undefined ? [] : rows.map((row) => row[measure.of as string] ?? null)
  if (measure.kind === 'count') return measure.of ? values.filter(Boolean).length : rows.length
  if (measure.kind === 'sum')
    return values.reduce<number>((sum, one) => sum + Math.round(Number(one ?? 0) * 100), 0) / 100
  const known = values.filter((one) => one !== null)
  if (measure.kind === 'distinct') return new Set(known).size
  const sorted = known.map(Number).toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  const at = measure.at * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number]
  return low + (high - low) * (at - Math.floor(at))
}

/** The last days; more weeks where they have no facts, so that the check is not empty. */
const periods = new Map<string, { from?: string; until?: string }>()
async function periodOf(report: Report): Promise<{ from?: string; until?: string }> {
  const known = periods.get(report.key)
  if (known) return known
  const spans = report.isNow ? [{}] : [4, 40].map((days) => ({ from: plusDays(today, -days), until }))
  for (const span of spans) {
    const { total } = good(await admin.get(`${rowsPath(report)}${query({ ...span, limit: 1 })}`)) as ReportRows
    if (total === 0) continue
    periods.set(report.key, span)
    return span
  }
  throw new Error(`${report.key}: the demo clinic has no facts for it`)
}

describe.each(reports.map((one) => [one.key, one] as const))('report %s', (_, report) => {
  const period = report.isNow ? {} : { from, until }
  const byOther = report.by[0] ?? report.first[0] ?? ''

  it('counts each figure from exactly the rows that it opens', async () => {
    const figures = await figuresOf(report, {
      ...(await periodOf(report)),
      by: [byOther, ...(report.isNow ? [] : ['week'])].slice(0, 2).join(),
    })
    const [small, ...rest] = figures.groups.filter(({ level }) => level > 0)
    const groups = [figures.total, ...(small ? [small] : []), ...rest.slice(-1)]
    for (const group of groups)
      for (const [name, measure] of Object.entries(report.measures)) await holds(group, name, measure)
  })

  it('counts so by each of its parameters, and in one branch', async () => {
    const span = await periodOf(report)
    const [{ id: filial }] = good(await admin.get('/filials?limit=1&sort=id')).items
    const asked: Record<string, unknown>[] = [
      ...Object.entries(report.parameters ?? {}).flatMap(([name, { labels }]) =>
        Object.keys(labels).map((value) => ({ [name]: value })),
      ),
      ...(report.noFilial ? [] : [{ filial }]),
    ]
    for (const more of asked) {
      const { total } = await figuresOf(report, { ...span, ...more })
      for (const [name, measure] of Object.entries(report.measures)) await holds(total, name, measure, more)
    }
  })

  async function holds(
    group: ReportGroupRow,
    name: string,
    measure: Measure,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const { from: first, until: last, is } = group.rows
    const bounds = { ...more, ...(report.isNow ? { is } : { from: first, until: last, is }) }
    const rows = await rowsBehind(report, { ...bounds, measure: name })
    const figure = group.values[name] ?? null
    const which = `${report.key}.${name} of ${JSON.stringify(group.key)}`
    expect(rows.values[name], which).toBe(figure)
    if (!report.isNow) expectWithin(report, rows, first, last)
    expect(rows.items.length, which).toBe(rows.total)
    const counted = countedOf(report, measure, rows.items)
    if (counted === null) expect(figure ?? 0, which).toBe(0)
    else if (counted !== undefined) expect(figure, which).toBeCloseTo(counted, measure.kind === 'sum' ? 6 : 1)
  }

  /** Checks that rows are in the period by the time zone of their branch; for money by the day of the shift. */
  function expectWithin({ fields, key, group }: Report, { items }: ReportRows, first: string, last: string) {
    for (const { day, at, _zone } of items) {
      if (day !== undefined) expect(String(day) >= first && String(day) <= last, key).toBe(true)
      if (fields.at?.type !== 'moment' || group === 'money' || !_zone || !at) continue
      const own = dayIn(String(_zone), Date.parse(String(at)))
      expect(own >= first && own <= last, `${key}: ${at} of ${first}–${last}`).toBe(true)
    }
  }

  it('adds up: groups of a sum equal its total, also by day', async () => {
    if (report.isNow) return
    const { total, groups } = await figuresOf(report, { from, until, by: 'day' })
    for (const [name, { kind }] of Object.entries(report.measures)) {
      if (kind !== 'sum' && kind !== 'count') continue
      const sum = groups.reduce((all, { values }) => all + Math.round((values[name] ?? 0) * 100), 0)
      expect(sum, name).toBe(Math.round((total.values[name] ?? 0) * 100))
    }
    for (const { key, rows } of groups) expect([rows.from, rows.until]).toEqual([key[0], key[0]])
  })

  it('requires its permissions, and is offered to their holders', async () => {
    let closed = 0
    for (const login of ['nurse', 'storekeeper', 'registrar', 'accountant']) {
      const person = (people[login] ??= clinic.as(login))
      const offered: { items: { key: string }[] } = good(await person.get('/reports'))
      const isOffered = offered.items.some(({ key }) => key === report.key)
      const { status } = await person.get(`${figuresPath(report)}${query(period)}`)
      expect(status, login).toBe(isOffered ? 200 : 403)
      if (!isOffered) closed++
    }
    expect(closed).toBeGreaterThan(0)
  })

  it('gives the same by file', async () => {
    const { total } = await figuresOf(report, { ...period, by: byOther })
    const csv = await admin.get(`${filePath(report)}${query({ ...period, by: byOther, format: 'csv' })}`)
    expect(csv.status).toBe(200)
    const last = csv.text.trim().split('\r\n').at(-1)?.split(';') ?? []
    expect(last[0]).toBe('Итого')
    const [name, { unit }] = Object.entries(report.measures)[0] as [string, Measure]
    const value = total.values[name]
    if (value !== null && unit !== 'share') expect(last[1]).toBe(String(value).replace('.', ','))
    const rows = await admin.get(`${filePath(report)}${query({ ...period, what: 'rows', format: 'csv' })}`)
    expect(rows.status).toBe(200)
    expect(rows.text).toContain(columnsOf(report)[0]?.[1].label)
  })

  it('groups by all it offers, and compares with the period before', async () => {
    for (const name of report.by) {
      const { groups } = await figuresOf(report, {
        ...period,
        by: name,
        compare: report.isNow ? undefined : 'previous',
      })
      for (const { names, key } of groups.slice(0, 5))
        if (report.fields[name]?.of && key[0] !== null) expect(names[0], `${name} ${key}`).not.toBeNull()
    }
    expect(report.first.every((name) => isTimeUnit(name) || name === 'filial' || report.by.includes(name))).toBe(true)
  })
})

describe('the money of the demo', () => {
  it('is equal in the ledger, at the cash desks and in the report, day by day and to the kopeck', async () => {
    const payments = reports.find(({ key }) => key === 'payments') as Report
    const since = plusDays(today, -40)
    const { groups } = await figuresOf(payments, { from: since, until: today, by: 'day' })
    const ledger = await clinic.db.query<{ day: string; sum: string }>({
      text: `select t."localDate" as day, sum(e."amount")::text as sum from ledger_txs t
        join ledger_entries e on e."idTx" = t."id" join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'desk'
        where t."kind" in ('payment', 'refund') and t."localDate" between $1 and $2 group by 1 order by 1`,
      values: [since, today],
    })
    expect(groups.length).toBeGreaterThan(30)
    expect(groups.map(({ key, values }) => [key[0], Math.round((values.paid ?? 0) * 100)])).toEqual(
      ledger.map(({ day, sum }) => [day, Number(sum)]),
    )
    const shifts = await clinic.db.query<{ closing: { crm: unknown; kkt: unknown } | null; difference: string | null }>(
      {
        text: `select "closing", "difference"::text as difference from cash_shifts where "dateClosed" is not null`,
      },
    )
    expect(shifts.length).toBeGreaterThan(100)
    for (const { closing, difference } of shifts) {
      expect(Number(difference)).toBe(0)
      expect(closing?.kkt).toEqual(closing?.crm)
    }
  })

  it('opening and closing debts of patients equal the ledger', async () => {
    const transactions = reports.find(({ key }) => key === 'transactions') as Report
    const asked = { from: plusDays(today, -20), until: plusDays(today, -10), by: 'operation' }
    const { balance, total } = await figuresOf(transactions, asked)
    const owed = async (until: string) =>
      Number(
        (
          await clinic.db.one<{ sum: string }>({
            text: `select coalesce(sum(e."amount"), 0)::text as sum from ledger_entries e join ledger_txs t on t."id" = e."idTx"
              join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'patient'
              where e."unit" = 'RUB' and t."localDate" <= $1`,
            values: [until],
          })
        )?.sum,
      ) / 100
    expect(balance?.opening).not.toBe(0)
    expect(balance?.opening).toBeCloseTo(await owed(plusDays(asked.from, -1)), 6)
    expect(balance?.closing).toBeCloseTo(await owed(asked.until), 6)
    expect((balance?.opening ?? 0) + (total.values.turnover ?? 0)).toBeCloseTo(balance?.closing ?? 0, 6)
    // The opening balance opens exactly the entries that it counts.
    const before = await rowsTotal(transactions, { from: balance?.from, until: balance?.until, measure: 'turnover' })
    expect(before.turnover).toBe(balance?.opening)
  })

  it('is equal on the dashboard and in the report', async () => {
    const { items } = good(await admin.get('/dashboard/figures?keys=revenueMonth,debts'))
    expect(items.map(({ key }: { key: string }) => key)).toEqual(['revenueMonth', 'debts'])
    const [month, debts] = items.map(({ figures }: { figures: ReportFigures }) => figures)
    const revenue = reports.find(({ key }) => key === 'revenue') as Report
    const same = await figuresOf(revenue, { from: month.from, until: month.until, by: 'day', compare: 'previous' })
    expect(month.total).toEqual(same.total)
    expect(debts.total.values.debt).toBeGreaterThan(0)
    const refused = good(await clinic.as('storekeeper').get('/dashboard/figures?keys=revenueMonth')).items
    expect(refused).toEqual([{ key: 'revenueMonth', figures: null, refusal: 'Нет прав на этот отчёт' }])
  })
})

describe('one name, one number', () => {
  const closed = plusDays(`${today.slice(0, 7)}-01`, -1)
  const spans = {
    closed: { from: `${closed.slice(0, 7)}-01`, until: closed },
    running: { from: `${today.slice(0, 7)}-01`, until: today },
  }
  const reportOf = (key: string) => reports.find((one) => one.key === key) as Report
  const totals = new Map<string, Promise<ReportFigures>>()
  const totalOf = async (key: string, asked: Record<string, unknown>) => {
    const name = `${key} ${JSON.stringify(asked)}`
    const found = totals.get(name) ?? figuresOf(reportOf(key), { by: '', ...asked })
    totals.set(name, found)
    return (await found).total.values
  }
  const grouped = new Map<string, Promise<ReportFigures>>()
  const groupsOf = (key: string, asked: Record<string, unknown>): Promise<ReportFigures> => {
    const name = `${key} ${JSON.stringify(asked)}`
    const found = grouped.get(name) ?? figuresOf(reportOf(key), asked)
    grouped.set(name, found)
    return found
  }
  const filialOf = async (): Promise<number> => good(await admin.get('/filials?limit=1&sort=id')).items[0].id
  const idOf = async (login: string): Promise<number> =>
    (await clinic.db.one<{ id: number }>({ text: 'select "id" from users where "login" = $1', values: [login] }))?.id ??
    0

  /** Fields by which a figure is shown of one person or source. */
  const narrow = ['doctor', 'operator', 'author', 'source']
  it.each(Object.entries(spans))(
    'of a measure that two reports show, in a %s month, of a branch, a person and a source',
    async (_, span) => {
      for (const { name, report, key, measure } of measures) {
        if (measure.same === undefined || report.isNow) continue
        const of = measureAt(measure.same)
        const isAnywhere = report.noFilial || of.report.noFilial
        const asks: Record<string, unknown>[] = [{}, ...(isAnywhere ? [] : [{ filial: await filialOf() }])]
        for (const field of narrow) {
          const [own, other] = [report.fields[field], of.report.fields[field]]
          if (!own?.of || own.of !== other?.of || !report.by.includes(field) || !of.report.by.includes(field)) continue
          const { groups } = await groupsOf(report.key, { ...span, by: field })
          const value = groups.find(({ key: [one = null] }) => one !== null)?.key[0]
          if (value === undefined) continue
          asks.push({ is: `${field}:${value}` })
        }
        for (const more of asks) {
          const [own, other] = [
            await totalOf(report.key, { ...span, ...more }),
            await totalOf(of.report.key, { ...span, ...more }),
          ]
          expect(own[key], `${name} of ${JSON.stringify(more)}`).toBe(other[of.key])
        }
      }
    },
  )

  it.each(Object.entries(spans))('of new patients by their source, in a %s month', async (which, span) => {
    const { groups } = await figuresOf(reportOf('return'), { ...span, by: 'source' })
    if (which === 'closed') expect(groups.length).toBeGreaterThan(1)
    for (const { key, names, values } of groups) {
      if (key[0] === null) continue
      const own = await totalOf('revenue-by-customer-sources', { ...span, is: `source:${names[0]}` })
      expect([own.newcomers, own.lifetime], String(names[0])).toEqual([values.newcomers, values.lifetime])
    }
  })

  it.each(Object.entries(spans))(
    'of KPI and the reports, in a %s month, of a branch and of a person',
    async (_, span) => {
      await fixMonths(clinic.context)
      const month = span.from.slice(0, 7)
      const subjects: { filial?: number; user?: number }[] = [
        {},
        { filial: await filialOf() },
        { user: await idOf('doctor') },
        { user: await idOf('operator') },
      ]
      for (const { filial, user } of subjects) {
        const asked = new URLSearchParams({ month })
        if (filial) asked.set('filial', String(filial))
        if (user) asked.set('user', String(user))
        const { counts, figures } = good(await admin.get(`/reports/kpi-analysis?${asked}`))
        for (const [name, { of, person, per = 1 }] of Object.entries<IndicatorDeclaration>(indicators)) {
          if (user && !person) continue
          const { report, key } = measureAt(of)
          const is = user ? `${person}:${user}` : undefined
          const value = (await totalOf(report.key, { ...span, filial, is }))[key] ?? 0
          expect(counts[name] ?? 0, `${name} of ${asked}`).toBeCloseTo(value / per, 1)
        }
        // An indicator with the name of a measure is that measure.
        const named = figures.flatMap((one: { name: string; fact: number | null; unit: string }) => {
          const measure = shownInCatalogue.find(({ measure: { label } }) => label === one.name)
          return measure ? [{ ...one, ...measure }] : []
        })
        expect(named.length).toBeGreaterThan(9)
        if (user) continue
        for (const { fact, unit, report, key, measure } of named) {
          const value = (await totalOf(report.key, { ...span, filial }))[key] ?? 0
          const scale = measure.unit === 'share' ? 100 : unit === 'minutes' ? 1 / 60 : 1
          expect(fact ?? 0, `${measure.label} of ${asked}`).toBeCloseTo(value * scale, 1)
        }
      }
    },
  )

  it.each(Object.entries(spans))('of advertising, profit and the reports, in a %s month', async (_, span) => {
    for (const filial of [undefined, await filialOf()]) {
      const where = filial ? `&filial=${filial}` : ''
      const { total } = good(await admin.get(`/advertising/report?from=${span.from}&to=${span.until}${where}`))
      const campaigns = await totalOf('campaigns', { ...span, filial })
      const sources = await totalOf('revenue-by-customer-sources', { ...span, filial })
      const visits = await totalOf('visits', { ...span, filial })
      expect(total).toMatchObject({ spend: sources.cost, visits: visits.completed, newPatients: sources.newcomers })
      expect(total.cpl ?? 0).toBeCloseTo(campaigns.cpl ?? 0, 2)
      expect(total.cac ?? 0).toBeCloseTo(campaigns.cac ?? 0, 2)
      const month = span.from.slice(0, 7)
      const profit = good(
        await admin.get(`/expenses/profit?from=${month}&to=${month}${filial ? `&filials=${filial}` : ''}`),
      )
      expect((await totalOf('revenue', { ...span, filial })).revenue).toBe(profit.totals.revenue)
    }
  })

  it('of revenue by doctor: payments are spread over services, advances are separate', async () => {
    const { total, groups } = await figuresOf(reportOf('revenue'), { ...spans.closed, by: 'doctor' })
    const doctors = groups.filter(({ key, values }) => key[0] !== null && (values.paid ?? 0) > 0)
    expect(doctors.length).toBeGreaterThan(2)
    for (const { values } of doctors) expect([values.advance, (values.check ?? 0) > 0]).toEqual([0, true])
    const advances = groups.find(({ key }) => key[0] === null)
    expect(advances?.values.paid).toBe(total.values.advance)
    const kopecks = groups.reduce((sum, { values }) => sum + Math.round((values.paid ?? 0) * 100), 0)
    expect(kopecks).toBe(Math.round((total.values.paid ?? 0) * 100))
  })

  it('of an appeal with two tags: under each, and once in the total', async () => {
    const { total: before } = await figuresOf(reportOf('appeals'), { ...spans.running, by: 'tag' })
    const [{ appeal: id }] = (await rowsBehind(reportOf('appeals'), spans.running)).items as [{ appeal: number }]
    for (const name of ['двойная', 'вторая']) good(await admin.post('/appeals/tags', { idAppeal: id, name }), 201)
    const { total, groups } = await figuresOf(reportOf('appeals'), { ...spans.running, by: 'tag,day' })
    expect(total.values.total).toBe(before.values.total)
    for (const tag of ['двойная', 'вторая']) {
      const group = groups.find(({ level, key }) => level === 1 && key[0] === tag)
      expect(group?.values.total).toBe(1)
      const rows = await rowsBehind(reportOf('appeals'), { ...group?.rows, measure: 'total' })
      expect(rows.items.map(({ appeal, tag: shown }) => [appeal, String(shown).includes(tag)])).toEqual([[id, true]])
    }
  })
})

describe('a file of rows', () => {
  it('names patients apart: card number and birthday', async () => {
    const report = reports.find(({ key }) => key === 'debts') as Report
    const { text } = await admin.get(`${filePath(report)}${query({ what: 'rows', format: 'csv' })}`)
    const [head = '', ...lines] = text.trim().split('\r\n')
    expect(head).toContain('Пациент: номер карты;Пациент: дата рождения')
    expect(lines[0]).toMatch(/;(№ )?[\p{L}\d-]+;\d\d\.\d\d\.\d{4};/u)
  })
})

describe('an invalid request', () => {
  const report = reports[0] as Report
  it.each([
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-03-02', until: '2026-03-01' }, 'until'],
    [{ from: '1900-01-01', until: '2026-03-01' }, 'from'],
    [{ by: 'nothing' }, 'by'],
    [{ by: 'day,week,month' }, 'by'],
    [{ filial: 'x' }, 'filial'],
    [{ is: 'nothing:1' }, 'is'],
    [{ is: 'doctor:abc' }, 'doctor'],
    [{ is: 'what:nothing' }, 'what'],
    [{ foo: '1' }, 'foo'],
  ])('%o is refused by name', async (asked, field) => {
    const { status, body } = await admin.get(`${figuresPath(report)}${query(asked)}`)
    expect(status).toBe(400)
    expect(body.message).toContain(field)
  })

  it('refuses an unknown sort or measure', async () => {
    expect((await admin.get(`${rowsPath(report)}?sort=nothing`)).status).toBe(400)
    expect((await admin.get(`${rowsPath(report)}?measure=nothing`)).status).toBe(400)
  })
})
