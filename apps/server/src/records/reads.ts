import { maxCount } from '@ordinator/model/count'
import type { AnyField } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { branchScope } from './branches.ts'
import type { Definition, Sight } from './define.ts'
import { columnSql, filterShape, filterSql, wordsApart } from './filter.ts'
import type { ListQuery } from './params.ts'
import { and, input, name, type Plan, readPlan, wantedId, where } from './plan.ts'
import type { Asked } from './records.ts'
import { BUCKET_BITS, bucketOf, bucketsOf } from './schema.ts'
import { aliveSql, type Env, isMine, principalsOnce, sightOf, singly, visible } from './scope.ts'
import { isHidden, openSql, sealedReferences, sealOf } from './sealed.ts'
import { nameTree, selectList } from './select.ts'
import { afterCursor, type CursorValues, cursorValues, orderBy, parseSort, type SortKey, sortValues } from './sort.ts'
import { rankSql, soughtFields, soughtSql } from './sought.ts'

/**
 * Up to this many visible records, the page is picked from all of them; with more, it is picked by a scan in the list's
 * own order, which soon finds enough. Each is fast where the other is not.
 */
const FEW = 2_000
/** A filter that passes fewer than one in so many rows is evaluated first, and visibility only for its results. */
const SPARSE = 10

/** Result of a list statement. */
export interface ListRow {
  /** JSON text of the records. */
  items: string
  more: boolean
  /** Above maxCount: there are more, unless the count is exact. */
  total: number | null
  /** Sort values of the last record, for the cursor. */
  last: unknown[] | null
}

/** Statement of a list: its text depends only on the shape of the query, the values are in `inputs`. */
export function listQuery(env: Env, d: Definition, asked: ListQuery) {
  const q = { ...asked, filter: wordsApart(d, asked.filter) }
  const cursor = q.after ? cursorValues(q.after, parseSort(env, d, q.sort)) : undefined
  const inputs: Record<string, unknown> = { offset: (q.page - 1) * q.limit }
  for (const [i, value] of (cursor ?? []).entries()) inputs[`after${i}`] = value
  const { sort, limit, fields, expand, count, deleted } = q
  const begun = [q.after !== undefined, cursor?.map((value) => value === null), q.page > 1]
  const shape = JSON.stringify([sort, limit, fields, expand, count, deleted, ...begun]) + filterShape(q.filter, inputs)
  return { shape, inputs, make: () => listPlan({ ...env, valueAt: input }, d, q, cursor) }
}

/** Matches that are ranked: with more of them the person will type on. */
const MAX_RANKED = 200

/** A list of the records that typed words match, best first. Its plan depends on the words, so it is not reused. */
export function soughtPlan(env: Env, d: Definition, asked: ListQuery, sought: Asked): Plan {
  const q = { ...asked, filter: wordsApart(d, asked.filter) }
  const made = readPlan(
    principalsOnce(
      env,
      (asking) => listSql(asking, d, q, undefined, undefined, sought),
      (list) => sql`select * from (${list}) list`,
    ),
  )
  return { ...made, named: false }
}

/** The list as one statement. */
export const listPlan = (env: Env, d: Definition, q: ListQuery, cursor?: CursorValues): Plan =>
  readPlan(
    principalsOnce(
      env,
      (asking) => listSql(asking, d, q, cursor),
      (list) => sql`select * from (${list}) list`,
    ),
  )

/** A fixed value for one field of the rows, for a list nested in another statement. */
export interface Only {
  field: string
  of(row: Sql): Sql
}

/**
 * The select of a list: first the ids of the page, then a join with everything shown. Joining late measured twice as fast
 * as expanding before the limit.
 */
export function listSql(
  env: Env,
  d: Definition,
  q: ListQuery,
  cursor?: CursorValues,
  only?: Only,
  sought?: Asked,
): Sql {
  const table = name(d.entity.table)
  const keys = parseSort(env, d, q.sort)
  const limit = raw(String(q.limit))
  const picked = sought ? pickSought(env, d, q, keys, sought) : pickPage(env, d, q, keys, cursor, only)
  const s = env.alias()
  const list = selectList(env, d, s, q.fields && nameTree(q.fields), nameTree(q.expand))
  const last =
    q.after === undefined
      ? raw('null')
      : sql`(select ${sortValues(env, d, keys, s)} from page join ${table} ${s} using ("id") where page.n = ${limit})`
  return sql`with ${picked.few}page as materialized (select id, row_number() over () as n from (${picked.page}) picked)
    select coalesce((
        select json_agg(r.j order by r.n) from (
          select page.n, (select row_to_json(x) from (select ${list}) x) as j
          from page join ${table} ${s} using ("id") where page.n <= ${limit}
        ) r
      ), '[]')::text as items,
      (select count(*) > ${limit} from page) as more,
      ${last} as last,
      ${picked.total} as total`
}

/** The same as `pickPage` for the records that typed words match; without a requested order the best match is first. */
function pickSought(env: Env, d: Definition, q: ListQuery, keys: readonly SortKey[], sought: Asked) {
  const table = name(d.entity.table)
  const fields = soughtFields(d)
  const t = env.alias()
  const ways = fields ? soughtSql(env, d, fields, sought, t) : []
  const [only, ...others] = ways
  const matching = ways.map((way) => sql`select ${t}."id" from ${table} ${t} where ${way}`)
  const condition = and([
    // A single condition may be checked along the list's order, and stops when the page is full.
    !only ? raw('false') : others.length === 0 ? only : sql`${t}."id" in (${join(matching, ' union all ')})`,
    visible(env, d, t, q.deleted),
    filterSql(env, d, q.filter, t),
  ])
  const title = d.entity.title
    ? columnSql(env, d, d.entity.title, d.entity.all[d.entity.title] as AnyField, t)
    : raw(`''`)
  const order = orderBy(env, d, keys, t)
  const best = q.sort === undefined ? sql`${rankSql(raw('f."id"'), raw('f.title'), sought)}, ` : raw('')
  const page = sql`select f."id" from (
      select ${t}."id", (${title})::text as title, row_number() over (order by ${order}) as place
      from ${table} ${t} ${where(condition)} order by ${order} limit ${raw(String(Math.max(MAX_RANKED, q.limit + 1)))}
    ) f order by ${best}f.place limit ${raw(String(q.limit + 1))} offset ${raw(String((q.page - 1) * q.limit))}`
  const total = sql`(select count(*) from (select 1 from ${table} ${t} ${where(condition)} limit ${raw(String(maxCount + 1))}) counted)`
  return { few: raw(''), page, total: q.count ? total : raw('null') }
}

/** Ids of the page, in order, one more than requested; and the total. */
function pickPage(
  env: Env,
  d: Definition,
  q: ListQuery,
  keys: readonly SortKey[],
  cursor: CursorValues | undefined,
  only: Only | undefined,
): { few: Sql; page: Sql; total: Sql } {
  const table = name(d.entity.table)
  const t = env.alias()
  const filter = filterSql(env, d, q.filter, t)
  const base = and([only?.of(t), visible(env, d, t, q.deleted), filter])
  const after = cursor && afterCursor(env, d, keys, t, cursor)
  const isLater = q.after === undefined && q.page > 1
  // Inlined in the text: PostgreSQL chooses other plans for an unknown limit.
  const limit = sql`limit ${raw(String(q.limit + 1))}${isLater ? sql` offset ${input('offset', undefined, true)}` : raw('')}`
  const walk = (condition: Sql | undefined) =>
    sql`select ${t}."id" from ${table} ${t} ${where(and([condition, after]))} order by ${orderBy(env, d, keys, t)} ${limit}`
  const most = q.count === 'exact' ? raw('') : raw(`limit ${maxCount + 1}`)
  const counted = (condition: Sql | undefined) =>
    sql`(select count(*) from (select 1 from ${table} ${t} ${where(condition)} ${most}) counted)`

  // The visibility table knows no branches.
  const sight = q.deleted || branchScope(env, d, t) ? undefined : sightOf(env, d)
  // A group that the visibility table cannot select is small, and has an index of its own.
  if (!sight || (only && !sight.fields?.includes(only.field)))
    return {
      few: raw(''),
      page: isSoughtLatest(d, q, keys)
        ? latestFirst(table, t, and([base, after]), after ? input('after0', undefined, true) : undefined, limit)
        : walk(base),
      total: q.count ? counted(base) : raw('null'),
    }

  const k = env.alias()
  const visibleFilter = new Map([...q.filter].filter(([field]) => sight.fields?.includes(field)))
  const mine = and([sight.living(k), isMine(env, sight, k), only?.of(k), filterSql(env, d, visibleFilter, k)]) as Sql
  const kept = keptOnce(env, sight, k, mine)
  const few = sql`few as materialized (${kept(sql`${k}.${name(sight.id)} as id`)} limit ${raw(String(FEW + 1))}),
    seen as materialized (select ${t}."id" from ${table} ${t} ${where(and([sql`${t}."id" = any(array(select id from few))`, aliveSql(d, t), filter]))}), `
  const isFew = sql`(select count(*) from few) <= ${raw(String(FEW))}`
  const amongFew = and([sql`${t}."id" = any(array(select id from seen))`, isFew])
  const page = sql`(select * from (${walk(amongFew)}) a) union all (select * from (${walk(and([base, sql`not ${isFew}`]))}) b)`
  const t2 = env.alias()
  const isKept = and([sql`${t2}."id" = ${k}.${name(sight.id)}`, filterSql(env, d, q.filter, t2)])
  const alongKept = sql`(select count(*) from (${kept(raw('1'))} and exists (select 1 from ${table} ${t2} where ${isKept} offset 0) ${most}) counted)`
  // When a good part of the visible sample passes the filter, a scan in the list's order soon has enough.
  const isDense = sql`(select count(*) from seen) * ${raw(String(SPARSE))} >= ${raw(String(FEW))}`
  const many = filter
    ? sql`when ${isDense} then ${alongKept} else ${counted(base)}`
    : sql`else (select count(*) from (${kept(raw('1'))} ${most}) counted)`
  return {
    few,
    page,
    total: q.count ? sql`case when ${isFew} then (select count(*) from seen) ${many} end` : raw('null'),
  }
}

/** True when the list searches for words in a field that is searched newest first. */
const isSoughtLatest = (d: Definition, q: ListQuery, [key]: readonly SortKey[]): boolean =>
  key?.field === 'id' &&
  key.desc &&
  (q.after !== undefined || q.page === 1) &&
  [...q.filter].some(
    ([field, value]) =>
      value instanceof Map && value.has('ilike') && d.entity.fields[field]?.options.search === 'latest',
  )

/** Consecutive steps of the search: buckets of an id range each, starting so many before the latest. */
const STEPS = [
  { size: 0, from: 0, many: 2 },
  { size: 1, from: 0, many: 2 },
  { size: 2, from: 0, many: 2 },
  { size: 2, from: 2, many: 8 },
] as const

/**
 * Searches ids from the latest on, in steps; PostgreSQL stops once a page is full. The index combines id buckets and
 * words, so that a step costs its own buckets only; "id" + 0 keeps PostgreSQL from scanning id by id, whose cost it
 * underestimates.
 * @param before the page ends before this id; absent: from the latest
 */
function latestFirst(table: Sql, t: Sql, condition: Sql | undefined, before: Sql | undefined, limit: Sql): Sql {
  const top = sql`(select at from top)`
  const bits = (size: number) => raw(String(BUCKET_BITS[size]))
  /** First id of the earliest bucket of a step. */
  const floor = ({ size, from, many }: (typeof STEPS)[number]) =>
    sql`(((${top} >> ${bits(size)}) - ${raw(String(from + many - 1))}) << ${bits(size)})`
  const steps = STEPS.map(({ size, from, many }, i) => {
    const buckets = sql`array(select ${raw(bucketOf('b', size))} from (select (${top} >> ${bits(size)}) - n as b
      from generate_series(${raw(String(from))}, ${raw(String(from + many - 1))}) n) numbers)`
    const earlier = STEPS[i - 1]
    return sql`(${buckets}, ${earlier ? floor(earlier) : sql`${top} + 1`})`
  })
  const found = (which: Sql) =>
    sql`select ${t}."id" from ${table} ${t} ${where(and([condition, which]))} order by ${t}."id" + 0 desc ${limit}`
  const inStep = sql`${raw(bucketsOf((column) => `${t.sql}.${column}`))} && step.buckets and ${t}."id" < step.below`
  const rest = floor(STEPS.at(-1) as (typeof STEPS)[number])
  return sql`with top as materialized (select ${before ? sql`${before}::bigint - 1` : sql`(select max("id") from ${table})`} as at)
    select "id" from (
      (select f."id" from (values ${join(steps, ', ')}) step (buckets, below) cross join lateral (${found(inStep)}) f ${limit})
      union all (${found(sql`${rest} > 0 and ${t}."id" < ${rest}`)})
    ) found ${limit}`
}

/** Select over the visibility rows of the actor, one per record. */
function keptOnce(env: Env, sight: Sight, k: Sql, mine: Sql): (list: Sql) => Sql {
  const earlier = env.alias()
  const again = sight.again?.(k, earlier)
  const once = again
    ? sql`and not (${again.condition} and exists (select 1 from ${name(sight.table)} ${earlier} where ${again.earlier} and ${isMine(env, sight, earlier)} offset 0))`
    : raw('')
  return (list) => sql`select ${list} from ${name(sight.table)} ${k} where ${mine} ${once}`
}

/** True when the query requests more than a sealed record shows. */
const showsSealed = (env: Env, d: Definition, { fields, expand }: Pick<ListQuery, 'fields' | 'expand'>): boolean =>
  sealOf(env, d) !== undefined && (!fields || expand.length > 0 || fields.some((field) => isHidden(env, d, field)))

/** One record by id, as JSON text in `item`; `isOpen` is false when it is sealed for the actor. */
export function viewPlan(env: Env, d: Definition, q: Pick<ListQuery, 'fields' | 'expand' | 'deleted'>): Plan {
  const item = (asking: Env) => {
    const t = asking.alias()
    const list = selectList(singly(asking), d, t, q.fields && nameTree(q.fields), nameTree(q.expand))
    const condition = and([sql`${t}."id" = ${wantedId}`, visible(asking, d, t, q.deleted)])
    const isOpen = showsSealed(asking, d, q) ? openSql(asking, d, t) : raw('true')
    return sql`select row_to_json(x)::text as item, "isOpen"
      from ${name(d.entity.table)} ${t} cross join lateral (select ${list}) x cross join lateral (select ${isOpen} as "isOpen") o ${where(condition)}`
  }
  return readPlan(principalsOnce(env, item))
}

/** Whether the visible record is open to the actor. */
export function openPlan(env: Env, d: Definition, deleted: boolean | 'any'): Plan {
  const t = env.alias()
  const isVisible = and([sql`${t}."id" = ${wantedId}`, visible(env, d, t, deleted)])
  return readPlan(sql`select ${openSql(env, d, t)} as "isOpen" from ${name(d.entity.table)} ${t} ${where(isVisible)}`)
}

/**
 * The sealed record that a row refers to; null: the record that it is within does. No row: it does not exist for the actor.
 */
export function sealedPlan(env: Env, d: Definition, deleted: boolean | 'any'): Plan {
  const t = env.alias()
  const isVisible = and([sql`${t}."id" = ${wantedId}`, visible(env, d, t, deleted)])
  const own = sealedReferences(env.registry, d).map(({ by }) => sql`${t}.${name(by)}`)
  const card = own.length ? sql`coalesce(${join(own, ', ')})` : raw('null')
  return readPlan(sql`select ${card}::int as "sealed" from ${name(d.entity.table)} ${t} ${where(isVisible)}`)
}

/** Rows of an export, one JSON text each, without a limit. */
export function exportSql(env: Env, d: Definition, q: ListQuery): Sql {
  const t = env.alias()
  const list = selectList(env, d, t, q.fields && nameTree(q.fields), nameTree(q.expand))
  const open = sealOf(env, d) && openSql(env, d, t)
  const condition = and([visible(env, d, t, q.deleted), open, filterSql(env, d, q.filter, t)])
  return sql`select (select row_to_json(x) from (select ${list}) x) as item
    from ${name(d.entity.table)} ${t} ${where(condition)} order by ${orderBy(env, d, parseSort(env, d, q.sort), t)}`
}
