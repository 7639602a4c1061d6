/**
 * Bulk writes in one statement: the rows are locked in the order of their ids, differing ones are written with a new
 * version, change dates and the trash columns, and each row gets the same history line as a single write of it.
 */
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import { isPosition } from '@ordinator/model/fields/position'
import sql, { join, raw, Sql } from 'sql-template-tag'
import type { Definition, Hooks } from './define.ts'
import { and, name, where } from './plan.ts'
import type { BulkOptions, CreateOptions, Which } from './records.ts'
import { type Env, scopeOf, visible } from './scope.ts'
import { wireSql } from './select.ts'
import { autoValue, changeMark, noteBy, parameter, storedOf, type Values } from './write.ts'

const made = raw('made')
/** Alias of the rows selected by `Which.rows`. */
export const picked: Sql = raw('picked')

/** A former value, selected beside the current row. */
const was = (field: string): Sql => name(`was ${field}`)
const to = (field: string): Sql => name(`to ${field}`)

/** Hooks skipped by a bulk write, by action. */
const passed = {
  create: ['prepare', 'beforeCreate', 'afterCreate'],
  update: ['prepare', 'beforeUpdate', 'afterUpdate'],
  delete: ['beforeDelete', 'afterDelete'],
} as const satisfies Record<string, readonly (keyof Hooks<Entity>)[]>

/**
 * A bulk write does not run the checks that hooks make for single writes.
 * @throws Error when the entity has hooks for the action and the caller gives no reason to skip them
 */
export function mustPassHooks(d: Definition, action: keyof typeof passed, options: { pastHooks?: string }): void {
  const own = passed[action].filter((hook) => d.hooks?.[hook])
  if (own.length && !options.pastHooks)
    throw new Error(`${d.entity.path}: a bulk ${action} passes ${own.join()} by; say in pastHooks why it may`)
}

/** Writes `set` to those rows of `t` that differ from it. Returns each written row as JSON in `item`. */
export function updateWhereSql(env: Env, d: Definition, t: Sql, which: Which, set: Values, options: BulkOptions): Sql {
  const fields = Object.entries(set).map(([field, value]) => ({ field, value, f: storedOf(d.entity, field) }))
  const values = fields.map(
    ({ field, value, f }) => sql`${t}.${name(field)} as ${was(field)}, ${valueSql(f, value)} as ${to(field)}`,
  )
  const sets = fields.map(({ field }) => sql`${name(field)} = rows.${to(field)}`)
  for (const [field, f] of Object.entries(d.entity.fields))
    if (!Object.hasOwn(set, field)) sets.push(...changeMark(env.actor, field, f))
  const differs = fields.map(({ field }) => sql`rows.${was(field)} is distinct from rows.${to(field)}`)
  const kept = fields.map(({ field }) => sql`rows.${was(field)}`)
  const changes = changesSql(
    fields.map(({ field, f }) => [field, f, sql`made.${was(field)}`, sql`made.${name(field)}`]),
  )
  return sql`with ${rowsSql(env, d, t, which, 'update', options, values)},
    made as (update ${name(d.entity.table)} ${t} set ${join(sets, ', ')}, "_version" = ${t}."_version" + 1
      from rows where ${t}."id" = rows."id" and (${join(differs, ' or ')}) returning ${t}.*, ${join(kept, ', ')}),
    ${noted(env, d, 'update', changes, options)}`
}

/** Moves the rows to the trash or, for an entity without one, deletes them with their last state in history. */
export function deleteWhereSql(env: Env, d: Definition, t: Sql, which: Which, options: BulkOptions): Sql {
  const rows = rowsSql(env, d, t, which, 'delete', options, [])
  const table = name(d.entity.table)
  if (d.entity.soft)
    return sql`with ${rows},
      made as (update ${table} ${t} set "deleted" = true, "_deletedAt" = now(), "_version" = ${t}."_version" + 1
        from rows where ${t}."id" = rows."id" returning ${t}.*),
      ${noted(env, d, 'delete', raw(`'{}'`), options)}`
  const last = Object.entries(d.entity.fields).filter(([, f]) => isStored(f))
  const changes = changesSql(last.map(([field, f]) => [field, f, sql`made.${name(field)}`, undefined]))
  return sql`with ${rows},
    made as (delete from ${table} ${t} using rows where ${t}."id" = rows."id" returning ${t}.*),
    ${noted(env, d, 'delete', changes, options)}`
}

/**
 * Inserts a row of `values` for each row of `from`.
 * @param from the text after `from`, to the end of the select: `rooms r where … order by r."id"`
 */
export function createFromSql(env: Env, d: Definition, from: Sql, values: Values, options: CreateOptions): Sql {
  const given = Object.entries(values).map(([field, value]): [string, AnyField, Sql] => {
    const f = field === 'id' ? (d.entity.all.id as AnyField) : storedOf(d.entity, field)
    return [field, f, valueSql(f, value)]
  })
  const filled = Object.entries(d.entity.fields).flatMap(([field, f]): [string, AnyField, Sql][] => {
    if (!isStored(f) || Object.hasOwn(values, field)) return []
    if (isPosition(f)) throw new Error(`${d.entity.path}: a bulk create says the ${field} of each row`)
    return [[field, f, autoValue(env, f)]]
  })
  const all = [...given, ...filled]
  const recorded = given.filter(([field, f]) => field !== 'id' && !f.options.auto)
  const changes = changesSql(recorded.map(([field, f]) => [field, f, undefined, sql`made.${name(field)}`]))
  return sql`with made as (
      insert into ${name(d.entity.table)} (${join(all.map(([field]) => name(field)))})
      select ${join(all.map(([, , value]) => value))} from ${from}
      ${options.skipTaken ? raw('on conflict do nothing') : raw('')} returning *
    ), ${noted(env, d, 'create', changes, options)}`
}

/** A table `given` with the rows of the bodies, in their order: the source for inserting a list of bodies. */
export function givenSql(entity: Entity, bodies: readonly Values[]): { from: Sql; values: Values } {
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].map((field) => ({
    field,
    f: storedOf(entity, field),
  }))
  const rows = bodies.map((body) =>
    Object.fromEntries(names.map(({ field, f }) => [field, jsonOf(f, body[field] ?? f.options.default ?? null)])),
  )
  const columns = names.map(({ field, f }) => sql`${name(field)} ${raw(f.column)}`)
  return {
    from: sql`rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (${join(columns)})) with ordinality given order by given.ordinality`,
    values: Object.fromEntries(names.map(({ field }) => [field, sql`given.${name(field)}`])),
  }
}

/** A value inside a JSON text that PostgreSQL parses. */
const jsonOf = (f: AnyField, value: unknown): unknown =>
  value === null || f.column === 'jsonb' ? value : (f.toSql?.(value) ?? value)

/** Which of `ids` the actor may no longer change, judged by the current rows. */
export function outOfReachSql(env: Env, d: Definition, ids: readonly number[]): Sql | undefined {
  const t = env.alias()
  const allowed = scopeOf(env, d, 'update', t)
  return (
    allowed &&
    sql`select 1 from ${name(d.entity.table)} ${t} where ${t}."id" = any(${ids}::bigint[]) and not (${allowed}) limit 1`
  )
}

/** CTE `rows`: the locked rows with their selected values. Rows in the trash are skipped. */
function rowsSql(
  env: Env,
  d: Definition,
  t: Sql,
  which: Which,
  action: 'update' | 'delete',
  { byRights }: BulkOptions,
  values: readonly Sql[],
): Sql {
  const byRows = typeof which === 'object'
  const condition = and([
    d.entity.soft ? sql`not ${t}."deleted"` : undefined,
    byRows ? undefined : sql`(${which({ row: t, me: env.me })})`,
    byRights ? visible(env, d, t) : undefined,
    byRights ? scopeOf(env, d, action, t) : undefined,
  ])
  const select = sql`rows as materialized (
    select ${join([sql`${t}."id"`, ...values], ', ')} from ${name(d.entity.table)} ${t}
    ${byRows ? sql`join picked on picked."id" = ${t}."id"` : raw('')} ${where(condition)} order by ${t}."id" for update of ${t}
  )`
  return byRows ? sql`picked as materialized (${which.rows}), ${select}` : select
}

const valueSql = (f: AnyField, value: unknown): Sql =>
  value instanceof Sql ? sql`(${value})::${raw(f.column)}` : parameter(f, value)

/** Writes the history of `made` and returns its rows, with ids and the requested fields. */
function noted(env: Env, d: Definition, action: string, changes: Sql, { fields = [] }: BulkOptions): Sql {
  const list = [...new Set(['id', ...fields])].map((field) => {
    const f = d.entity.all[field]
    if (!f || !isStored(f)) throw new Error(`${d.entity.path}: ${field} is no column to answer`)
    return sql`${wireSql(f, sql`made.${name(field)}`)} as ${name(field)}`
  })
  return sql`noted as (${noteBy(env.actor, d, action, changes, made)})
    select (select row_to_json(x) from (select ${join(list, ', ')}) x) as item from made order by made."id"`
}

/** SQL of `{ field: [from, to] }` for the fields that differ. An absent side is null. */
function changesSql(fields: readonly (readonly [string, AnyField, Sql | undefined, Sql | undefined])[]): Sql {
  if (fields.length === 0) return raw(`'{}'`)
  const side = (f: AnyField, column: Sql | undefined) =>
    column ? sql`to_jsonb(${wireSql(f, column)})` : raw('null::jsonb')
  const rows = fields.map(([field, f, from, now]) => sql`(${field}::text, ${side(f, from)}, ${side(f, now)})`)
  return sql`(select coalesce(jsonb_object_agg(c.field, jsonb_build_array(c."from", c."to")), '{}')
    from (values ${join(rows, ', ')}) c(field, "from", "to") where c."from" is distinct from c."to")`
}
