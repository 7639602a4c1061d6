import { type AnyField, isVisible } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { badRequest } from '#platform/errors.ts'
import type { Definition } from './define.ts'
import { columnSql } from './filter.ts'
import { shown } from './params.ts'
import { input, name } from './plan.ts'
import { type Env, mayDo } from './scope.ts'
import { isHidden, sealOf } from './sealed.ts'

const MAX_KEYS = 5

export interface SortKey {
  field: string
  f: AnyField
  desc: boolean
  /** The parent's definition, when the field belongs to the parent record. */
  parent?: Definition
}

/**
 * `-dateCreate,name`, always followed by the id, so that the order is total. Also by a field of the parent record, which
 * is visible with it: `task.dateEnd`.
 * @throws HttpError 400 that names an unknown key
 */
export function parseSort(env: Env, d: Definition, text: string | undefined): SortKey[] {
  const keys: SortKey[] = []
  for (const part of (text ?? d.entity.sort ?? 'id').split(',')) {
    const desc = part.trim().startsWith('-')
    const field = part.trim().replace(/^[-+]/, '')
    const parent = parentOf(env, d, field)
    const own = parent ? field.slice(field.indexOf('.') + 1) : field
    const { all } = (parent ?? d).entity
    const found = Object.hasOwn(all, own) ? all[own] : undefined
    // A subquery may return nothing, so the key is treated as nullable.
    const isMasked = isHidden(env, parent ?? d, own)
    const f = found && (parent || isMasked) ? { ...found, nullable: true } : found
    const sortable = f && isReadable(f) && !f.unsortable && (env.actor.system || isVisible(f, env.actor))
    if (!sortable) throw badRequest(`Неизвестный ключ сортировки: ${shown(field)}`)
    if (!keys.some((key) => key.field === field)) keys.push({ field, f, desc, parent })
  }
  if (keys.length > MAX_KEYS) throw badRequest(`В сортировке больше ${MAX_KEYS} ключей`)
  if (!keys.some((key) => key.field === 'id'))
    keys.push({ field: 'id', f: d.entity.all.id as AnyField, desc: keys[0]?.desc ?? false })
  return keys
}

function parentOf(env: Env, { entity }: Definition, field: string): Definition | undefined {
  const reference = entity.within ? entity.fields[entity.within] : undefined
  if (!reference || !isRef(reference) || !field.startsWith(`${reference.as}.`)) return undefined
  const parent = env.registry.at(reference.to)
  return mayDo(env.actor, 'view', parent.entity) ? parent : undefined
}

/** SQL of a sort key. */
export function keySql(env: Env, d: Definition, { field, f, parent }: SortKey, row: Sql): Sql {
  if (!parent) return openColumn(env, d, field, f, row)
  const alias = env.alias()
  const column = openColumn(env, parent, field.slice(field.indexOf('.') + 1), f, alias)
  return sql`(select ${column} from ${name(parent.entity.table)} ${alias} where ${alias}."id" = ${row}.${name(d.entity.within as string)})`
}

/**
 * The order and the cursor reveal nothing hidden in a sealed record, to anybody, even if opened: a position then depends
 * only on the record and can be indexed.
 */
function openColumn(env: Env, d: Definition, field: string, f: AnyField, row: Sql): Sql {
  const column = columnSql(env, d, field, f, row)
  const seal = isHidden(env, d, field) ? sealOf(env, d) : undefined
  return seal ? sql`(case when not (${seal.when({ row, me: env.me })}) then ${column} end)` : column
}

/** Nulls come last in both directions; without nulls one index serves both directions. */
export const direction = (f: AnyField, desc: boolean): Sql =>
  raw(desc ? (f.nullable ? ' desc nulls last' : ' desc') : '')

/** True for a computed field that is the same for every row for this user: PostgreSQL rejects a constant in ORDER BY. */
const isConstant = (key: Sql): boolean => /^[\s(]*(true|false|null)[\s)]*$/i.test(key.sql)

/** ORDER BY list, without the keywords. */
export function orderBy(env: Env, d: Definition, keys: readonly SortKey[], row: Sql): Sql {
  const parts = keys.map((key) => ({ key, by: keySql(env, d, key, row) })).filter(({ by }) => !isConstant(by))
  return join(
    parts.map(({ key, by }) => sql`${by}${direction(key.f, key.desc)}`),
    ', ',
  )
}

/** JSON array of the row's sort values, stored in a cursor. */
export const sortValues = (env: Env, d: Definition, keys: readonly SortKey[], row: Sql): Sql =>
  sql`json_build_array(${join(
    keys.map((key) => sql`${keySql(env, d, key, row)}::text`),
    ', ',
  )})`

export const encodeCursor = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')

/** Condition: rows after a cursor, in the same order; its values are inputs, see `cursorValues`. */
export function afterCursor(env: Env, d: Definition, keys: readonly SortKey[], row: Sql, values: CursorValues): Sql {
  const branches = keys.map((key, i) => {
    const equal = keys.slice(0, i).map((k, j) => sameAs(keySql(env, d, k, row), k, j, values))
    const column = keySql(env, d, key, row)
    return [...equal, beyond(column, key, i, values)].reduce((a, b) => sql`${a} and ${b}`)
  })
  return sql`(${branches.reduce((a, b) => sql`${a} or (${b})`)})`
}

/** Values of a cursor, by sort key. */
export type CursorValues = readonly (string | null)[]

const parameter = (key: SortKey, i: number) => sql`${input(`after${i}`, undefined, true)}::${raw(key.f.column)}`

const sameAs = (column: Sql, key: SortKey, i: number, values: CursorValues) =>
  values[i] === null ? sql`${column} is null` : sql`${column} = ${parameter(key, i)}`

function beyond(column: Sql, key: SortKey, i: number, values: CursorValues): Sql {
  if (values[i] === null) return sql`false`
  const later = sql`${column} ${raw(key.desc ? '<' : '>')} ${parameter(key, i)}`
  return key.f.nullable ? sql`(${later} or ${column} is null)` : later
}

/** @throws HttpError 400 for a cursor of another order */
export function cursorValues(cursor: string, keys: readonly SortKey[]): CursorValues {
  const wrong = () => badRequest('Параметр after не подходит к этому списку')
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrong()
  }
  if (!Array.isArray(values) || values.length !== keys.length) throw wrong()
  for (const [i, value] of values.entries()) {
    const f = keys[i]?.f
    if (value === null ? !f?.nullable : typeof value !== 'string' || value.includes('\0')) throw wrong()
    if (value !== null && f && !fits(f, value as string)) throw wrong()
  }
  return values as (string | null)[]
}

/** True when PostgreSQL accepts the text for the field's type; its formats of times and booleans differ from the wire's. */
function fits(f: AnyField, text: string): boolean {
  if (f.column === 'timestamptz')
    return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/.test(text) && !Number.isNaN(Date.parse(text))
  if (f.column === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (f.column === 'boolean') return text === 'true' || text === 'false'
  if (f.column.startsWith('numeric')) return /^-?\d{1,15}(\.\d{1,40})?$/.test(text)
  if (f.column === 'integer' || f.column === 'bigint') return f.parse(text).ok
  return true
}
