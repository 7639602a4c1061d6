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

export interface ReportSource {
  report: Report
  /**
   * A select of one row a fact: a column for each field of the report, `"day"` (date by the clock of its branch, unless
   * the report `isNow`) and `"filial"` (id or null, unless it has none). Period, branches, conditions and own rows are
   * cut by the shell, once for figures and rows alike.
   */
  facts(ask: ReportAsk): Sql
}

export const reportSource = (report: Report, facts: ReportSource['facts']): ReportSource => ({ report, facts })

/** SQL of the day on which a moment falls by the clock of a zone. */
export const dayAt = (moment: Sql, zone: Sql): Sql => sql`(${moment} at time zone ${zone})::date`

/** Kopecks of SQL as rubles. */
export const rublesSql = (kopecks: Sql): Sql => sql`round((${kopecks})::numeric / 100, 2)`

export const nearOf =
  ({ from, until }: Period) =>
  (moment: Sql): Sql =>
    sql`(${moment} >= (${from}::date - 1)::timestamptz and ${moment} < (${until}::date + 2)::timestamptz)`

export const withinOf =
  ({ from, until }: Period) =>
  (day: Sql): Sql =>
    sql`(${day} between ${from}::date and ${until}::date)`
