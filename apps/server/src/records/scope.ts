import { type Action, can } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import type { Definition, Registry, Sight } from './define.ts'
import { aliases, and, name } from './plan.ts'
import { openSql, sealOf } from './sealed.ts'

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
  /** The answer is one record: it has the counters that lists leave out. */
  single?: true
  /** The rows are few, and known by their ids: each is asked for itself, and no set of others is gathered. */
  few?: true
  /** The rows are of the past, which no kept sight knows. */
  past?: true
  /**
   * Stands where a value of a filter goes, by its place in it: the statement serves all filters of one shape. Absent:
   * the value itself does.
   * @param read makes the value of what is given @param skewed it decides how many rows there are
   */
  valueAt?: (place: string, read: (given: unknown) => unknown, skewed?: boolean) => Sql
  /** Counts what the statement costs, whatever part of it asks. */
  cost?: { steps: number }
  /** Where the principals of `me` stand, when they are found once for many rows; else each condition finds them. */
  principals?: (sight: Sight) => Sql
}

/** The same for the answer of one record; the server's own code reads only what it needs. */
export const singly = (env: Env): Env => (env.actor.system ? env : { ...env, single: true })

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
  const sight = action === 'view' ? sightOf(env, definition) : undefined
  if (sight) return seenBy(env, sight, row)
  // Who passes the area's conditions still finds nothing of a record that is in the trash.
  if (scope?.unless && env.actor.permissions[scope.unless]) {
    return entity.within ? withinParent(env, entity, entity.within, action, row) : undefined
  }
  const own =
    action === 'view' ? scope?.view : (scope?.[action] ?? scope?.update ?? (entity.within ? undefined : scope?.view))
  if (own) return sql`(${own({ row, me: env.me, principals: env.principals })})`
  return entity.within ? withinParent(env, entity, entity.within, action, row) : undefined
}

/** The kept sight that this actor reads by; undefined: there is none, or the actor passes it. */
export function sightOf(env: Env, { scope }: Definition): Sight | undefined {
  if (env.actor.system || env.past || (scope?.unless && env.actor.permissions[scope.unless])) return undefined
  return scope?.sight
}

/** The kept row is one of the actor's. */
export const isMine = (env: Env, sight: Sight, k: Sql): Sql =>
  sql`${k}."principal" = any(${env.principals?.(sight) ?? sight.principals(env.me)})`

/**
 * A statement in which the principals of whoever asks are found once, however often a sight is asked: the plan is an
 * eighth of what it is when each condition finds them by itself.
 * @param within puts a statement that begins by a WITH of its own into one that does not
 */
export function principalsOnce(env: Env, build: (env: Env) => Sql, within = (statement: Sql) => statement): Sql {
  const found = new Map<Sight['principals'], Sql>()
  let uses = 0
  const statement = build({
    ...env,
    alias: aliases(),
    principals: ({ principals }) => {
      uses++
      const known = found.get(principals) ?? raw(`asking${found.size}`)
      found.set(principals, known)
      return sql`(select "of" from ${known})::bigint[]`
    },
  })
  if (uses < 2) return build({ ...env, alias: aliases() })
  const asking = [...found].map(([of, known]) => sql`${known}("of") as materialized (select ${of(env.me)})`)
  return sql`with ${join(asking, ', ')} ${within(statement)}`
}

/** `offset 0` keeps PostgreSQL from first gathering all that the actor sees. */
function seenBy(env: Env, sight: Sight, row: Sql): Sql {
  const k = env.alias()
  return sql`exists (select 1 from ${name(sight.table)} ${k} where ${sight.of(k, row)} and ${isMine(env, sight, k)} offset 0)`
}

function withinParent(env: Env, entity: Entity, by: string, action: RowAction, row: Sql): Sql | undefined {
  const reference = entity.fields[by]
  if (!reference || !isRef(reference)) return undefined
  const parent = env.registry.at(reference.to)
  const alias = env.alias()
  const condition = and([
    parent.entity.soft ? sql`not ${alias}."deleted"` : undefined,
    scopeOf(env, parent, action === 'view' ? 'view' : 'update', alias),
    sealOf(env, parent) && openSql(env, parent, alias),
  ])
  if (!condition) return undefined
  return sql`exists (select 1 from ${name(parent.entity.table)} ${alias} where ${alias}."id" = ${row}.${name(by)} and ${condition})`
}

/** The row is not in the trash. */
export const aliveSql = ({ entity }: Definition, row: Sql): Sql | undefined =>
  entity.soft ? sql`not ${row}."deleted"` : undefined

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
