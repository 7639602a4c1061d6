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
import { soughtDigits } from '@ordinator/model/phone'
import { soughtSpelling } from '@ordinator/model/spelling'
import { midnightIn } from '@ordinator/model/zone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import type { Definition, Found, FoundSql } from './define.ts'
import { columnSql, expressionOf, literal } from './filter.ts'
import { and, name } from './plan.ts'
import type { Asked, SearchNarrow } from './records.ts'
import { type Env, mayDo, visible } from './scope.ts'
import { guarded, openSql, sealOf } from './sealed.ts'

/** The newest matches that are ranked: for two common letters the user will type on anyway. */
const MAX_RANKED = 40
/** Further words are ignored. */
const MAX_WORDS = 6
/** Fewer digits are not matched against phones or documents. */
const MIN_DIGITS = 4
/** A word this short matches only at the start of words: no index finds it inside. */
const SHORT = 2

/** Parses the input. A date without a year is in the current year. */
export function askedOf(typed: string, today: string): Asked {
  const text = soughtSpelling(typed, Number(today.slice(0, 4)))
  const asked: Asked = { text, words: text.split(' ').slice(0, MAX_WORDS) }
  const number = /^#?(\d{1,9})$/.exec(text)
  if (number) asked.id = Number(number[1])
  if (/^[\d\s()+.\-–]+$/.test(text) && text.replace(/\D/g, '').length >= MIN_DIGITS) asked.number = text
  const date = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?$/.exec(text)
  if (date) {
    const day = `${date[3] ?? today.slice(0, 4)}-${date[2]?.padStart(2, '0')}-${date[1]?.padStart(2, '0')}`
    if (new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)) asked.day = day
  }
  return asked
}

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
  const matches = matchSql(env, d, found, asked, row)
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
  const told = found.hint?.(about) ?? raw('null')
  const hint = sealOf(env, d) ? sql`case when ${openSql(env, d, t)} then ${told} end` : told
  const start = literal(asked.text)
  const rank = sql`case when f."id" = ${asked.id ?? 0}::bigint then 0 when lower(f.title) = lower(${asked.text}) then 1
    when f.title ilike ${`${start}%`} then 2 when f.title ilike ${`% ${start}%`} then 3 else 4 end`
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
  seen: (other, at) =>
    mayDo(env.actor, 'view', other) ? (visible(env, env.registry.at(other.path), at) ?? raw('true')) : raw('false'),
  holds: (permission) => env.actor.system === true || holds(env.actor, permission),
})

function matchSql(env: Env, d: Definition, { by, day }: Found, asked: Asked, row: Sql): Sql[] {
  const { entity } = d
  const asks = (field: string) => {
    const f = entity.all[field] as AnyField
    return isReadable(f) && (env.actor.system === true || isVisible(f, env.actor))
  }
  const fields = by.filter(asks).map((field): [string, AnyField] => [field, entity.all[field] as AnyField])
  if (fields.length === 0) return []
  const about = { row, me: env.me, principals: env.principals }
  const columns = fields.map(([field, f]) => {
    const column = columnSql(env, d, field, f, row)
    const contains = d.contains?.[field]
    const inside = (pattern: Sql, otherwise: Sql) =>
      guarded(env, d, field, row, contains ? contains(about, pattern) : otherwise, pattern)
    return {
      f,
      /** Condition: the field contains the word. */
      has: (word: string): Sql =>
        word.length > SHORT
          ? inside(patternOf(word), containsSql(column, word))
          : guarded(env, d, field, row, containsSql(column, word), patternOf(word)),
      /** Condition: the field contains these digits. */
      hasDigits: (digits: string): Sql => inside(patternOf(digits), sql`${column} like ${patternOf(digits)}`),
    }
  })
  const any = [
    and(
      asked.words.map(
        (word) =>
          sql`(${join(
            columns.flatMap(({ f, has, hasDigits }) => [
              has(word),
              // A part of a number beside other words: «Орлова 22-33».
              ...(asked.words.length > 1 && soughtDigits(word).length ? readingsOf(f, word) : []).map(hasDigits),
            ]),
            ' or ',
          )})`,
      ),
    ) as Sql,
  ]
  // A number in any format is searched in the stored format of its field.
  if (asked.number !== undefined)
    for (const { f, hasDigits } of columns) any.push(...readingsOf(f, asked.number).map(hasDigits))
  if (asked.id !== undefined) any.push(sql`${row}."id" = ${asked.id}::bigint`)
  if (asked.day && day && asks(day)) any.push(guarded(env, d, day, row, onDay(env, d, day, asked.day, row)))
  return any
}

/** A number as the field may hold it, where that is not as it is written. */
function readingsOf(f: AnyField, written: string): string[] {
  const kept = f.parse(written)
  const readings = f.options.search === 'words' ? soughtDigits(written) : kept.ok ? [String(kept.value)] : []
  return readings.filter((digits) => digits !== written)
}

const patternOf = (text: string): Sql => sql`${`%${literal(text)}%`}::text`

function containsSql(column: Sql, word: string): Sql {
  if (word.length > SHORT) return sql`${column} ~* ${expressionOf(word)}`
  return sql`(${column} ilike ${`${literal(word)}%`} or ${column} ilike ${`% ${literal(word)}%`})`
}

/** The date is in the user's time zone. */
function onDay(env: Env, d: Definition, field: string, day: string, row: Sql): Sql {
  const f = d.entity.all[field] as AnyField
  const column = columnSql(env, d, field, f, row)
  if (f.column === 'date') return sql`${column} = ${day}::date`
  const at = (later: number) => sql`${midnightIn(env.actor.timeZone, day, later)}::timestamptz`
  return sql`(${column} >= ${at(0)} and ${column} < ${at(1)})`
}
