/**
 * Rollups: additive figures of a report, precomputed per day, branch and kept field. Both parts of a read, the counted
 * days and the others, use `bucketSql`, which groups the same facts with the same WHERE as a report without a rollup, so
 * that every figure has one definition. Counted days are managed in `areas/reports/rollups.ts`.
 */
import { createHash } from 'node:crypto'
import type { Measure, Report } from '@ordinator/model/report'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { systemActor } from '../actor.ts'
import { conditionsSql, factsSql, measureSql, type ReportFilter, type ReportReader } from './reportSql.ts'
import type { ReportSource, Rollup } from './source.ts'

/** True when a figure of a longer period is the sum of its days. */
export function isAdditive(report: Report, measure: Measure): boolean {
  if (measure.kind === 'ratio') return measure.of.every((name) => isAdditive(report, report.measures[name] as Measure))
  return measure.kind === 'sum' || measure.kind === 'count' || (measure.kind === 'distinct' && measure.once === true)
}

/** True when the buckets answer the figure: an additive one, a distinct count of a field that is a key of the buckets. */
export function isRolled(source: ReportSource & { rollup: Rollup }, measure: Measure): boolean {
  const { report, rollup } = source
  if (measure.kind === 'ratio') return measure.of.every((name) => isRolled(source, report.measures[name] as Measure))
  return isAdditive(report, measure) || (measure.kind === 'distinct' && rollup.kept.includes(measure.of))
}

/** Figures stored in a rollup; ratios and distinct counts of its keys are computed when read. */
const countedOf = (report: Report): [string, Measure][] =>
  Object.entries(report.measures).filter(([, one]) => one.kind !== 'ratio' && isAdditive(report, one))

const measureColumn = (name: string): Sql => raw(`"_m_${name}"`)

function typeOf({ fields }: Report, name: string): string {
  const { of, type } = fields[name] ?? {}
  if (of) return 'bigint'
  return type === 'flag' ? 'boolean' : type === 'day' ? 'date' : 'text'
}

/** True when the rollup can answer: groups and conditions are kept fields, parameters have their defaults. */
export function isCovered({ report, rollup }: ReportSource, filter: ReportFilter, by: readonly string[]): boolean {
  if (!rollup) return false
  const kept = new Set(['day', 'filial', ...rollup.kept, ...Object.keys(rollup.derived ?? {})])
  const isField = (name: string) => Object.hasOwn(report.fields, name) || name === 'filial'
  return (
    by.every((name) => !isField(name) || kept.has(name)) &&
    filter.is.every(({ name }) => kept.has(name)) &&
    (!report.own || kept.has(report.own.field)) &&
    Object.entries(report.parameters ?? {}).every(
      ([name, one]) => (filter.parameters[name] ?? one.default) === one.default,
    )
  )
}

/** Filter of whole days of all branches, which a rollup holds. */
const daysFilter = (report: Report, days: readonly string[]): ReportFilter => ({
  from: days.reduce((a, b) => (a < b ? a : b), days[0] ?? ''),
  until: days.reduce((a, b) => (a > b ? a : b), days[0] ?? ''),
  days,
  filials: [],
  is: [],
  parameters: Object.fromEntries(Object.entries(report.parameters ?? {}).map(([name, one]) => [name, one.default])),
})

/** SQL of the buckets of some days, computed from their facts. */
export function bucketSql(source: ReportSource, days: readonly string[]): Sql {
  const { report, rollup } = source
  const keys = ['day', 'filial', ...(rollup?.kept ?? [])].map((name) =>
    name === 'day' || name === 'filial' ? raw(`f."${name}"`) : raw(`f."${name}"::${typeOf(report, name)}`),
  )
  const figures = countedOf(report).map(([name, one]) => sql`${measureSql(report, one)} as ${measureColumn(name)}`)
  return sql`select ${join(keys)}, count(*) as "_n", ${join(figures)} from ${factsSql(source, daysFilter(report, days), { actor: systemActor })}
    group by ${raw(keys.map((_, at) => at + 1).join(', '))}`
}

/** Table name of a report's rollup; it changes with the definition. */
export function rollupName(source: ReportSource): string {
  const { text } = bucketSql(source, ['2000-01-01'])
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return `${source.report.key.replaceAll('-', '_').slice(0, 40)}_${mark}`
}

const columnsOfTable = ({ report, rollup }: ReportSource): string[] => [
  '"day" date not null',
  '"filial" bigint',
  ...(rollup?.kept ?? []).map((name) => `"${name}" ${typeOf(report, name)}`),
  '"_n" bigint not null',
  ...countedOf(report).map(([name, { kind }]) => `"_m_${name}" ${kind === 'sum' ? 'numeric' : 'bigint'} not null`),
]

export const tableSql = (name: string): Sql => raw(`rollups."${name}"`)

/** SQL statements that create the table of a rollup. */
export const makeTableSql = (source: ReportSource, name: string): Sql[] => [
  sql`create table ${tableSql(name)} (${raw(columnsOfTable(source).join(', '))})`,
  sql`create index on ${tableSql(name)} ("day")`,
]

/**
 * SQL of the filtered buckets as `f`: counted days from the table, others from their facts.
 * @param live days of the period that are not in the table
 */
export function rolledSql(source: ReportSource, name: string, filter: ReportFilter, live: readonly string[]): Sql {
  const { from, until } = filter
  const derived = Object.entries(source.rollup?.derived ?? {}).map(
    ([field, made]) => sql`, ${made} as ${raw(`"${field}"`)}`,
  )
  const counted = sql`select r.* from ${tableSql(name)} r where r."day" between ${from}::date and ${until}::date
    ${live.length ? sql`and r."day" <> all(${[...live]}::date[])` : empty}`
  const others = live.length ? sql` union all ${bucketSql(source, live)}` : empty
  return sql`(select r.* ${join(derived.length ? derived : [empty], '')} from (${counted}${others}) r)`
}

/** The same with the conditions of the filter. */
export function rolledFactsSql(
  source: ReportSource,
  name: string,
  filter: ReportFilter,
  live: readonly string[],
  reader: ReportReader,
): Sql {
  const conditions = conditionsSql(source.report, filter, reader)
  return sql`(select f.* from ${rolledSql(source, name, filter, live)} f ${
    conditions.length ? sql`where ${join(conditions, ' and ')}` : empty
  }) f`
}

/** SQL of a figure over buckets. */
export function rolledMeasureSql(report: Report, name: string): Sql {
  const measure = report.measures[name] as Measure
  if (measure.kind === 'distinct' && !isAdditive(report, measure))
    return sql`count(distinct f.${raw(`"${measure.of}"`)})`
  if (measure.kind !== 'ratio') return sql`coalesce(sum(f.${measureColumn(name)}), 0)`
  const [top, bottom] = measure.of.map((part) => rolledMeasureSql(report, part)) as [Sql, Sql]
  return sql`round((${top})::numeric / nullif((${bottom})::numeric, 0), ${measure.unit === 'share' ? 4 : 2}::int)`
}
