import type { AnyField } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { picked, updateWhereSql } from './bulk.ts'
import type { Definition } from './define.ts'
import { and, name, query } from './plan.ts'
import { between } from './positionBetween.ts'
import type { MovePlace } from './records.ts'
import type { Env } from './scope.ts'
import { groupOf, sameGroup, type Values } from './write.ts'

/**
 * Values for a record's new place: the group's fields and a position between its new neighbours. Moves within one group
 * are serialised, so that two of them never get the same position.
 * @throws ValidationError for a neighbour outside the group
 */
export async function place(
  env: Env,
  d: Definition,
  [field, f]: [string, AnyField],
  before: Values,
  to: MovePlace,
  tx: Queryable,
): Promise<Values> {
  const group = groupValues(d, f, before, to)
  await lockGroup(tx, d.entity.path, group)
  const rows = sql`${name(d.entity.table)} g where ${and([
    ...Object.entries(group).map(([by, value]) => sameGroup(d.entity, by, value, sql`g.${name(by)}`)),
    d.entity.soft ? sql`not g."deleted"` : undefined,
    sql`g."id" <> ${before.id}`,
  ])}`
  let position = await free(field, to, rows, tx)
  if (position === undefined) {
    await layOut(env, d, field, rows, tx)
    position = await free(field, to, rows, tx)
  }
  return { ...group, [field]: Number(position) }
}

/** Serialises writers of positions in one group until the transaction ends. */
export async function lockGroup(tx: Queryable, path: string, group: Values): Promise<void> {
  const key = `${path} ${JSON.stringify(group)}`
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Values that identify a record's group. */
export const groupIn = (f: AnyField, values: Values): Values =>
  Object.fromEntries(groupOf(f).map((by) => [by, values[by] ?? null]))

function groupValues(d: Definition, f: AnyField, before: Values, to: MovePlace): Values {
  const group = groupIn(f, before)
  for (const [by, value] of Object.entries(to.to ?? {})) {
    const target = d.entity.fields[by]
    if (!target || !isRef(target) || !(by in group) || target.options.fixed) {
      throw new ValidationError([{ field: `to.${by.slice(0, 64)}`, message: 'Неизвестное поле' }])
    }
    group[by] = value
  }
  return group
}

/** A position between the neighbours; undefined when there is no room. */
async function free(field: string, to: MovePlace, rows: Sql, tx: Queryable): Promise<string | undefined> {
  const column = sql`g.${name(field)}`
  const end = async (side: 'min' | 'max') => {
    const found = await tx.one<{ at: string | null }>(
      side === 'min'
        ? sql`select min(${column})::text as at from ${rows}`
        : sql`select max(${column})::text as at from ${rows}`,
    )
    return found?.at ?? null
  }
  const neighbour = to.before ?? to.after
  if (neighbour === undefined) {
    return to.at === 'last' ? between(await end('max'), null) : between(null, await end('min'))
  }
  const found = await tx.one<{ at: string }>(sql`select ${column}::text as at from ${rows} and g."id" = ${neighbour}`)
  if (!found)
    throw new ValidationError([{ field: to.before === undefined ? 'after' : 'before', message: 'Запись не найдена' }])
  // Equal positions are ordered by id, as in lists.
  const beside = (sideways: Sql) =>
    tx.one<{ at: string }>(sql`select ${column}::text as at from ${rows} and ${sideways}`)
  if (to.before !== undefined) {
    const previous = await beside(
      sql`(${column}, g."id") < (${found.at}::numeric, ${neighbour}::bigint) order by ${column} desc, g."id" desc limit 1`,
    )
    return between(previous?.at ?? null, found.at)
  }
  const next = await beside(
    sql`(${column}, g."id") > (${found.at}::numeric, ${neighbour}::bigint) order by ${column}, g."id" limit 1`,
  )
  return between(found.at, next?.at ?? null)
}

/** Renumbers the whole group with integers, in order; each row gets a history line, so that screens update. */
async function layOut(env: Env, d: Definition, field: string, rows: Sql, tx: Queryable): Promise<void> {
  const places = sql`select g."id", row_number() over (order by g.${name(field)}, g."id") as place from ${rows}`
  const statement = updateWhereSql(env, d, env.alias(), { rows: places }, { [field]: sql`${picked}.place` }, {})
  await tx.query(query(statement, env.actor))
}
