/** SQL of reports. Figures and rows are read from the same facts with the same condition (`factsSql`). */
import { commonFields, isTimeUnit, type Measure, type Report, type ReportField } from '@ordinator/model/report'
import type { Period, Shift } from '@ordinator/model/reportPeriod'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from '../actor.ts'
import { inOwnBranch, isLimited } from '../branches.ts'
import type { Registry } from '../define.ts'
import { placedTitle } from '../places.ts'
import { aliases } from '../plan.ts'
import { closedById } from '../scope.ts'
import { nearOf, type ReportSource, withinOf } from './source.ts'

export interface ReportFilter extends Period {
  /** Only these days of the period. */
  days?: readonly string[]
  filials: readonly number[]
  /** By field; an empty text matches null. Of several values of one field any will do, of a field with many all. */
  is: readonly { name: string; value: string }[]
  parameters: Readonly<Record<string, string>>
}

export const fieldOf = (report: Report, name: string): ReportField | undefined =>
  report.fields[name] ?? (commonFields as Record<string, ReportField>)[name]

const column = (name: string): Sql => raw(`f."${name}"`)

/** Who reads a report; without a registry a record shows only its id. */
export interface ReportReader {
  actor: ServerActor
  registry?: Registry | undefined
}

/** SQL: the record `id` of an entity is sealed and closed to the reader, or goes with one; undefined: no record of it can be. */
function closedIdSql({ actor, registry }: ReportReader, path: string, id: Sql): Sql | undefined {
  const d = registry?.find(path)
  return d && registry && closedById({ registry, actor, me: sql`${actor.id}::bigint`, alias: aliases() }, d, id)
}

/** The same of the record that a field of the fact names. */
function closedFactSql(report: Report, name: string, reader: ReportReader): Sql | undefined {
  const field = fieldOf(report, name)
  return field?.of && !field.many ? closedIdSql(reader, field.of, column(name)) : undefined
}

/**
 * A field of the fact as the reader may know it: the fact of a closed record counts, and does not reveal whose it is.
 */
export function shownColumn(report: Report, name: string, reader: ReportReader): Sql {
  const closed = closedFactSql(report, name, reader)
  return closed ? sql`case when not ${closed} then ${column(name)} end` : column(name)
}

/** SQL conditions of a filter on a fact or a bucket `f`. The only WHERE of a report. */
export function conditionsSql(report: Report, filter: ReportFilter, reader: ReportReader): Sql[] {
  const { actor } = reader
  const { from, until, days, filials, is } = filter
  const conditions: Sql[] = []
  if (!report.isNow)
    conditions.push(
      days ? sql`f."day" = any(${[...days]}::date[])` : sql`f."day" between ${from}::date and ${until}::date`,
    )
  if (filials.length && !report.noFilial) conditions.push(sql`f."filial" = any(${filials}::bigint[])`)
  if (isLimited(actor)) conditions.push(report.noFilial ? raw('false') : inOwnBranch(actor, sql`f."filial"`))
  for (const [name, asked] of Map.groupBy(is, (one) => one.name)) {
    const of = shownColumn(report, name, reader)
    if (report.fields[name]?.many)
      conditions.push(
        ...asked.map(({ value }) => (value === '' ? sql`cardinality(${of}) = 0` : sql`${value}::text = any(${of})`)),
      )
    else conditions.push(sql`coalesce(${of}::text, '') = any(${asked.map(({ value }) => value)}::text[])`)
  }
  const { own } = report
  if (own && !actor.system && !own.unless.some((permission) => actor.permissions[permission]))
    conditions.push(sql`${column(own.field)} = ${actor.id}::bigint`)
  return conditions
}

/** SQL of the filtered facts: `f`, with every field as a column. */
export function factsSql({ report, facts }: ReportSource, filter: ReportFilter, reader: ReportReader): Sql {
  const { from, until, parameters } = filter
  const { actor } = reader
  const conditions = conditionsSql(report, filter, reader)
  const source = facts({ from, until, parameters, actor, near: nearOf(filter), within: withinOf(filter) })
  return sql`(select f.* from (${source}) f ${conditions.length ? sql`where ${join(conditions, ' and ')}` : empty}) f`
}

/** SQL of a figure over a group of facts. */
export function measureSql(report: Report, measure: Measure): Sql {
  switch (measure.kind) {
    case 'count':
      return measure.of ? sql`count(*) filter (where ${column(measure.of)})` : sql`count(*)`
    case 'sum':
      return sql`coalesce(sum(${column(measure.of)}), 0)`
    case 'distinct':
      return sql`count(distinct ${column(measure.of)})`
    case 'percentile':
      return sql`round((percentile_cont(${measure.at}::float8) within group (order by ${column(measure.of)}::float8))::numeric, 2)`
    case 'ratio': {
      const [top, bottom] = measure.of.map((name) => measureSql(report, report.measures[name] as Measure)) as [Sql, Sql]
      return sql`round((${top})::numeric / nullif((${bottom})::numeric, 0), ${measure.unit === 'share' ? 4 : 2}::int)`
    }
  }
}

/** SQL: a fact contributes to a figure. */
export function inMeasureSql(report: Report, measure: Measure): Sql {
  switch (measure.kind) {
    case 'count':
      return measure.of ? column(measure.of) : sql`true`
    case 'sum':
      return sql`coalesce(${column(measure.of)}, 0) <> 0`
    case 'distinct':
    case 'percentile':
      return sql`${column(measure.of)} is not null`
    case 'ratio':
      return sql`(${join(
        measure.of.map((name) => sql`coalesce(${inMeasureSql(report, report.measures[name] as Measure)}, false)`),
        ' or ',
      )})`
  }
}

/** SQL of an object with all figures, or those named. */
const valuesSql = (report: Report, names: readonly string[] = Object.keys(report.measures)): Sql =>
  sql`jsonb_build_object(${join(
    names.map((name) => sql`${name}::text, ${measureSql(report, report.measures[name] as Measure)}`),
  )})`

/** Instead of the name of a record that is closed to the reader. */
const CLOSED = 'Доступ ограничен'

/** SQL of a record's title. */
export function titleSql(registry: Registry, path: string, id: Sql): Sql {
  const d = registry.at(path)
  const { entity, computed } = d
  const { title } = entity
  if (!title) return sql`'№ ' || ${id}`
  const row = raw('n')
  const made = computed?.[title]
  const text = made
    ? made({
        row,
        me: sql`0::bigint`,
        holds: () => true,
        isNew: false,
        andOwnBranch: () => empty,
        count: () => raw('0'),
      })
    : placedTitle(registry, d, row, raw(`n."${title}"`))
  return sql`(select (${text})::text from ${raw(`"${entity.table}"`)} n where n."id" = ${id})`
}

/** Statement: the title of a record as `name`, or that it is closed to the reader. */
export function shownTitle(reader: ReportReader & { registry: Registry }, path: string, id: number): Sql {
  const of = sql`${id}::bigint`
  const title = titleSql(reader.registry, path, of)
  const closed = closedIdSql(reader, path, of)
  return closed
    ? sql`select case when ${closed} then ${CLOSED}::text else ${title} end as name`
    : sql`select ${title} as name`
}

function groupingSql(report: Report, name: string, reader: ReportReader): Sql {
  if (isTimeUnit(name))
    return name === 'day' ? column('day') : sql`date_trunc(${raw(`'${name}'`)}, ${column('day')})::date`
  const field = fieldOf(report, name)
  if (field?.many) return column('_each')
  if (field?.of) return shownColumn(report, name, reader)
  return field?.labels || field?.type ? column(name) : sql`nullif(${column(name)}::text, '')`
}

/** Source of figures other than the facts: buckets as `f`, and an object of figures over them. */
export interface Counted {
  facts: Sql
  values: Sql
}

export interface FoundGroup {
  level: number
  key: (string | number | boolean | null)[]
  names: (string | null)[]
  values: Record<string, number | null>
}

/**
 * Figures of each group, of each group of the first grouping, and in total: every subtotal is computed from the facts.
 * @param shift how much the days of the facts are shifted forward, for a comparison
 * @param most maximum groups returned, totals first
 * A fact with several values of a field (`many`) is in the group of each, and once in the groups without that field.
 */
export function figuresSql(
  source: ReportSource,
  filter: ReportFilter,
  by: readonly string[],
  {
    actor,
    registry,
    shift,
    most,
    only,
    isNarrow = false,
    counted,
  }: {
    actor: ServerActor
    /** Absent: groups without titles of their records. */
    registry?: Registry | undefined
    shift?: Shift | undefined
    most: number
    /** Names of measures, when not all are needed. */
    only?: readonly string[]
    /** Reads only facts that contribute to the measures of `only`: groups without any are absent. */
    isNarrow?: boolean
    counted?: Counted
  },
): Sql {
  const { report } = source
  const reader = { actor, registry }
  const all = counted?.facts ?? factsSql(source, filter, reader)
  // A part of the facts that never contributes, by its constants, is not read at all.
  const facts =
    isNarrow && only
      ? sql`(select f.* from ${all} where ${join(
          only.map((name) => inMeasureSql(report, report.measures[name] as Measure)),
          ' or ',
        )}) f`
      : all
  const later =
    shift &&
    ('months' in shift
      ? sql`make_interval(months => ${shift.months}::int)`
      : sql`make_interval(days => ${shift.days}::int)`)
  const shifted = later ? sql`(select f.*, (f."day" + ${later})::date as "_day" from ${facts}) f` : facts
  const grouping = (name: string) =>
    later && isTimeUnit(name) ? sql`date_trunc(${raw(`'${name}'`)}, f."_day")::date` : groupingSql(report, name, reader)
  const manyAt = by.findIndex((name) => report.fields[name]?.many)
  const lengths = [...by.keys(), by.length]
  const values = counted?.values ?? valuesSql(report, only)
  /** Groups of some lengths of the keys, over facts that have these keys. */
  const grouped = (of: readonly number[], from: Sql): Sql => {
    const used = by.slice(0, Math.max(...of))
    const keys = used.map((_, at) => raw(`f."_k${at}"`))
    const shownKeys = by.map((_, at) => keys[at] ?? raw(`null as "_k${at}"`))
    if (used.length === 0) return sql`select ${join([sql`0 as level`, ...shownKeys])}, ${values} as values from ${from}`
    const level = sql`${used.length}::int - ${join(
      keys.map((key) => sql`grouping(${key})`),
      ' - ',
    )}`
    return sql`select ${level} as level, ${join(shownKeys)}, ${values} as values
      from (select f.*, ${join(used.map((name, at) => sql`${grouping(name)} as ${raw(`"_k${at}"`)}`))} from ${from}) f
      group by grouping sets (${join(of.map((length) => sql`(${length ? join(keys.slice(0, length)) : empty})`))})`
  }
  const groups =
    manyAt < 0
      ? grouped(lengths, shifted)
      : sql`${grouped(lengths.slice(0, manyAt + 1), shifted)} union all ${grouped(
          lengths.slice(manyAt + 1),
          sql`(select f.*, e.value as "_each" from ${shifted} left join lateral unnest(${column(by[manyAt] as string)}) e(value) on true) f`,
        )}`
  return sql`select g.level, jsonb_build_array(${join(by.length ? by.map((_, at) => raw(`g."_k${at}"`)) : [empty])}) as key,
      jsonb_build_array(${by.length ? join(by.map((name, at) => (registry ? nameSql(registry, report, name, raw(`g."_k${at}"`)) : raw('null::text')))) : empty}) as names, g.values
    from (${groups}) g order by g.level, 2 limit ${most}::int`
}

function nameSql(registry: Registry, report: Report, name: string, key: Sql): Sql {
  const of = fieldOf(report, name)?.of
  return of && !isTimeUnit(name) ? titleSql(registry, of, key) : raw('null::text')
}

export interface RowsAsk {
  /** Only facts that contribute to it. */
  measure?: string | undefined
  /** A field, with `-` for descending. */
  sort?: string | undefined
}

/**
 * SQL of the facts behind a figure, each as `item` with `<field>Name` for references and `_zone` of its branch.
 * @param apart more values of a row, as SQL over the fact `f`
 */
export function rowsSql(
  source: ReportSource,
  filter: ReportFilter,
  { measure, sort }: RowsAsk,
  columns: readonly (readonly [string, ReportField])[],
  { actor, registry, apart }: { actor: ServerActor; registry: Registry; apart?: Readonly<Record<string, Sql>> },
): { items: (page?: { limit: number; offset: number }) => Sql; totals: Sql } {
  const { report } = source
  const reader = { actor, registry }
  const facts = factsSql(source, filter, reader)
  const only = measure ? sql`where ${inMeasureSql(report, report.measures[measure] as Measure)}` : empty
  const names = columns.flatMap(([name, { of }]) => {
    if (!of) return []
    const title = titleSql(registry, of, column(name))
    const closed = closedFactSql(report, name, reader)
    return [
      sql`${`${name}Name`}::text, ${closed ? sql`case when ${closed} then ${CLOSED}::text else ${title} end` : title}`,
    ]
  })
  const more = Object.entries(apart ?? {}).map(([name, made]) => sql`, ${name}::text, ${made}`)
  const zone = report.noFilial ? empty : sql`, '_zone', (select b."timeZone" from filials b where b."id" = f."filial")`
  const closed = report.patient && closedFactSql(report, report.patient, reader)
  const own = (name: string): Sql => {
    const { of, labels, many, type = 'text' }: Partial<ReportField> = fieldOf(report, name) ?? {}
    const value = many ? sql`array_to_string(${column(name)}, ', ')` : shownColumn(report, name, reader)
    // Words of a closed record, and its own number, may reveal whose it is.
    const isRevealing = many || (!of && ((!labels && type === 'text') || name === report.opens?.id))
    return closed && isRevealing ? sql`case when not ${closed} then ${value} end` : value
  }
  const fields = columns.map(([name]) => sql`${name}::text, ${own(name)}`)
  const extra = report.opens ? sql`, '_id', ${own(report.opens.id)}` : empty
  const patient = report.patient ? sql`, '_patient', ${column(report.patient)}` : empty
  return {
    items: (
      page,
    ) => sql`select jsonb_build_object(${join([...fields, ...names])}${join([empty, ...more], '')}${zone}${extra}${patient}) as item
      from (select f.* from ${facts} ${only} order by ${orderSql(report, columns, sort)} ${
        page ? sql`limit ${page.limit}::int offset ${page.offset}::int` : empty
      }) f order by ${orderSql(report, columns, sort)}`,
    totals: sql`select count(*)::int as total, ${valuesSql(report)} as values from ${facts} ${only}`,
  }
}

/** Newest first by default; the rest of the row makes the order total, so that pages do not overlap. */
function orderSql(report: Report, columns: readonly (readonly [string, ReportField])[], sort?: string): Sql {
  const asked = sort?.replace(/^-/, '')
  const parts: Sql[] = []
  if (asked) parts.push(sql`${column(asked)} ${raw(sort?.startsWith('-') ? 'desc nulls last' : 'asc nulls last')}`)
  else {
    const moment = columns.find(([, { type }]) => type === 'moment')?.[0] ?? (report.isNow ? undefined : 'day')
    if (moment) parts.push(sql`${column(moment)} desc nulls last`)
  }
  if (report.opens) parts.push(sql`${column(report.opens.id)} desc nulls last`)
  parts.push(raw('f::text'))
  return join(parts)
}
