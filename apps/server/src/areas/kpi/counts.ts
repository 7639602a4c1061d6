/**
 * KPI counters: measures of the catalogue for a month, of the clinic, a branch or a person. A running month is counted
 * to now. A week after its end a month is fixed (`fixMonths`): later corrections leave it as it was.
 */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import { type Indicator, type IndicatorDeclaration, indicators } from '@ordinator/model/areas/kpi/indicators'
import type { Counts } from '@ordinator/model/areas/kpi/score'
import { measureAt } from '@ordinator/model/measures'
import sql, { raw, type Sql } from 'sql-template-tag'
import { readMeasures } from '#areas/reports/index.ts'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import type { Lane, Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { sourceAt } from '#records/reports/source.ts'

export interface Subject {
  idFilial?: number | undefined
  idUser?: number | undefined
}

/** Days after a month in which outcomes of its days are still accepted. */
const LATE_DAYS = 7
/** Months before this one that are fixed. */
const KEPT_MONTHS = 24

interface Part {
  report: string
  person: string | undefined
  items: [Indicator, IndicatorDeclaration][]
}

/** Indicators by the facts and the person's field that they are counted by. */
function partsOf(which: (one: IndicatorDeclaration) => boolean, ofPeople: boolean): Part[] {
  const all = (Object.entries(indicators) as [Indicator, IndicatorDeclaration][]).filter(
    ([, one]) => which(one) && (!ofPeople || one.person !== undefined),
  )
  const reportOf = (one: IndicatorDeclaration) => measureAt(one.of).report.key
  return [...Map.groupBy(all, ([, one]) => `${reportOf(one)} ${ofPeople ? one.person : ''}`).values()].map((items) => {
    const [, first] = items[0] as (typeof items)[number]
    return { report: reportOf(first), person: ofPeople ? first.person : undefined, items }
  })
}

const digits = (value: number): number => Math.round(value * 10_000) / 10_000

/** Counters of months by their first day, and in each by person; 0: of all. */
type Counted = Map<string, Map<number, Counts>>

interface Asked extends Subject {
  /** First days of months, which follow each other. */
  months: readonly string[]
  /** The last day: today at the latest. */
  until: string
  people?: boolean
}

/** Counts from the facts, in one snapshot if `db` is one. */
async function counted(
  db: Queryable,
  { months, until, idFilial, idUser, people = false }: Asked,
  which: (one: IndicatorDeclaration) => boolean,
): Promise<Counted> {
  const found: Counted = new Map(months.map((month) => [month, new Map()]))
  const from = months[0]
  if (from === undefined || until < from) return found
  for (const { report, person, items } of partsOf(which, people || idUser !== undefined)) {
    const source = sourceAt(report)
    const filter = {
      from,
      until,
      filials: idFilial === undefined ? [] : [idFilial],
      is: idUser === undefined || !person ? [] : [{ name: person, value: String(idUser) }],
      parameters: {},
    }
    const keys = items.map(([, one]) => measureAt(one.of).key)
    const by = ['month', ...(people && person ? [person] : [])]
    for (const { level, key, values } of await readMeasures(db, source, filter, by, [...new Set(keys)])) {
      if (level !== by.length) continue
      const month = found.get(String(key[0]))
      if (!month || (by.length > 1 && key[1] === null)) continue
      const who = by.length > 1 ? Number(key[1]) : 0
      const own = month.get(who) ?? {}
      month.set(who, own)
      for (const [at, [name, { per = 1 }]] of items.entries()) {
        const value = values[keys[at] as string]
        if (value !== null && value !== undefined) own[name] = digits(Number(value) / per)
      }
    }
  }
  return found
}

export interface Span {
  /** First day of the month. */
  month: string
  until: string
  passed: number
}

/** What of a month has passed, by the clinic's clock. */
export async function spanOf(db: Queryable, month: string): Promise<Span> {
  const next = monthsLater(month, 1)
  const start = (day: string) => sql`(${day}::date::timestamp at time zone ${clinicZone})`
  const row = await db.one<{ until: string; passed: number }>(sql`
    select least(${next}::date - 1, ${clinicToday})::text as until,
      least(1, greatest(0, extract(epoch from now() - ${start(month)}) / extract(epoch from ${start(next)} - ${start(month)})))::float8 as passed`)
  return { month, until: row?.until ?? month, passed: row?.passed ?? 1 }
}

const same = (column: string, id: number | undefined): Sql =>
  id === undefined ? sql`f.${raw(column)} is null` : sql`f.${raw(column)} = ${id}`

interface Fixed {
  month: string
  idUser: number | null
  counts: Counts
}

/** Fixed counters: of months that are fixed, with the time. */
async function fixedOf(
  db: Queryable,
  months: readonly string[],
  { idFilial, idUser }: Subject,
  people = false,
): Promise<{ at: Map<string, string>; rows: Fixed[] }> {
  const at = await db.query<{ month: string; at: string }>(sql`select f."month"::text as month, f."dateFixed" as at
    from kpi_fixed f where f."month" = any (${[...months]}::date[]) and f."idFilial" is null and f."idUser" is null`)
  const rows = await db.query<Fixed>(sql`select f."month"::text as month, f."idUser", f."counts" from kpi_fixed f
    where f."month" = any (${[...months]}::date[]) and ${same('"idFilial"', idFilial)}
      and ${people ? sql`f."idUser" is not null` : same('"idUser"', idUser)}`)
  return { at: new Map(at.map((one) => [one.month, one.at])), rows }
}

const isCurrent = (one: IndicatorDeclaration) => one.current === true

export interface MonthCounts {
  /** By person; 0: of all. */
  counts: Map<number, Counts>
  /** ISO; null for a month that is not fixed. */
  fixed: string | null
}

/** Counters of months that follow each other: the fixed ones as they were fixed, others from the facts. */
export async function countsOf(
  db: Queryable | Lane,
  asked: Subject & { months: readonly string[]; people?: boolean },
): Promise<Map<string, MonthCounts>> {
  // Kept days and live days are read from one snapshot.
  if ('tx' in db) return db.tx((tx) => countsOf(tx, asked), { isolation: 'repeatable read', readOnly: true })
  const { months, people = false } = asked
  const { until } = await spanOf(db, months.at(-1) as string)
  const { at, rows } = await fixedOf(db, months, asked, people)
  const open = months.filter((month) => !at.has(month))
  const live = await counted(db, { ...asked, months: since(months, open), until }, (one) => !isCurrent(one))
  const current = await counted(db, { ...asked, until }, isCurrent)
  return new Map(
    months.map((month) => {
      const own = at.has(month)
        ? new Map(
            rows.filter((one) => one.month === month).map((one) => [one.idUser && people ? one.idUser : 0, one.counts]),
          )
        : new Map(live.get(month))
      for (const [who, counts] of current.get(month) ?? []) own.set(who, { ...own.get(who), ...counts })
      return [month, { counts: own, fixed: at.get(month) ?? null }]
    }),
  )
}

/** Months from the first open one. */
const since = (months: readonly string[], open: readonly string[]): string[] =>
  open[0] === undefined ? [] : months.slice(months.indexOf(open[0]))

/** Counters of a month as they are now, also if it is fixed. */
export async function countsNow(db: Queryable | Lane, month: string, subject: Subject): Promise<Counts> {
  if ('tx' in db) return db.tx((tx) => countsNow(tx, month, subject), { isolation: 'repeatable read', readOnly: true })
  const { until } = await spanOf(db, month)
  const found = await counted(db, { ...subject, months: [month], until }, () => true)
  return found.get(month)?.get(0) ?? {}
}

/** Registers the job that fixes months. */
export function startFixing(app: AppContext): void {
  app.jobs.register('kpi.fix', { cron: '23 * * * *', retries: 1, handler: (_, { signal }) => fixMonths(app, signal) })
}

/** Fixes the months that ended more than a week ago, the latest first. Without definitions nothing is fixed. */
export async function fixMonths(
  { db, config }: Pick<AppContext, 'db'> & { config: Pick<AppContext['config'], 'demoYears'> },
  signal?: AbortSignal,
): Promise<void> {
  const due = await db.query<{ month: string }>(sql`
    select m.month::date::text as month
    from generate_series(date_trunc('month', (${clinicToday} - ${LATE_DAYS}::int)::timestamp) - interval '1 month',
        date_trunc('month', ${clinicToday}::timestamp) - make_interval(months => ${KEPT_MONTHS}::int), interval '-1 month') m(month)
    where exists (select from kpi_definitions where not "deleted")
      and m.month >= date_trunc('month', (select min("localDate") from appointments where not "deleted")::timestamp)
      and not exists (select from kpi_fixed f where f."month" = m.month::date and f."idFilial" is null and f."idUser" is null)
      and (not ${config.demoYears}::boolean or not exists (select from demo_clinic where not "years"))`)
  const filials = due.length ? await db.query<{ id: number }>(sql`select "id" from filials order by "id"`) : []
  for (const { month } of due) {
    if (signal?.aborted) return
    await db.tx((tx) => fixMonth(tx, month, filials), { isolation: 'repeatable read' })
  }
}

async function fixMonth(tx: Queryable, month: string, filials: readonly { id: number }[]): Promise<void> {
  const { until } = await spanOf(tx, month)
  const rows: { idFilial: number | null; idUser: number | null; counts: Counts }[] = []
  for (const idFilial of [undefined, ...filials.map(({ id }) => id)])
    for (const people of [false, true]) {
      const found = (await counted(tx, { months: [month], until, idFilial, people }, (one) => !isCurrent(one))).get(
        month,
      )
      if (!people) rows.push({ idFilial: idFilial ?? null, idUser: null, counts: found?.get(0) ?? {} })
      else for (const [idUser, counts] of found ?? []) rows.push({ idFilial: idFilial ?? null, idUser, counts })
    }
  await tx.query(sql`insert into kpi_fixed ("month", "idFilial", "idUser", "counts")
    select ${month}::date, r."idFilial", r."idUser", r."counts"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("idFilial" bigint, "idUser" bigint, "counts" jsonb)
    on conflict do nothing`)
}
