/** Figures and rows of a report. */
import { columnsOf, isTimeUnit, type Measure, type Report, type TimeUnit } from '@ordinator/model/report'
import type { ReportFigures, ReportGroupRow, ReportRows } from '@ordinator/model/reportCalls'
import { bucketOf, periodBefore, type Shift } from '@ordinator/model/reportPeriod'
import { type CompareWith, conditionText, MAX_GROUPS } from '@ordinator/model/reportWire'
import { plusDays } from '@ordinator/model/zone'
import sql, { join } from 'sql-template-tag'
import type { Lane, Queryable } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Registry } from '#records/define.ts'
import { type FoundGroup, figuresSql, type ReportFilter, type RowsAsk, rowsSql } from '#records/reports/reportSql.ts'
import { grainOf, isCovered, rolledFactsSql, rolledMeasureSql, setOf } from '#records/reports/rollup.ts'
import type { ReportSource } from '#records/reports/source.ts'
import { liveDays, nameOf, type RolledSource } from './rollups.ts'

interface Reading {
  /** Without `tx` it reads from one snapshot already. */
  db: Queryable | Lane
  registry: Registry
  actor: ServerActor
  /** In the background: no figure is postponed. */
  inBackground?: boolean
}

/** How people read reports: from the replica if there is one. */
export const readingOf = ({ db, registry }: Pick<AppContext, 'db' | 'registry'>, actor: ServerActor): Reading => ({
  db: db.broad,
  registry,
  actor,
})

/** Maximum groups for the server's own counts. */
const MOST_GROUPS = 50_000

/** No data is older. */
const FIRST_DAY = '2015-01-01'

const keyText = (key: FoundGroup['key']) => JSON.stringify(key)

/** Number of facts above which percentiles, which no rollup has, and distinct counts from sets are left to a background count. */
const MOST_FACTS = 1_500_000
const MOST_IN_SETS = 20_000_000

/** @param compare the period with which each group is compared */
export function readFigures(
  reading: Reading,
  source: ReportSource,
  filter: ReportFilter,
  by: readonly string[],
  compare?: CompareWith,
): Promise<ReportFigures> {
  const { db } = reading
  const rolled = isCovered(source, filter, by) ? (source as RolledSource) : undefined
  if (!rolled || !('tx' in db)) return figuresOf(reading, source, filter, by, { compare, rolled })
  // Rollup days and live days are read from one snapshot; otherwise a visit moved meanwhile would be counted twice.
  return db.tx((tx) => figuresOf({ ...reading, db: tx }, source, filter, by, { compare, rolled }), {
    isolation: 'repeatable read',
    readOnly: true,
  })
}

/**
 * Some measures of a report by groups, without titles, for what counts with them: KPI, advertising. From one snapshot
 * if `db` is one.
 */
export const readMeasures = (
  db: Queryable,
  source: ReportSource,
  filter: ReportFilter,
  by: readonly string[],
  only: readonly string[],
): Promise<FoundGroup[]> => {
  const rolled = isCovered(source, filter, by) ? (source as RolledSource) : undefined
  return groupsOf(
    { db, actor: systemActor, inBackground: true },
    { source, rolled, later: new Set(), only },
    filter,
    by,
  )
}

interface Asked {
  compare: CompareWith | undefined
  rolled: RolledSource | undefined
}

async function figuresOf(
  reading: Reading,
  source: ReportSource,
  filter: ReportFilter,
  by: readonly string[],
  { compare, rolled }: Asked,
): Promise<ReportFigures> {
  const { report } = source
  const earlier = compare && !report.isNow ? periodBefore(filter, compare) : undefined
  const later = new Set<string>()
  const [found, past] = await Promise.all([
    groupsOf(reading, { source, rolled, later }, filter, by),
    earlier ? groupsOf(reading, { source, rolled, later }, { ...filter, ...earlier.period }, by, earlier.shift) : [],
  ])
  const before = new Map(past.map(({ key, level, values }) => [keyText(key.slice(0, level)), values]))
  const row = ({ level, key, names, values }: FoundGroup): ReportGroupRow => {
    const own = key.slice(0, level)
    const past = before.get(keyText(own))
    return {
      level,
      key: own,
      names: names.slice(0, level),
      values,
      ...(past ? { before: past } : {}),
      rows: behind(filter, by, own, (name) => report.fields[name]?.many === true),
    }
  }
  const [total, ...groups] = found.map(row)
  const balance = report.balance
    ? await balanceOf(reading, { source, rolled, later: new Set() }, filter, total?.values[report.balance] ?? 0)
    : undefined
  return {
    from: filter.from,
    until: filter.until,
    ...(earlier ? { before: earlier.period } : {}),
    by: [...by],
    ...(balance ? { balance } : {}),
    ...(later.size ? { later: [...later] } : {}),
    isCut: groups.length > MAX_GROUPS,
    counted: new Date().toISOString(),
    total: total as ReportGroupRow,
    groups: ordered(report, by, groups.slice(0, MAX_GROUPS)),
  }
}

interface From {
  source: ReportSource
  rolled: RolledSource | undefined
  /** Names of postponed figures. */
  later: Set<string>
  /** Absent: all measures. */
  only?: readonly string[]
}

/** Groups of a period, from the rollup where available. */
async function groupsOf(
  { db, registry, actor, inBackground = false }: Omit<Reading, 'registry'> & Partial<Pick<Reading, 'registry'>>,
  { source, rolled, later, only }: From,
  filter: ReportFilter,
  by: readonly string[],
  shift?: Shift,
): Promise<FoundGroup[]> {
  const { report } = source
  const names = only ?? Object.keys(report.measures)
  const asked = { actor, registry, shift, only: names, most: registry ? MAX_GROUPS + 2 : MOST_GROUPS }
  const live = rolled && (await liveDays(db, rolled, filter))
  if (!rolled || !live) return db.query<FoundGroup>(figuresSql(source, filter, by, asked))
  const grain = grainOf(rolled, filter, by)
  const sets = Map.groupBy(names, (name) => setOf(rolled, report.measures[name] as Measure, grain))
  const of = { name: nameOf(rolled), grain, live }
  /** Figures that the buckets answer, unfolded by one set. */
  const counted = (set: string, names: readonly string[]) =>
    db.query<FoundGroup>(
      figuresSql(source, filter, by, {
        ...asked,
        counted: {
          facts: rolledFactsSql(rolled, of, filter, asked, set),
          values: sql`jsonb_build_object(${join([
            ...(set ? [] : [sql`'_n', sum(f."_n")`]),
            ...names.map((name) => sql`${name}::text, ${rolledMeasureSql(rolled, name, grain, set)}`),
          ])})`,
        },
      }),
    )
  const groups = await counted('', sets.get('') ?? [])
  const facts = Number(groups[0]?.values._n ?? 0)
  const parts: FoundGroup[] = []
  for (const [set, part] of sets) {
    if (set === '') continue
    if (!inBackground && facts > (set === undefined ? MOST_FACTS : MOST_IN_SETS))
      for (const name of part) later.add(name)
    else if (set !== undefined) parts.push(...(await counted(set, part)))
    else
      parts.push(
        ...(await db.query<FoundGroup>(figuresSql(source, filter, by, { ...asked, only: part, isNarrow: true }))),
      )
  }
  const found = new Map<string, FoundGroup['values']>()
  for (const { level, key, values } of parts) {
    const group = `${level} ${keyText(key)}`
    found.set(group, { ...found.get(group), ...values })
  }
  // A group without any fact of a distinct count is absent from the narrow count.
  const none = (name: string) => (!later.has(name) && report.measures[name]?.kind === 'distinct' ? 0 : null)
  return groups.map((group) => {
    const all: FoundGroup['values'] = { ...group.values, ...found.get(`${group.level} ${keyText(group.key)}`) }
    return { ...group, values: Object.fromEntries(names.map((name) => [name, all[name] ?? none(name)])) }
  })
}

/** A running sum before and after the period: the same facts under the same conditions, of earlier days. */
async function balanceOf(
  reading: Reading,
  { source, rolled, later }: From,
  filter: ReportFilter,
  turnover: number,
): Promise<NonNullable<ReportFigures['balance']>> {
  const { balance = '' } = source.report
  const [from, until] = [FIRST_DAY, plusDays(filter.from, -1)]
  const found = until < from ? [] : await groupsOf(reading, { source, rolled, later }, { ...filter, from, until }, [])
  const opening = found[0]?.values[balance] ?? 0
  return { opening, closing: Math.round((opening + turnover) * 100) / 100, from, until }
}

/** The exact days and conditions of a group. */
function behind(
  filter: ReportFilter,
  by: readonly string[],
  key: FoundGroup['key'],
  isMany: (name: string) => boolean,
): ReportGroupRow['rows'] {
  let { from, until } = filter
  // The group's own value replaces the several values asked of its field.
  const narrowed = new Set(key.map((_, at) => by[at]).filter((name) => name && !isMany(name)))
  const is = filter.is.filter(({ name }) => !narrowed.has(name)).map(({ name, value }) => conditionText(name, value))
  for (const [at, value] of key.entries()) {
    const name = by[at] as string
    if (!isTimeUnit(name)) is.push(conditionText(name, value))
    else if (value !== null) ({ from, until } = bucketOf(name as TimeUnit, String(value), { from, until }))
  }
  return { from, until, is }
}

/** Time, days and ordered codes are ascending; other groups by the largest value. Nested groups follow their group. */
function ordered(report: Report, by: readonly string[], groups: ReportGroupRow[]): ReportGroupRow[] {
  const [main = ''] = report.chart?.length ? report.chart : Object.keys(report.measures)
  const compare = (at: number) => (a: ReportGroupRow, b: ReportGroupRow) => {
    const [one, other] = [a.key[at] ?? null, b.key[at] ?? null]
    const name = by[at] as string
    const { type, ordered } = report.fields[name] ?? {}
    if (isTimeUnit(name) || type === 'day' || ordered) return String(one) < String(other) ? -1 : 1
    return (b.values[main] ?? 0) - (a.values[main] ?? 0) || (String(one) < String(other) ? -1 : 1)
  }
  const inner = Map.groupBy(
    groups.filter(({ level }) => level === 2),
    ({ key }) => keyText([key[0] ?? null]),
  )
  return groups
    .filter(({ level }) => level === 1)
    .toSorted(compare(0))
    .flatMap((group) => [group, ...(inner.get(keyText(group.key)) ?? []).toSorted(compare(1))])
}

/** @throws HttpError 400 for a sort by an unknown column */
export async function readRows(
  { db, registry, actor }: Reading,
  source: ReportSource,
  filter: ReportFilter,
  ask: RowsAsk,
  { page, limit }: { page: number; limit: number },
): Promise<ReportRows & { patients: number[] }> {
  const columns = columnsOf(source.report)
  assertSort(columns, ask.sort)
  const { items, totals } = rowsSql(source, filter, ask, columns, { actor, registry })
  const [found, counted] = await Promise.all([
    db.query<{ item: Record<string, unknown> }>(items({ limit, offset: (page - 1) * limit })),
    db.one<{ total: number; values: ReportRows['values'] }>(totals),
  ])
  const { total = 0, values = {} } = counted ?? {}
  const patients = [...new Set(found.flatMap(({ item }) => (item._patient ? [Number(item._patient)] : [])))]
  return {
    items: found.map(({ item: { _patient, ...item } }) => item),
    total,
    values,
    page,
    hasMore: page * limit < total,
    patients,
  }
}

export function assertSort(columns: readonly (readonly [string, unknown])[], sort?: string): void {
  if (sort && !columns.some(([name]) => name === sort.replace(/^-/, '')))
    throw badRequest(`Параметр sort: неизвестное поле ${sort.slice(0, 40)}`)
}
