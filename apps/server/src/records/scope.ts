import { type Action, can } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ServerActor } from './actor.ts'
import { branchFate, branchScope, hasOwnBranch, isLimited } from './branches.ts'
import type { Definition, Registry, RowCondition, Sealed, Sight } from './define.ts'
import { aliases, and, name } from './plan.ts'
import { closedSql, goesWith, openSql, sealedReferences, sealOf } from './sealed.ts'

export type RowAction = Exclude<Action, 'export'>

/** Context for building a statement: the actor, and the generator of aliases. */
export interface Env {
  registry: Registry
  actor: ServerActor
  me: Sql
  alias: () => Sql
  /** Filters follow relations regardless of visibility: for a record in the trash. */
  inTrash?: true
  /** The row is being created: it has no parts yet. */
  isNew?: true
  /** The answer is a single record, with the counters that lists omit. */
  single?: true
  /** Few rows, known by their ids: each is checked by itself instead of collecting the visible set. */
  few?: true
  /** Sealed rows too: to distinguish a sealed record from a missing one. */
  sealedToo?: true
  /** The rows are past states, which the visibility tables do not contain. */
  past?: true
  /**
   * SQL placeholder for a filter value, by its place: one statement serves all filters of a shape. Absent: the value itself
   * is used.
   * @param read converts the given value @param skewed the value decides how many rows match
   */
  valueAt?: (place: string, read: (given: unknown) => unknown, skewed?: boolean) => Sql
  /** Accumulates the cost of the statement over all its parts. */
  cost?: { steps: number }
  /** SQL of the principals of `me`, when computed once for many rows; else each condition computes them. */
  principals?: (sight: Sight) => Sql
}

/** For an answer with a single record; system code reads only the fields it needs. */
export const singly = (env: Env): Env => (env.actor.system ? env : { ...env, single: true })

/** True when permissions, tariff and module allow the action in general; rows are checked separately. */
export const mayDo = (actor: ServerActor, action: Action, entity: Entity): boolean =>
  actor.system === true || can(actor, action, entity)

/**
 * Condition under which the actor may do `action` with the row; undefined: with every row. Defined by the area's scope,
 * else by the rights on the parent record; and by the seals of the records that the row refers to, and by its branch.
 */
export function scopeOf(env: Env, definition: Definition, action: RowAction, row: Sql): Sql | undefined {
  if (env.actor.system) return undefined
  const isOfArea = ownRule(env, definition, action) !== undefined
  return and([
    ownScope(env, definition, action, row),
    ofOwnBranch(env, definition, row, isOfArea),
    unsealed(env, definition, row, isOfArea ? 'above' : 'own'),
  ])
}

/** Condition of the branch, unless the record that the row is within is asked for anyway, and decides on it. */
function ofOwnBranch(env: Env, definition: Definition, row: Sql, isOfArea: boolean): Sql | undefined {
  if (!isLimited(env.actor)) return undefined
  const { kind } = branchFate(env.registry, definition)
  return kind === 'within' && !isOfArea ? undefined : branchScope(env, definition, row)
}

/**
 * Condition: no record that the row refers to, or goes with, is sealed for the actor.
 * @param of `above`: the record that it is within too, where the row's scope does not ask for that record
 */
function unsealed(env: Env, definition: Definition, row: Sql, of: 'own' | 'above'): Sql | undefined {
  if (env.sealedToo) return undefined
  const { within } = definition.entity
  const above = goesWith(env.registry, definition).filter((by) => of === 'above' || by !== within)
  return and([
    ...sealedReferences(env.registry, definition).map(({ by, target }) => {
      const card = env.alias()
      const closed = closedSql(target.sealed as Sealed, { row: card, me: env.me })
      return sql`not exists (select 1 from ${name(target.entity.table)} ${card} where ${card}."id" = ${row}.${name(by)} and ${closed})`
    }),
    ...above.map((by) => unsealedAbove(env, definition, by, row)),
  ])
}

/** Condition: the record of a patient that the row refers to by `by`, if any, is not sealed for the actor. */
function unsealedAbove(env: Env, { entity }: Definition, by: string, row: Sql): Sql | undefined {
  const reference = entity.fields[by]
  if (!reference || !isRef(reference)) return undefined
  const closed = closedById(env, env.registry.at(reference.to), sql`${row}.${name(by)}`)
  return closed && sql`not ${closed}`
}

/** SQL: the record with this id is sealed for the actor, or goes with one that is; undefined: no record of the entity can be. */
export function closedById(env: Env, d: Definition, id: Sql): Sql | undefined {
  if (env.actor.system) return undefined
  const t = env.alias()
  const open = and([unsealed(env, d, t, 'above'), sealOf(env, d) && openSql(env, d, t)])
  return open && sql`exists (select 1 from ${name(d.entity.table)} ${t} where ${t}."id" = ${id} and not (${open}))`
}

function ownScope(env: Env, definition: Definition, action: RowAction, row: Sql): Sql | undefined {
  const { entity } = definition
  const sight = action === 'view' ? sightOf(env, definition) : undefined
  if (sight) return mineByRow(env, sight, row)
  const own = ownRule(env, definition, action)
  if (own) return sql`(${own({ row, me: env.me, principals: env.principals })})`
  return entity.within ? withinParent(env, entity, entity.within, action, row) : undefined
}

/** The area's own rule for the action, instead of that of the record that the row is within. */
function ownRule({ actor }: Env, { scope, entity }: Definition, action: RowAction): RowCondition | undefined {
  // Bypassing the area's conditions still excludes parts of records in the trash.
  if (scope?.unless && actor.permissions[scope.unless]) return undefined
  if (action === 'view') return scope?.view
  return scope?.[action] ?? scope?.update ?? (entity.within ? undefined : scope?.view)
}

/** The visibility table that applies to this actor; undefined: none, or bypassed. */
export function sightOf(env: Env, { scope }: Definition): Sight | undefined {
  if (env.actor.system || env.past || (scope?.unless && env.actor.permissions[scope.unless])) return undefined
  return scope?.sight
}

/** True when a part is visible whenever the record that it is within by `by` is. */
export const isSeenWithParent = (env: Env, part: Definition, by: string): boolean =>
  part.entity.within === by &&
  !part.scope?.view &&
  !hasOwnBranch(env, part, by) &&
  sealedReferences(env.registry, part).every((reference) => reference.by === by) &&
  goesWith(env.registry, part).every((reference) => reference === by)

/** Condition: the visibility row belongs to the actor. */
export const isMine = (env: Env, sight: Sight, k: Sql): Sql =>
  sql`${k}."principal" = any(${env.principals?.(sight) ?? sight.principals(env.me)})`

/**
 * A statement that computes the user's principals once, however often visibility is checked: the plan is an eighth of
 * that with repeated computation.
 * @param within embeds a statement that begins with WITH
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

/** `offset 0` keeps PostgreSQL from collecting everything the actor sees first. */
function mineByRow(env: Env, sight: Sight, row: Sql): Sql {
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
    env.sealedToo || !sealOf(env, parent) ? undefined : openSql(env, parent, alias),
  ])
  if (!condition) return undefined
  return sql`exists (select 1 from ${name(parent.entity.table)} ${alias} where ${alias}."id" = ${row}.${name(by)} and ${condition})`
}

/** Condition: the row is not in the trash. */
export const aliveSql = ({ entity }: Definition, row: Sql): Sql | undefined =>
  entity.soft ? sql`not ${row}."deleted"` : undefined

/** Condition: the row exists for the actor, i.e. is alive (or, on request, in the trash) and within scope. */
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
