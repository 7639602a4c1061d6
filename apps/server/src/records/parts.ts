/** Parts of a record, as named in its `many`: which of them the user may see, and their number. */
import type { Relation } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CountOptions, Definition } from './define.ts'
import { and, name } from './plan.ts'
import { aliveSql, type Env, isSeenWithParent, mayDo, visible } from './scope.ts'

/** Condition: a row of the other entity is one of the parts named by `many`. */
export function partOf(env: Env, relation: Relation & { link?: Definition }, part: Sql, row: Sql): Sql {
  const { by, where = {}, through, link } = relation
  const fixed = (of: Sql) => Object.entries(where).map(([field, value]) => sql`${of}.${name(field)} = ${value}`)
  if (!through || !link) return and([sql`${part}.${name(by)} = ${row}."id"`, ...fixed(part)]) as Sql
  const between = env.alias()
  const linked = and([sql`${between}.${name(through.from)} = ${row}."id"`, ...fixed(between), aliveSql(link, between)])
  return sql`${part}.${name(by)} in (select ${between}.${name(through.by)} from ${name(link.entity.table)} ${between} where ${linked})`
}

/**
 * Condition: the user, who may see the record, may see its part.
 * @param by the part's reference to the record
 */
export function visiblePart(env: Env, part: Definition, by: string, row: Sql): Sql | undefined {
  // Parts are visible with their record, unless the area restricts them further.
  return isSeenWithParent(env, part, by) ? aliveSql(part, row) : visible(env, part, row)
}

/** SQL of the number of parts of the record `row`. */
export function countSql(env: Env, d: Definition, row: Sql, relation: string, options: CountOptions): Sql {
  const found = env.registry.relation(d.entity, relation)
  if (found?.kind !== 'many') throw new Error(`${d.entity.path}: ${relation} is no list to count`)
  const { target, by } = found
  if (env.isNew) return raw('0')
  const { whoever, where } = options
  if (!whoever && !mayDo(env.actor, 'view', target.entity)) return raw('0')
  const part = env.alias()
  const counted = and([
    partOf(env, found, part, row),
    whoever ? aliveSql(target, part) : visiblePart(env, target, by, part),
    where?.({ row: part, me: env.me }),
  ])
  return sql`(select count(*)::int from ${name(target.entity.table)} ${part} where ${counted})`
}
