/** What an area gives for a report: the SQL of its facts. */
import type { Report } from '@ordinator/model/report'
import type { Period } from '@ordinator/model/reportPeriod'
import sql, { type Sql } from 'sql-template-tag'
import type { ServerActor } from '../actor.ts'

/** What the facts are asked for. */
export interface ReportAsk extends Period {
  actor: ServerActor
  /** Values of the report's own parameters. */
  parameters: Readonly<Record<string, string>>
  /**
   * SQL of whether a moment may lie within the period by the clock of any branch. It lets an index answer; the period
   * itself is cut by the shell, by `day` of each fact.
   */
  near(moment: Sql): Sql
  /** The same for a day. */
  within(day: Sql): Sql
}

/** Records that were written since some time: SQL of their ids, of those alone whose `field` was changed. */
export type Written = (field?: string) => Sql

/**
 * What is counted once for each day, so that long periods are quick: every additive figure by day, branch and the kept
 * fields. A day is counted anew when history tells of a write that has a part in it.
 */
export interface Rollup {
  /** Fields of the facts that buckets tell apart. */
  kept: readonly string[]
  /** Fields that follow from kept ones, as SQL over the bucket `r`: the group of a service. */
  derived?: Readonly<Record<string, Sql>>
  /** SQL of the earliest day that may have a fact; an index answers it. */
  since: Sql
  /**
   * By path of the entity that was written, SQL of a select of the days on which it has a part; `all` where no few days
   * can be named. Days that stand in the changes of these lines (`localDate`) are marked besides: where it was moved from.
   */
  touched: Readonly<Record<string, ((written: Written) => Sql) | 'all'>>
}

export interface ReportSource {
  report: Report
  /**
   * A select of one row a fact: a column for each field of the report, `"day"` (date by the clock of its branch, unless
   * the report `isNow`) and `"filial"` (id or null, unless it has none). Period, branches, conditions and own rows are
   * cut by the shell, once for figures and rows alike.
   */
  facts(ask: ReportAsk): Sql
  rollup?: Rollup
}

export const reportSource = (report: Report, facts: ReportSource['facts'], rollup?: Rollup): ReportSource => ({
  report,
  facts,
  ...(rollup ? { rollup } : {}),
})

/** SQL of the day on which a moment falls by the clock of a zone. */
export const dayAt = (moment: Sql, zone: Sql): Sql => sql`(${moment} at time zone ${zone})::date`

/** Kopecks of SQL as rubles. */
export const rublesSql = (kopecks: Sql): Sql => sql`round((${kopecks})::numeric / 100, 2)`

export const nearOf =
  ({ from, until }: Period) =>
  (moment: Sql): Sql =>
    sql`(${moment} >= (${from}::date - 1)::timestamptz and ${moment} < (${until}::date + 2)::timestamptz)`

export const withinOf =
  ({ from, until, days }: Period & { days?: readonly string[] }) =>
  (day: Sql): Sql =>
    days ? sql`${day} = any(${[...days]}::date[])` : sql`(${day} between ${from}::date and ${until}::date)`
