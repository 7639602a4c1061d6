/** Input of a report from its area: the SQL of its facts. */
import type { Report } from '@ordinator/model/report'
import type { Period } from '@ordinator/model/reportPeriod'
import sql, { type Sql } from 'sql-template-tag'
import type { ServerActor } from '../actor.ts'

/** Parameters of the facts. */
export interface ReportAsk extends Period {
  actor: ServerActor
  /** Values of the report's own parameters. */
  parameters: Readonly<Record<string, string>>
  /**
   * SQL: a moment may be within the period in the time zone of some branch. It allows the use of an index; the engine cuts
   * the exact period by `day` of each fact.
   */
  near(moment: Sql): Sql
  /** The same for a date. */
  within(day: Sql): Sql
}

/** SQL of the ids of records written since some time; with `field`, only those where it changed. */
export type Written = (field?: string) => Sql

/**
 * SQL of the ids that a reference named before and after the writes of a path, for the days of a rollup: the record itself
 * names only the last, and what it left changes too.
 */
export const namedIn = (path: string, field: string): Sql =>
  sql`(select n.id::bigint from w cross join lateral jsonb_array_elements_text(w.changes -> ${field}::text) n(id)
    where w.path = ${path}::text and jsonb_typeof(w.changes -> ${field}::text) = 'array' and n.id is not null)`

/**
 * Precomputed figures, which make long periods fast: every additive figure by day, branch and the kept fields. A day is
 * recomputed when history shows a write that affects it.
 */
export interface Rollup {
  /** Fields of the facts by which buckets are grouped. */
  kept: readonly string[]
  /** Fields derived from kept ones, as SQL over the bucket `r`: the group of a service. */
  derived?: Readonly<Record<string, Sql>>
  /** SQL of the earliest day that may have a fact; must be fast by an index. */
  since: Sql
  /**
   * By path of the written entity, a select of the days it affects; `all` when they cannot be narrowed down. Days in the
   * changes of these history lines (`localDate`) are added: the days it was moved from.
   */
  touched: Readonly<Record<string, ((written: Written) => Sql) | 'all'>>
}

export interface ReportSource {
  report: Report
  /**
   * A select with one row per fact: a column for each field of the report, `"day"` (date in its branch's time zone, unless
   * the report `isNow`) and `"filial"` (id or null, unless it has none). Period, branches, conditions and own rows are
   * applied by the engine, once for figures and rows alike.
   */
  facts(ask: ReportAsk): Sql
  rollup?: Rollup
}

const sources = new Map<string, ReportSource>()

/** Declares the facts of a report; `sourceAt` finds them by the report's key. */
export function reportSource(report: Report, facts: ReportSource['facts'], rollup?: Rollup): ReportSource {
  const source = { report, facts, ...(rollup ? { rollup } : {}) }
  sources.set(report.key, source)
  return source
}

/** @throws Error if no area has declared the facts of the report */
export function sourceAt(key: string): ReportSource {
  const found = sources.get(key)
  if (!found) throw new Error(`no facts of report ${key}`)
  return found
}

/** SQL of the date of a moment in a time zone. */
export const dayAt = (moment: Sql, zone: Sql): Sql => sql`(${moment} at time zone ${zone})::date`

/** Converts SQL of kopecks to rubles. */
export const rublesSql = (kopecks: Sql): Sql => sql`round((${kopecks})::numeric / 100, 2)`

export const nearOf =
  ({ from, until }: Period) =>
  (moment: Sql): Sql =>
    sql`(${moment} >= (${from}::date - 1)::timestamptz and ${moment} < (${until}::date + 2)::timestamptz)`

export const withinOf =
  ({ from, until, days }: Period & { days?: readonly string[] }) =>
  (day: Sql): Sql =>
    days ? sql`${day} = any(${[...days]}::date[])` : sql`(${day} between ${from}::date and ${until}::date)`
