/**
 * Rollups: figures of a report, precomputed per day, branch and kept field (grain `kept`), and from these per day and
 * branch alone (grain `day`). Additive figures are stored as sums, distinct counts as the set of their values. Both parts of
 * a read, the counted days and the others, use `bucketSql`, which groups the same facts with the same WHERE as a report
 * without a rollup, so that every figure has one definition. Counted days are managed in `areas/reports/rollups.ts`.
 */
import { createHash } from 'node:crypto'
import { isTimeUnit, type Measure, type Report } from '@ordinator/model/report'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { systemActor } from '../actor.ts'
import { conditionsSql, factsSql, measureSql, type ReportFilter, type ReportReader } from './reportSql.ts'
import type { ReportSource } from './source.ts'

/** True when a figure of a longer period is the sum of its days. */
export function isAdditive(report: Report, measure: Measure): boolean {
  if (measure.kind === 'ratio') return measure.of.every((name) => isAdditive(report, report.measures[name] as Measure))
  return measure.kind === 'sum' || measure.kind === 'count' || (measure.kind === 'distinct' && measure.once === true)
}

export type Grain = 'kept' | 'day'

const keysOf = ({ rollup }: ReportSource, grain: Grain): string[] => [
  ...['day', 'filial'],
  ...(grain === 'kept' ? (rollup?.kept ?? []) : []),
]

/** Fields of which the buckets of a grain store the distinct values. */
function setsOf(source: ReportSource, grain: Grain): string[] {
  const { report } = source
  const keys = keysOf(source, grain)
  const counted = Object.values(report.measures).flatMap((one) =>
    one.kind === 'distinct' && !isAdditive(report, one) && !keys.includes(one.of) ? [one.of] : [],
  )
  return [...new Set(counted)]
}

/**
 * The field whose stored sets a figure needs; empty when sums and keys of the buckets are enough, undefined when the
 * buckets do not answer it.
 */
export function setOf(source: ReportSource, measure: Measure, grain: Grain): string | undefined {
  const { report } = source
  if (measure.kind === 'ratio') {
    const parts = measure.of.map((name) => setOf(source, report.measures[name] as Measure, grain))
    const sets = new Set(parts.filter((one) => one !== ''))
    return sets.size > 1 ? undefined : [...sets, ''][0]
  }
  if (isAdditive(report, measure)) return ''
  if (measure.kind !== 'distinct') return undefined
  return keysOf(source, grain).includes(measure.of) ? '' : measure.of
}

/** Figures stored as sums; ratios and distinct counts are computed when read. */
const countedOf = (report: Report): [string, Measure][] =>
  Object.entries(report.measures).filter(([, one]) => one.kind !== 'ratio' && isAdditive(report, one))

const measureColumn = (name: string): Sql => raw(`"_m_${name}"`)
const setColumn = (field: string): Sql => raw(`"_s_${field}"`)

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

/** The coarsest grain that answers: the buckets of a whole day, where only days and branches are asked for. */
export const grainOf = ({ report }: ReportSource, filter: ReportFilter, by: readonly string[]): Grain =>
  [...by, ...filter.is.map(({ name }) => name)].every((name) => name === 'filial' || isTimeUnit(name)) && !report.own
    ? 'day'
    : 'kept'

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
export function bucketSql(source: ReportSource, days: readonly string[], grain: Grain = 'kept'): Sql {
  const { report } = source
  const keys = keysOf(source, grain).map((name) =>
    name === 'day' || name === 'filial' ? raw(`f."${name}"`) : raw(`f."${name}"::${typeOf(report, name)}`),
  )
  const figures = countedOf(report).map(([name, one]) => sql`${measureSql(report, one)} as ${measureColumn(name)}`)
  const sets = setsOf(source, grain).map((field) => {
    const value = raw(`f."${field}"::${typeOf(report, field)}`)
    return sql`array_agg(distinct ${value}) filter (where ${value} is not null) as ${setColumn(field)}`
  })
  return sql`select ${join([...keys, sql`count(*) as "_n"`, ...figures, ...sets])}
    from ${factsSql(source, daysFilter(report, days), { actor: systemActor })}
    group by ${raw(keys.map((_, at) => at + 1).join(', '))}`
}

/** SQL of the buckets of whole days, computed from the stored ones of kept fields. */
export function daySql(source: ReportSource, name: string, days: readonly string[]): Sql {
  const stored = sql`${tableSql(name, 'kept')} r where r."day" = any(${[...days]}::date[])`
  const sums = countedOf(source.report).map(([figure]) => sql`sum(r.${measureColumn(figure)})`)
  const kept = setsOf(source, 'kept')
  const sets = setsOf(source, 'day').map((field) =>
    kept.includes(field)
      ? sql`(select array_agg(distinct u.value) from ${tableSql(name, 'kept')} x cross join lateral unnest(x.${setColumn(field)}) u(value)
          where x."day" = r."day" and x."filial" is not distinct from r."filial")`
      : sql`array_agg(distinct r.${raw(`"${field}"`)}) filter (where r.${raw(`"${field}"`)} is not null)`,
  )
  return sql`select ${join([raw('r."day", r."filial", sum(r."_n")'), ...sums, ...sets])} from ${stored} group by r."day", r."filial"`
}

/** Table name of a report's rollup; it changes with the definition. */
export function rollupName(source: ReportSource): string {
  const texts = (['kept', 'day'] as const).map((grain) => bucketSql(source, ['2000-01-01'], grain).text)
  const mark = createHash('sha256').update(texts.join(';')).digest('hex').slice(0, 10)
  return `${source.report.key.replaceAll('-', '_').slice(0, 40)}_${mark}`
}

const columnsOfTable = (source: ReportSource, grain: Grain): string[] => [
  '"day" date not null',
  '"filial" bigint',
  ...keysOf(source, grain)
    .slice(2)
    .map((name) => `"${name}" ${typeOf(source.report, name)}`),
  '"_n" bigint not null',
  ...countedOf(source.report).map(
    ([name, { kind }]) => `"_m_${name}" ${kind === 'sum' ? 'numeric' : 'bigint'} not null`,
  ),
  ...setsOf(source, grain).map((field) => `"_s_${field}" ${typeOf(source.report, field)}[]`),
]

export const tableSql = (name: string, grain: Grain = 'kept'): Sql =>
  raw(`rollups."${grain === 'day' ? `${name}_day` : name}"`)

/** SQL statements that create the tables of a rollup. */
export const makeTableSql = (source: ReportSource, name: string): Sql[] =>
  (['kept', 'day'] as const).flatMap((grain) => [
    sql`create table ${tableSql(name, grain)} (${raw(columnsOfTable(source, grain).join(', '))})`,
    sql`create index on ${tableSql(name, grain)} ("day")`,
  ])

/** SQL statements that count days of a rollup anew. */
export const countDaysSql = (source: ReportSource, name: string, days: readonly string[]): Sql[] => [
  ...(['kept', 'day'] as const).map(
    (grain) => sql`delete from ${tableSql(name, grain)} where "day" = any(${[...days]}::date[])`,
  ),
  sql`insert into ${tableSql(name, 'kept')} ${bucketSql(source, days)}`,
  sql`insert into ${tableSql(name, 'day')} ${daySql(source, name, days)}`,
]

/** Which buckets are read. */
interface RolledAsk {
  name: string
  grain: Grain
  /** Days of the period that are not in the table. */
  live: readonly string[]
}

/** SQL of the filtered buckets as `f`: counted days from the table, others from their facts. */
function rolledSql(source: ReportSource, { name, grain, live }: RolledAsk, { from, until }: ReportFilter): Sql {
  const derived = Object.entries((grain === 'kept' && source.rollup?.derived) || {}).map(
    ([field, made]) => sql`, ${made} as ${raw(`"${field}"`)}`,
  )
  const counted = sql`select r.* from ${tableSql(name, grain)} r where r."day" between ${from}::date and ${until}::date
    ${live.length ? sql`and r."day" <> all(${[...live]}::date[])` : empty}`
  const others = live.length ? sql` union all ${bucketSql(source, live, grain)}` : empty
  return sql`(select r.* ${join(derived.length ? derived : [empty], '')} from (${counted}${others}) r)`
}

/**
 * The same with the conditions of the filter.
 * @param set field whose stored values are unfolded: a bucket then has a row for each, and is counted by its first one
 */
export function rolledFactsSql(
  source: ReportSource,
  asked: RolledAsk,
  filter: ReportFilter,
  reader: ReportReader,
  set: string,
): Sql {
  const conditions = conditionsSql(source.report, filter, reader)
  const unfolded = set
    ? sql`left join lateral unnest(f.${setColumn(set)}) with ordinality u("_v", "_at") on true`
    : empty
  return sql`(select ${set ? raw('f.*, u."_v", coalesce(u."_at", 1) = 1 as "_isFirst"') : raw('f.*')}
    from ${rolledSql(source, asked, filter)} f ${unfolded} ${
      conditions.length ? sql`where ${join(conditions, ' and ')}` : empty
    }) f`
}

/** SQL of a figure over buckets, unfolded by the `set` it needs. */
export function rolledMeasureSql(source: ReportSource, name: string, grain: Grain, set: string): Sql {
  const { report } = source
  const measure = report.measures[name] as Measure
  if (measure.kind === 'distinct' && !isAdditive(report, measure)) {
    if (setOf(source, measure, grain) === '') return sql`count(distinct f.${raw(`"${measure.of}"`)})`
    // Equality needs no order of a language.
    return sql`count(distinct f."_v" ${typeOf(report, measure.of) === 'text' ? raw('collate "C"') : empty})`
  }
  if (measure.kind !== 'ratio')
    return sql`coalesce(sum(f.${measureColumn(name)}) ${set ? raw('filter (where f."_isFirst")') : empty}, 0)`
  const [top, bottom] = measure.of.map((part) => rolledMeasureSql(source, part, grain, set)) as [Sql, Sql]
  return sql`round((${top})::numeric / nullif((${bottom})::numeric, 0), ${measure.unit === 'share' ? 4 : 2}::int)`
}
