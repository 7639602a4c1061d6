/**
 * Merging of two records: every reference in the model to one record is redirected to the other, and can be reverted.
 * References are found through the declarations, so that new entities are covered.
 */
import type { Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { Definition, Registry } from './define.ts'
import { and, name } from './plan.ts'
import type { SystemRecords } from './records.ts'

/** Records of one entity whose reference was redirected. */
export interface TurnedLinks {
  path: string
  field: string
  ids: number[]
  /** Moved to the trash: the other record already has an equal one. */
  gone?: true
}

const PAST = 'A merge turns whole records to their other owner and back; what they hold is not changed'

/** All stored references to records of the entity. */
export const referencesTo = (registry: Registry, entity: Entity): { d: Definition; field: string }[] =>
  registry.definitions.flatMap((d) =>
    Object.entries(d.entity.fields).flatMap(([field, f]) =>
      isRef(f) && f.to === entity.path && isStored(f) ? [{ d, field }] : [],
    ),
  )

/** Number of living records that refer to this one, by entity; entities with none are left out. */
export async function countLinks(db: Queryable, registry: Registry, entity: Entity, id: number) {
  const parts = referencesTo(registry, entity).map(
    ({ d, field }) =>
      sql`select ${d.entity.path}::text as path, count(*)::int as count from ${name(d.entity.table)} t
        where ${living(d)} and t.${name(field)} = ${id}`,
  )
  const rows = await db.query<{ path: string; count: number }>(
    sql`select path, sum(count)::int as count from (${join(parts, ' union all ')}) c group by path having sum(count) > 0 order by path`,
  )
  return rows
}

/**
 * Redirects references from `from` to `to`. A record that would duplicate one there (unique values) goes to the trash, so
 * that two links become one; a record without trash, with an overlapping period or referring to itself stays unchanged.
 */
export async function turnLinks(
  records: SystemRecords,
  registry: Registry,
  entity: Entity,
  from: number,
  to: number,
): Promise<TurnedLinks[]> {
  const turned: TurnedLinks[] = []
  for (const { d, field } of referencesTo(registry, entity)) {
    const which = ({ row }: { row: Sql }) =>
      and([sql`${row}.${name(field)} = ${from}`, ...clashes(d, entity, field, row, to)]) as Sql
    const rows = await records.updateWhere(d.entity, which, { [field]: to }, { pastHooks: PAST })
    if (rows.length) turned.push({ path: d.entity.path, field, ids: rows.map(({ id }) => id) })
    const duplicates = d.entity.soft ? duplicatesOf(d, field, to) : undefined
    if (!duplicates) continue
    const gone = await records.deleteWhere(
      d.entity,
      ({ row }) => and([sql`${row}.${name(field)} = ${from}`, duplicates(row)]) as Sql,
      { pastHooks: PAST },
    )
    if (gone.length) turned.push({ path: d.entity.path, field, ids: gone.map(({ id }) => id), gone: true })
  }
  return turned
}

/** Reverts the redirection of these records, as far as they still have the new value. */
export async function turnBack(
  records: SystemRecords,
  registry: Registry,
  turned: readonly TurnedLinks[],
  from: number,
  to: number,
): Promise<void> {
  for (const { path, field, ids, gone } of turned) {
    const { entity } = registry.at(path)
    if (gone) continue
    await records.updateWhere(
      entity,
      ({ row }) => sql`${row}."id" = any (${ids}::bigint[]) and ${row}.${name(field)} = ${from}`,
      { [field]: to },
      { pastHooks: PAST },
    )
  }
}

/** Restores records that `turnLinks` put in the trash, if still there. */
export async function bringBack(
  records: Pick<SystemRecords, 'restore'>,
  registry: Registry,
  turned: readonly TurnedLinks[],
  db: Queryable,
): Promise<void> {
  for (const { path, ids, gone } of turned) {
    if (!gone) continue
    const { entity } = registry.at(path)
    const there = await db.query<{ id: number }>(
      sql`select "id"::int as id from ${name(entity.table)} where "id" = any (${ids}::bigint[]) and "deleted" order by "id"`,
    )
    for (const { id } of there) await records.restore(entity, id)
  }
}

/** SQL: the other record already has an equal one, by unique values; undefined: nothing must be unique. */
function duplicatesOf({ entity: own }: Definition, field: string, to: number): ((row: Sql) => Sql) | undefined {
  const groups = (own.unique ?? []).filter((group) => group.includes(field))
  if (groups.length === 0) return undefined
  return (row) => {
    const like = groups.map((group) => {
      const same = group
        .filter((other) => other !== field)
        .map((other) => sql`k.${name(other)} = ${row}.${name(other)}`)
      return sql`exists (select 1 from ${name(own.table)} k where ${and([
        sql`k.${name(field)} = ${to}`,
        ...same,
        raw('not k."deleted"'),
      ])})`
    })
    return sql`(${join(like, ' or ')})`
  }
}

const living = ({ entity }: Definition): Sql => (entity.soft ? sql`not t."deleted"` : sql`true`)

function clashes({ entity: own }: Definition, entity: Entity, field: string, row: Sql, to: number): Sql[] {
  const groups = [
    ...(own.unique ?? []),
    ...Object.entries(own.fields).flatMap(([other, f]) => (f.options.unique ? [[other]] : [])),
  ].filter((group) => group.includes(field))
  const duplicates = groups.map((group) => {
    const same = group
      .filter((other) => other !== field)
      .map((other) => {
        const f = own.all[other]
        const [a, b] = [sql`k.${name(other)}`, sql`${row}.${name(other)}`]
        return f?.anyCase ? sql`lower(${a}) = lower(${b})` : sql`${a} = ${b}`
      })
    const kept = own.soft ? [sql`not k."deleted"`] : []
    return sql`not exists (select 1 from ${name(own.table)} k where ${and([sql`k.${name(field)} = ${to}`, ...same, ...kept])})`
  })
  const { disjoint } = own
  // Periods that would overlap those of the other record.
  if (disjoint?.same.includes(field)) {
    const { same, from, to: until } = disjoint
    const alike = same.filter((other) => other !== field).map((other) => sql`k.${name(other)} = ${row}.${name(other)}`)
    const kept = own.soft ? [sql`not k."deleted"`] : []
    const period = (of: Sql) => sql`daterange(${of}.${name(from)}, ${of}.${name(until)}, '[]')`
    duplicates.push(
      sql`not exists (select 1 from ${name(own.table)} k where ${and([
        sql`k.${name(field)} = ${to}`,
        ...alike,
        ...kept,
        sql`${period(raw('k'))} && ${period(row)}`,
      ])})`,
    )
  }
  const itself = Object.entries(own.fields)
    .filter(([other, f]) => other !== field && isRef(f) && f.to === entity.path && isStored(f))
    .map(([other]) => sql`${row}.${name(other)} is distinct from ${to}`)
  return [...duplicates, ...itself]
}
