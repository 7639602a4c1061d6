/**
 * Global search: one statement over all searchable entities, each with the user's rights. The input is recognised by its
 * form: a phone number in any format, a date, `#123`, else words that must all occur in the record. Exact matches come
 * first, then prefixes, then the rest, newest first; the group with the best match leads.
 */
import { holds } from '@ordinator/model/access'
import { type AnyField, isVisible } from '@ordinator/model/entity'
import { isReadable, isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { midnightIn } from '@ordinator/model/zone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import type { Definition, Found, FoundSql } from './define.ts'
import { columnSql } from './filter.ts'
import { and, name } from './plan.ts'
import type { Asked, SearchNarrow } from './records.ts'
import { type Env, mayDo, visible } from './scope.ts'
import { guarded, openSql, sealOf } from './sealed.ts'
import { rankSql, soughtSql } from './sought.ts'

/** The newest matches that are ranked: for two common letters the user will type on anyway. */
const MAX_RANKED = 40
/**
 * @param most maximum records of each entity
 * @param narrow filters of the result
 * @returns undefined when the actor may search nothing
 */
export function searchSql(env: Env, asked: Asked, most: number, narrow: SearchNarrow = {}): Sql | undefined {
  const parts = env.registry.definitions.flatMap((d) => {
    const part =
      d.found &&
      (narrow.kind === undefined || narrow.kind === d.entity.path) &&
      mayDo(env.actor, 'view', d.entity) &&
      mayOpen(env.actor, d.found)
        ? partSql(env, d, d.found, asked, most, narrow)
        : undefined
    return part ? [part] : []
  })
  if (parts.length === 0) return undefined
  return sql`select * from (${join(parts, ' union all ')}) f
    order by min(rank) over (partition by n), n, rank, id desc`
}

/** True when the user may open one of its pages; otherwise the link would lead to an error page. */
const mayOpen = (actor: ServerActor, { on }: Found): boolean =>
  actor.system === true || [on].flat().some((key) => pageAllowed(pageByKey(key), actor))

function partSql(
  env: Env,
  d: Definition,
  found: Found,
  asked: Asked,
  most: number,
  narrow: SearchNarrow,
): Sql | undefined {
  const { entity } = d
  const [row, t] = [env.alias(), env.alias()]
  const matches = soughtSql(env, d, found, asked, row)
  if (matches.length === 0) return undefined
  const within = narrowSql(env, d, found, narrow, row)
  if (!within) return undefined
  const title = entity.title as string
  const table = name(entity.table)
  const sees = visible(env, d, row)
  // Each interpretation of the input is a separate query: one query with «or» would scan the whole table for rare ones.
  const newest = (matching: Sql) => sql`(
    select ${row}."id", (${columnSql(env, d, title, entity.all[title] as AnyField, row)})::text as title
    from ${table} ${row} where ${and([matching, sees, ...within])}
    order by ${row}."id" desc limit ${raw(String(MAX_RANKED))})`
  const about = foundSql(env, t)
  const hintSql = found.hint?.(about) ?? raw('null')
  const hint = sealOf(env, d) ? sql`case when ${openSql(env, d, t)} then ${hintSql} end` : hintSql
  const rank = rankSql(raw('f."id"'), raw('f.title'), asked)
  // Groups of equal rank are ordered by declaration.
  const n = raw(String(env.registry.definitions.indexOf(d)))
  return sql`(select ${n}::int as n, ${entity.path}::text as path, x."id" as id, x.title, x.hint, x.link, x.rank from (
      select f.*, (${hint})::text as hint, (${found.opens(about)})::text as link from (
        select f."id", f.title, ${rank} as rank from (
          ${join(matches.map(newest), ' union ')}
        ) f order by rank, f."id" desc limit ${raw(String(most * 2))}
      ) f join ${table} ${t} on ${t}."id" = f."id"
    ) x where x.link is not null order by x.rank, x.id desc limit ${raw(String(most + 1))})`
}

/** Conditions of the filters; undefined: records of this entity have no such date or person. */
function narrowSql(env: Env, d: Definition, found: Found, narrow: SearchNarrow, row: Sql): Sql[] | undefined {
  const { entity } = d
  const asks = (field: string | undefined): field is string => {
    const f = field === undefined ? undefined : entity.all[field]
    return f !== undefined && isReadable(f) && isVisible(f, env.actor)
  }
  const conditions: Sql[] = []
  if (narrow.from || narrow.to) {
    const day =
      found.narrowedBy ??
      found.day ??
      Object.entries(entity.fields).find(([, f]) => f.options.auto === 'created' && isStored(f))?.[0]
    if (!asks(day)) return undefined
    const column = columnSql(env, d, day, entity.all[day] as AnyField, row)
    const isDay = (entity.all[day] as AnyField).column === 'date'
    const at = (text: string, later: number) =>
      isDay ? sql`${text}::date + ${later}::int` : sql`${midnightIn(env.actor.timeZone, text, later)}::timestamptz`
    if (narrow.from) conditions.push(guarded(env, d, day, row, sql`${column} >= ${at(narrow.from, 0)}`))
    if (narrow.to) conditions.push(guarded(env, d, day, row, sql`${column} < ${at(narrow.to, 1)}`))
  }
  if (narrow.person !== undefined) {
    const fields = Object.entries(entity.fields).filter(
      ([name, f]) => isRef(f) && f.to === env.registry.people.entity.path && isStored(f) && asks(name),
    )
    if (entity.path === env.registry.people.entity.path) conditions.push(sql`${row}."id" = ${narrow.person}`)
    else if (fields.length === 0) return undefined
    else
      conditions.push(
        sql`(${join(
          fields.map(([field]) => sql`${row}.${name(field)} = ${narrow.person}`),
          ' or ',
        )})`,
      )
  }
  return conditions
}

/** Context for an area's SQL about one of its rows. */
export const foundSql = (env: Env, row: Sql): FoundSql => ({
  row,
  me: env.me,
  visible: (other, at) =>
    mayDo(env.actor, 'view', other) ? (visible(env, env.registry.at(other.path), at) ?? raw('true')) : raw('false'),
  holds: (permission) => env.actor.system === true || holds(env.actor, permission),
})
