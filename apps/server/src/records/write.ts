import type { AnyField, Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import { isPosition, type PositionField } from '@ordinator/model/fields/position'
import { isRef } from '@ordinator/model/fields/ref'
import { isRefs } from '@ordinator/model/fields/refs'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'
import { FOREIGN, foreignBranches } from './branches.ts'
import type { About, Definition } from './define.ts'
import { and, input, me, name, type Plan, plan, query, where } from './plan.ts'
import { type Env, scopeOf, singly, visible } from './scope.ts'
import { openSql } from './sealed.ts'
import { selectList, wireSql } from './select.ts'

export type Values = Record<string, unknown>
/** `{ field: [from, to] }` */
export type Changes = Record<string, [unknown, unknown]>

type Column = readonly [field: string, f: AnyField]
interface Columns {
  stored: readonly Column[]
  /** The same by their names. */
  byName: ReadonlyMap<string, AnyField>
  references: readonly Column[]
  /** Fields that group positions. */
  groups: ReadonlySet<string>
}

/** Facts of a declaration needed by every write, cached. */
const columnsOf = new WeakMap<Entity, Columns>()
function columns(entity: Entity): Columns {
  let found = columnsOf.get(entity)
  if (!found) {
    const all = Object.entries(entity.fields)
    const stored = all.filter(([, f]) => isStored(f))
    found = {
      stored,
      byName: new Map(stored),
      references: all.filter(([, f]) => isRef(f) || isRefs(f)),
      groups: new Set(stored.flatMap(([, f]) => groupOf(f))),
    }
    columnsOf.set(entity, found)
  }
  return found
}
const stored = (entity: Entity): readonly Column[] => columns(entity).stored

/** @throws Error when the entity has no such column */
export function storedOf(entity: Entity, field: string): AnyField {
  const f = Object.hasOwn(entity.fields, field) ? entity.fields[field] : undefined
  if (!f || !isStored(f)) throw new Error(`${entity.path}: ${field} is no column`)
  return f
}

/** A parameter of the column's type. */
export function parameter(f: AnyField, value: unknown): Sql {
  return sql`${toSql(f, value)}::${raw(f.column)}`
}

/** A value for the driver. */
const toSql = (f: AnyField, value: unknown): unknown =>
  value === null || value === undefined ? null : f.toSql ? f.toSql(value) : value

/** Inputs of an insert's plan: the given values, and the changes for history. */
export function insertInputs(actor: ServerActor, { entity }: Definition, values: Values): Values {
  const inputs: Values = { '#requestId': actor.requestId ?? null }
  const changes: Changes = {}
  const { byName } = columns(entity)
  for (const field of Object.keys(values)) {
    const f = byName.get(field)
    const value = values[field]
    if (!f || value === undefined) continue
    inputs[field] = toSql(f, value)
    if (value !== null) changes[field] = [null, value]
  }
  inputs['#changes'] = JSON.stringify(changes)
  return inputs
}

/** Shape of an insert: the given fields. */
export function insertShape({ entity }: Definition, values: Values): string {
  const { byName, groups } = columns(entity)
  let shape = ''
  for (const field of Object.keys(values)) {
    const value = values[field]
    if (value === undefined || !byName.has(field)) continue
    shape += value === null && groups.has(field) ? `,${field} null` : `,${field}`
  }
  return shape
}

/**
 * Inserts a row and its history line in one statement, if it is within the actor's scope; bound with `insertInputs`.
 * Returns no row when it is not.
 * @param given which fields have values; the values themselves are inputs
 */
export function insertPlan(env: Env, d: Definition, given: Values): Plan {
  const { entity } = d
  const fields = stored(entity)
  const proposed = env.alias()
  const columns = fields.map(([field, f]) => sql`${initial(env, entity, f, field, given)} as ${name(field)}`)
  const scope = scopeOf(env, d, 'create', proposed)
  const list = join(
    fields.map(([field]) => name(field)),
    ', ',
  )
  return plan(sql`with made as (
      insert into ${name(entity.table)} (${list})
      select ${list} from (select ${join(columns, ', ')}) ${proposed} ${where(scope)}
      returning *
    ), noted as (${noteSql(d, 'create', input('#changes'), sql`nullif(${me}, 0)`, input('#requestId'), raw('made'))})
    select (select row_to_json(x) from (select ${selectList(singly({ ...env, isNew: true }), d, raw('made'), undefined, {})}) x)::text as item, made."id" from made`)
}

/** Initial value of a column: the given one, the server's automatic one, or the default. */
function initial(env: Env, entity: Entity, f: AnyField, field: string, given: Values): Sql {
  if (given[field] !== undefined) return sql`${input(field)}::${raw(f.column)}`
  if (isPosition(f)) return endOfGroup(entity, f, field, given)
  return autoValue(env, f)
}

/** Automatic value of a column, or its default. */
export function autoValue(env: Env, f: AnyField): Sql {
  // The server itself is null: its code sets the person for whom it writes.
  if (f.options.auto === 'actor' || f.options.auto === 'asker' || f.options.auto === 'editor')
    return env.actor.id === 0 ? raw('null::bigint') : me
  if (f.options.auto) return raw('now()')
  const value = f.options.default ?? null
  // Inlined: each parameter costs time in a statement that runs thousands of times.
  if (value === null || typeof value === 'boolean') return raw(`${value}::${f.column}`)
  return parameter(f, value)
}

function endOfGroup(entity: Entity, f: PositionField, field: string, given: Values): Sql {
  const group = and([
    ...groupOf(f).map((by) => {
      // `is not distinct from` would cover both, but uses no index.
      if (given[by] === undefined || given[by] === null) return sql`g.${name(by)} is null`
      return sql`g.${name(by)} = ${input(by)}::${raw((entity.fields[by] as AnyField).column)}`
    }),
    entity.soft ? raw('not g."deleted"') : undefined,
  ])
  const first = f.options.start === 'first'
  const end = first ? sql`floor(min(g.${name(field)})) - 1` : sql`ceil(max(g.${name(field)})) + 1`
  return sql`(select coalesce(${end}, 1) from ${name(entity.table)} g ${where(group)})`
}

export const groupOf = (f: AnyField): readonly string[] => (f.options.group ?? []) as readonly string[]

export const sameGroup = (entity: Entity, by: string, value: unknown, column: Sql): Sql =>
  value === null || value === undefined
    ? sql`${column} is null`
    : sql`${column} = ${parameter(entity.fields[by] as AnyField, value)}`

/** INSERT into history, which is also the event outbox. `row` is the alias of the current row. */
const historySql = (actor: ServerActor, d: Definition, action: string, changes: Changes, row: Sql): Sql =>
  noteBy(actor, d, action, sql`${JSON.stringify(briefly(d.entity, changes))}`, row)

/** The recorded form of a change. */
const briefly = ({ fields }: Entity, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([field, change]) => [field, fields[field]?.options.briefly ? [null, null] : change]),
  )

/** The same with `changes` as SQL over the row. */
export const noteBy = (actor: ServerActor, d: Definition, action: string, changes: Sql, row: Sql): Sql =>
  noteSql(d, action, changes, sql`${actor.id === 0 ? null : actor.id}::bigint`, sql`${actor.requestId ?? null}`, row)

function noteSql(d: Definition, action: string, changes: Sql, idUser: Sql, requestId: Sql, row: Sql): Sql {
  const parent = d.entity.within ? sql`${row}.${name(d.entity.within)}` : raw('null')
  const about = aboutOf(d)
  const idAbout = about ? about.id({ row, me: raw('null') }) : raw('null')
  return sql`insert into history ("path", "idEntity", "action", "idUser", "changes", "version", "idParent", "requestId", "pathAbout", "idAbout")
    select ${d.entity.path}, ${row}."id", ${action}, ${idUser}, ${changes}::jsonb, ${row}."_version", ${parent}, ${requestId}::text, ${about?.path ?? null}::text, ${idAbout}::bigint from ${row}`
}

/** The record whose history includes records of this definition. */
export function aboutOf({ entity, about }: Definition): About | undefined {
  if (about) return about
  const { within } = entity
  const reference = within && entity.fields[within]
  return reference && isRef(reference)
    ? { path: reference.to, id: ({ row }) => sql`${row}.${name(within)}` }
    : undefined
}

/** Writes the changed columns, a new version and the history line; the row must be locked. */
export function updateSql(env: Env, d: Definition, id: number, values: Values, changes: Changes): Sql {
  const sets = Object.entries(values).map(
    ([field, value]) => sql`${name(field)} = ${parameter(d.entity.fields[field] as AnyField, value)}`,
  )
  for (const [field, f] of stored(d.entity))
    if (!Object.hasOwn(values, field)) sets.push(...changeMark(env.actor, field, f))
  return changeSql(env, d, id, 'update', join([...sets, sql`"_version" = "_version" + 1`], ', '), changes)
}

/** Columns set by each change: its time and author. The server itself is null. */
export function changeMark(actor: ServerActor, field: string, f: AnyField): Sql[] {
  if (f.options.auto === 'changed') return [sql`${name(field)} = now()`]
  return f.options.auto === 'editor' && actor.id !== 0 ? [sql`${name(field)} = ${actor.id}`] : []
}

/** Marks a record as deleted or restored. */
export function trashSql(env: Env, d: Definition, id: number, deleted: boolean): Sql {
  const sets = sql`"deleted" = ${deleted}, "_deletedAt" = ${raw(deleted ? 'now()' : 'null')}, "_version" = "_version" + 1`
  return changeSql(env, d, id, deleted ? 'delete' : 'restore', sets, {})
}

function changeSql(env: Env, d: Definition, id: number, action: string, sets: Sql, changes: Changes): Sql {
  return sql`with made as (update ${name(d.entity.table)} set ${sets} where "id" = ${id} returning *),
    noted as (${historySql(env.actor, d, action, changes, raw('made'))})
    select (select row_to_json(x) from (select ${storedList(d, raw('made'))}) x)::text as item from made`
}

/** Deletes a row physically; its last state goes to history. */
export function deleteSql(env: Env, d: Definition, id: number, last: Values): Sql {
  const changes: Changes = {}
  for (const [field] of stored(d.entity)) if (last[field] !== null) changes[field] = [last[field], null]
  return sql`with made as (delete from ${name(d.entity.table)} where "id" = ${id} returning *),
    noted as (${historySql(env.actor, d, 'delete', changes, raw('made'))}) select "id" from made`
}

/** All stored fields in the wire format, hidden ones included: input of hooks and comparisons. */
function storedList(d: Definition, row: Sql): Sql {
  const columns = Object.entries(d.entity.all)
    .filter(([, f]) => isStored(f))
    .map(([field, f]) => sql`${wireSql(f, sql`${row}.${name(field)}`)} as ${name(field)}`)
  return join(columns, ', ')
}

export interface Locked {
  item: string
  allowed: boolean
  isOpen: boolean
}

/**
 * Locks a record. A separate statement: if rights were checked in the same one, a row that changed during the wait would
 * be judged by stale related rows (PostgreSQL re-checks only the locked row).
 */
export const lockSql = (d: Definition, id: number): Sql =>
  sql`select from ${name(d.entity.table)} where "id" = ${id} for update`

/** A locked record if the actor sees it, and whether `action` is allowed. */
export function lockedSql(env: Env, d: Definition, id: number, action: 'update' | 'delete', deleted = false): Sql {
  const t = env.alias()
  const isVisible = and([sql`${t}."id" = ${id}`, visible(env, d, t, deleted)])
  const allowed = scopeOf(env, d, action, t) ?? raw('true')
  return sql`select (select row_to_json(x) from (select ${storedList(d, t)}) x)::text as item, (${allowed}) as allowed,
      ${openSql(env, d, t)} as "isOpen"
    from ${name(d.entity.table)} ${t} ${where(isVisible)}`
}

/** Whether the record in its current state is still within the actor's scope for changes. */
export function stillAllowedSql(env: Env, d: Definition, id: number): Sql | undefined {
  const t = env.alias()
  const allowed = scopeOf(env, d, 'update', t)
  return allowed && sql`select (${allowed}) as allowed from ${name(d.entity.table)} ${t} where ${t}."id" = ${id}`
}

/**
 * Refuses references to records the actor may not see: a foreign key alone would reveal and link such records.
 * @param values of one record, or of each of many
 * @throws ValidationError on each such field
 */
export async function checkReferences(
  env: Env,
  d: Definition,
  values: Values | readonly Values[],
  db: Queryable,
): Promise<void> {
  const all = Array.isArray(values) ? (values as readonly Values[]) : [values as Values]
  const foreign = new Set(all.flatMap((one) => foreignBranches(env, d, one)))
  if (foreign.size) throw new ValidationError([...foreign].map((field) => ({ field, message: FOREIGN })))
  const checks: Sql[] = []
  for (const [field, f] of columns(d.entity).references) {
    if (!isRef(f) && !isRefs(f)) continue
    const ids = new Set(all.flatMap((one) => (one[field] ?? []) as number | number[]))
    if (ids.size === 0) continue
    const target = env.registry.at(f.to)
    const t = env.alias()
    const condition = visible(env, target, t)
    // Without a condition the foreign key is enough.
    if (isRef(f) && !condition && !f.options.virtual) continue
    const [first] = ids
    const among = ids.size === 1 ? sql`${t}."id" = ${first}` : sql`${t}."id" = any(${[...ids]}::bigint[])`
    const from = sql`from ${name(target.entity.table)} ${t} ${where(and([among, condition]))}`
    const found = ids.size === 1 ? sql`exists (select 1 ${from})` : sql`(select count(*) ${from}) = ${ids.size}`
    checks.push(sql`${found} as ${name(field)}`)
  }
  if (checks.length === 0) return
  const found = await db.one<Record<string, boolean>>(query(sql`select ${join(checks, ', ')}`, env.actor))
  const missing = Object.entries(found ?? {}).filter(([, there]) => !there)
  if (missing.length) throw new ValidationError(missing.map(([field]) => ({ field, message: 'Запись не найдена' })))
}

/** The fields that a write really changes. */
export function changesOf(entity: Entity, before: Values, values: Values): Changes {
  const changes: Changes = {}
  for (const [field, to] of Object.entries(values)) {
    const f = entity.fields[field]
    const from = before[field] ?? null
    if (f && isStored(f) && !same(f, from, to ?? null)) changes[field] = [from, to ?? null]
  }
  return changes
}

function same(f: AnyField, a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  if (f.same) return f.same(a, b)
  return typeof a === 'object' && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}
