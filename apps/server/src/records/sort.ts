import { type AnyField, isVisible } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { badRequest } from '../platform/errors.ts'
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
  /** The field is of the record that this one is within. */
  parent?: Definition
}

/**
 * `-dateCreate,name`, always ended by the id, so that an order is total. By a field of the record that this one is
 * within too, which is seen with it: `task.dateEnd`.
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
    // A subquery may find nothing, so its place in the order is that of what can be empty.
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

/** SQL of what a row is sorted by. */
export function keySql(env: Env, d: Definition, { field, f, parent }: SortKey, row: Sql): Sql {
  if (!parent) return openColumn(env, d, field, f, row)
  const alias = env.alias()
  const column = openColumn(env, parent, field.slice(field.indexOf('.') + 1), f, alias)
  return sql`(select ${column} from ${name(parent.entity.table)} ${alias} where ${alias}."id" = ${row}.${name(d.entity.within as string)})`
}

/**
 * The order, as the cursor, tells nothing of what a sealed record hides: to nobody, whoever has opened it, so that a place
 * in it depends on the record alone and an index can keep it.
 */
function openColumn(env: Env, d: Definition, field: string, f: AnyField, row: Sql): Sql {
  const column = columnSql(env, d, field, f, row)
  const seal = isHidden(env, d, field) ? sealOf(env, d) : undefined
  return seal ? sql`(case when not (${seal.when({ row, me: env.me })}) then ${column} end)` : column
}

/** What is empty comes last either way; where nothing can be, indexes serve both directions. */
export const direction = (f: AnyField, desc: boolean): Sql =>
  raw(desc ? (f.nullable ? ' desc nulls last' : ' desc') : '')

/** What a computed field is of every row alike, for this asker: it orders nothing, and PostgreSQL takes no constant there. */
const isConstant = (key: Sql): boolean => /^[\s(]*(true|false|null)[\s)]*$/i.test(key.sql)

/** ORDER BY without its words. */
export function orderBy(env: Env, d: Definition, keys: readonly SortKey[], row: Sql): Sql {
  const parts = keys.map((key) => ({ key, by: keySql(env, d, key, row) })).filter(({ by }) => !isConstant(by))
  return join(
    parts.map(({ key, by }) => sql`${by}${direction(key.f, key.desc)}`),
    ', ',
  )
}

/** JSON array of the row's sort values, which a cursor carries. */
export const sortValues = (env: Env, d: Definition, keys: readonly SortKey[], row: Sql): Sql =>
  sql`json_build_array(${join(
    keys.map((key) => sql`${keySql(env, d, key, row)}::text`),
    ', ',
  )})`

export const encodeCursor = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')

/** The rows behind a cursor, in the same order; its values come as inputs, see `cursorValues`. */
export function afterCursor(env: Env, d: Definition, keys: readonly SortKey[], row: Sql, values: CursorValues): Sql {
  const branches = keys.map((key, i) => {
    const equal = keys.slice(0, i).map((k, j) => sameAs(keySql(env, d, k, row), k, j, values))
    const column = keySql(env, d, key, row)
    return [...equal, beyond(column, key, i, values)].reduce((a, b) => sql`${a} and ${b}`)
  })
  return sql`(${branches.reduce((a, b) => sql`${a} or (${b})`)})`
}

/** The values of a cursor, by the keys of its order. */
export type CursorValues = readonly (string | null)[]

const parameter = (key: SortKey, i: number) => sql`${input(`after${i}`, undefined, true)}::${raw(key.f.column)}`

const sameAs = (column: Sql, key: SortKey, i: number, values: CursorValues) =>
  values[i] === null ? sql`${column} is null` : sql`${column} = ${parameter(key, i)}`

function beyond(column: Sql, key: SortKey, i: number, values: CursorValues): Sql {
  if (values[i] === null) return sql`false`
  const later = sql`${column} ${raw(key.desc ? '<' : '>')} ${parameter(key, i)}`
  return key.f.nullable ? sql`(${later} or ${column} is null)` : later
}

/** @throws HttpError 400 for a cursor that is not one of this order */
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

/** Whether PostgreSQL will take the text for the field's type; its own texts of times and booleans differ from the wire's. */
function fits(f: AnyField, text: string): boolean {
  if (f.column === 'timestamptz')
    return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/.test(text) && !Number.isNaN(Date.parse(text))
  if (f.column === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (f.column === 'boolean') return text === 'true' || text === 'false'
  if (f.column.startsWith('numeric')) return /^-?\d{1,15}(\.\d{1,40})?$/.test(text)
  if (f.column === 'integer' || f.column === 'bigint') return f.parse(text).ok
  return true
}
