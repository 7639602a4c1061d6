import { type Action, can } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import type { Definition } from './define.ts'
import { and, name } from './plan.ts'
import type { Registry } from './registry.ts'

export type RowAction = Exclude<Action, 'export'>

/** What a statement is built with: who asks, and where aliases come from. */
export interface Env {
  registry: Registry
  actor: ServerActor
  me: Sql
  alias: () => Sql
  /** Filters follow relations whether or not the actor sees what they lead to: for a record that is in the trash. */
  buried?: true
  /** The row is only being made: it has no parts yet. */
  isNew?: true
}

/** Whether permissions, tariff and module let the actor do this at all; rows are another matter. */
export const mayDo = (actor: ServerActor, action: Action, entity: Entity): boolean =>
  actor.system === true || can(actor, action, entity)

/**
 * The condition under which the actor may do `action` with the row; undefined: with every row.
 * The area's own scope says it, else the rights of the record that this one is within.
 */
export function scopeOf(env: Env, definition: Definition, action: RowAction, row: Sql): Sql | undefined {
  const { scope, entity } = definition
  if (env.actor.system) return undefined
  // Who passes the area's conditions still finds nothing of a record that is in the trash.
  if (scope?.unless && env.actor.permissions[scope.unless]) {
    return entity.within ? withinParent(env, entity, entity.within, action, row) : undefined
  }
  const own =
    action === 'view' ? scope?.view : (scope?.[action] ?? scope?.update ?? (entity.within ? undefined : scope?.view))
  if (own) return sql`(${own({ row, me: env.me })})`
  return entity.within ? withinParent(env, entity, entity.within, action, row) : undefined
}

function withinParent(env: Env, entity: Entity, by: string, action: RowAction, row: Sql): Sql | undefined {
  const reference = entity.fields[by]
  if (!reference || !isRef(reference)) return undefined
  const parent = env.registry.at(reference.to)
  const alias = env.alias()
  const condition = and([
    parent.entity.soft ? sql`not ${alias}."deleted"` : undefined,
    scopeOf(env, parent, action === 'view' ? 'view' : 'update', alias),
  ])
  if (!condition) return undefined
  return sql`exists (select 1 from ${name(parent.entity.table)} ${alias} where ${alias}."id" = ${row}.${name(by)} and ${condition})`
}

/** The rows that exist for the actor: alive (or, when asked for, in the trash) and within its scope. */
export function visible(
  env: Env,
  definition: Definition,
  row: Sql,
  deleted: false | true | 'any' = false,
): Sql | undefined {
  return and([
    definition.entity.soft && deleted !== 'any' ? sql`${deleted ? raw('') : raw('not ')}${row}."deleted"` : undefined,
    scopeOf(env, definition, 'view', row),
  ])
}
