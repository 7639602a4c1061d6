/**
 * Which branch a record belongs to, derived from declarations, and the condition under which an employee limited to their
 * branches (`onlyFilials`) sees it.
 */
import { isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { isRefs } from '@ordinator/model/fields/refs'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { forbidden } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'
import type { Definition, Registry } from './define.ts'
import { name } from './plan.ts'

export const FOREIGN = 'Это другой филиал, а вы видите только свои'

/**
 * How the branch of an entity's records is found: by references to branches (`own`), by other references of the declaration
 * (`by`), by the record that it is within; of a stored file by the records that hold it. `common`: visible to all on purpose,
 * though others may be of its branch. `none`: of no branch.
 */
export interface BranchFate {
  kind: 'own' | 'by' | 'within' | 'held' | 'self' | 'common' | 'none'
  /** Its references that decide. */
  by: readonly string[]
  holders?: readonly Holder[]
}
/** Records of an entity that refer to a stored file. */
interface Holder {
  d: Definition
  by: string
}

/** What a condition of branches needs of the statement that it is in. */
interface Asks {
  registry: Registry
  actor: ServerActor
  me: Sql
  alias: () => Sql
}

const fates = new WeakMap<Registry, Map<string, BranchFate>>()

export function branchFate(registry: Registry, d: Definition): BranchFate {
  const known = fates.get(registry) ?? new Map<string, BranchFate>()
  fates.set(registry, known)
  const found = known.get(d.entity.path)
  if (found) return found
  // A record within itself, by a tree, has no branch of its parent.
  known.set(d.entity.path, { kind: 'none', by: [] })
  const fate = fateOf(registry, d)
  known.set(d.entity.path, fate)
  return fate
}

function fateOf(registry: Registry, d: Definition): BranchFate {
  const { branchBy, fields, within, upload } = d.entity
  if (branchBy === 'self') return { kind: 'self', by: [] }
  if (branchBy && branchBy !== 'common') {
    for (const by of branchBy)
      if (!leadsToBranch(registry, d, by)) throw new Error(`${d.entity.path}: branchBy ${by} leads to no branch`)
    return { kind: 'by', by: branchBy }
  }
  const own = Object.entries(fields).flatMap(([by, f]) =>
    isRef(f) && isStored(f) && registry.at(f.to).entity.branchBy === 'self' ? [by] : [],
  )
  if (branchBy === 'common') return { kind: 'common', by: own }
  if (own.length > 0) return { kind: 'own', by: own }
  // Parts of a common record are common.
  if (within && leadsToBranch(registry, d, within) && !isCommon(registry, d, within))
    return { kind: 'within', by: [within] }
  const holders = upload ? holdersOf(registry, d) : []
  return holders.length > 0 ? { kind: 'held', by: [], holders } : { kind: 'none', by: [] }
}

const holdersOf = (registry: Registry, file: Definition): Holder[] =>
  registry.definitions.flatMap((d) =>
    branchFate(registry, d).by.length > 0 && branchFate(registry, d).kind !== 'common'
      ? Object.entries(d.entity.fields).flatMap(([by, f]) =>
          isRef(f) && isStored(f) && f.to === file.entity.path ? [{ d, by }] : [],
        )
      : [],
  )

function leadsToBranch(registry: Registry, { entity }: Definition, by: string): boolean {
  const f = entity.fields[by]
  if (!f || !isRef(f) || !isStored(f)) return false
  const target = registry.at(f.to)
  return target.entity.branchBy === 'self' || branchFate(registry, target).by.length > 0
}

function isCommon(registry: Registry, { entity }: Definition, by: string): boolean {
  const f = entity.fields[by]
  return f !== undefined && isRef(f) && registry.at(f.to).entity.branchBy === 'common'
}

/** True for an actor who sees only their branches. */
export const isLimited = ({ system, onlyFilials }: ServerActor): boolean => !system && onlyFilials !== undefined

/** SQL of the ids of the branches of `me`: the field of employees that refers to branches. */
function branchesOf({ registry, me, alias }: Asks): Sql {
  const { entity } = registry.people
  const [field] = Object.entries(entity.fields).flatMap(([by, f]) =>
    isRefs(f) && registry.at(f.to).entity.branchBy === 'self' ? [by] : [],
  )
  if (field === undefined) throw new Error(`${entity.path} names no branches`)
  const w = alias()
  return sql`(select ${w}.${name(field)} from ${name(entity.table)} ${w} where ${w}."id" = ${me})::bigint[]`
}

/**
 * Condition: the row is of a branch of the actor, or of none. Undefined: for an actor without the limit, and for entities of
 * no branch, so that their statements stay as they are.
 */
export function branchScope(asks: Asks, d: Definition, row: Sql): Sql | undefined {
  if (!isLimited(asks.actor) || branchFate(asks.registry, d).kind === 'common') return undefined
  return inBranch(asks, d, row)
}

/** Condition: the row is of a branch of the actor, or of none. Undefined: its entity is of no branch. */
function inBranch(asks: Asks, d: Definition, row: Sql): Sql | undefined {
  const { by, holders } = branchFate(asks.registry, d)
  if (holders) return heldByOwn(asks, holders, row)
  const [only, other] = by
  if (only === undefined) return undefined
  // Of several branches one is enough, as of a transfer between two.
  if (other !== undefined) return sql`(${branchless(asks, d, row)} or ${isOwn(asks, d, row)})`
  const id = sql`${row}.${name(only)}`
  return sql`(${id} is null or ${refersTo(asks, d, only, row, (target, t) => inBranch(asks, target, t))})`
}

const through = (asks: Asks, d: Definition, row: Sql, of: typeof isOwn) =>
  branchFate(asks.registry, d).by.map((by) =>
    refersTo(asks, d, by, row, (target, t) => of(asks, target, t), of === branchless),
  )

/** Condition: the row is of a branch of the actor. */
function isOwn(asks: Asks, d: Definition, row: Sql): Sql {
  return sql`(${join(through(asks, d, row, isOwn), ' or ')})`
}

/** Condition: the row is of no branch. */
function branchless(asks: Asks, d: Definition, row: Sql): Sql {
  return sql`(${join(through(asks, d, row, branchless), ' and ')})`
}

/**
 * Condition on the record that the row refers to by `by`; a reference to a branch is one of the actor's.
 * @param isNone the condition is that there is no branch: no reference satisfies it
 */
function refersTo(
  asks: Asks,
  { entity }: Definition,
  by: string,
  row: Sql,
  condition: (target: Definition, t: Sql) => Sql | undefined,
  isNone = false,
): Sql {
  const f = entity.fields[by]
  if (!f || !isRef(f)) throw new Error(`${entity.path}.${by} is no reference`)
  const target = asks.registry.at(f.to)
  const id = sql`${row}.${name(by)}`
  if (target.entity.branchBy === 'self') return isNone ? sql`${id} is null` : sql`${id} = any(${branchesOf(asks)})`
  const t = asks.alias()
  const found = sql`exists (select 1 from ${name(target.entity.table)} ${t} where ${t}."id" = ${id} and ${condition(target, t) ?? raw('true')})`
  return isNone ? sql`(${id} is null or ${found})` : found
}

/** SQL for a computed field: the same of a branch by its id, after `and`; empty for an actor without the limit. */
export const andOwnBranch = (asks: Asks, idFilial: Sql): Sql =>
  isLimited(asks.actor) ? sql` and (${idFilial} is null or ${idFilial} = any(${branchesOf(asks)}))` : empty

/** Condition: one of the records that hold the file is of a branch of the actor, or none of them is of a branch. */
function heldByOwn(asks: Asks, holders: readonly Holder[], row: Sql): Sql {
  const held = holders.map(({ d, by }) => {
    const h = asks.alias()
    const all = sql`exists (select 1 from ${name(d.entity.table)} ${h} where ${h}.${name(by)} = ${row}."id"`
    return { any: sql`${all})`, own: sql`${all} and ${inBranch(asks, d, h) ?? raw('true')})` }
  })
  return sql`(not (${join(
    held.map(({ any }) => any),
    ' or ',
  )}) or ${join(
    held.map(({ own }) => own),
    ' or ',
  )})`
}

/** True when the branch of the row decides on it besides the record that it refers to by `by`. */
export const hasOwnBranch = (
  { registry, actor }: Pick<Asks, 'registry' | 'actor'>,
  d: Definition,
  by: string | undefined,
): boolean => {
  if (!isLimited(actor)) return false
  const fate = branchFate(registry, d)
  // A branch itself is visible to all.
  return fate.kind === 'own' || (fate.kind !== 'common' && fate.by.some((one) => one !== by))
}

/**
 * SQL for an area's own statement: this branch is one of the actor's, or null. It contains the ids, so it must not be part of
 * a scope or a computed field, whose statements are shared.
 */
export const inOwnBranch = (actor: ServerActor, idFilial: Sql): Sql =>
  isLimited(actor)
    ? sql`(${idFilial} is null or ${idFilial} = any(${[...(actor.onlyFilials ?? [])]}::bigint[]))`
    : raw('true')

/** The branches to count of those asked for (none: all): for statements with a list of branches as their filter. */
export function branchesToCount(actor: ServerActor, asked: readonly number[]): readonly number[] {
  if (asked.length > 0 || !isLimited(actor)) return asked
  // A list without any would be no filter.
  return actor.onlyFilials?.length ? actor.onlyFilials : [0]
}

/**
 * The branch to count, for statements with one branch or the whole clinic: the only one of an actor with the limit.
 * @throws HttpError 403 when the actor has several and asks for none of them
 */
export function branchToCount(actor: ServerActor, asked: number | undefined): number | undefined {
  if (asked !== undefined || !isLimited(actor)) return asked
  const [only, other] = actor.onlyFilials ?? []
  if (only === undefined || other !== undefined) throw forbidden('Выберите один из своих филиалов')
  return only
}

/** SQL for an area's own statement: the record of an entity with this id is of a branch of the actor, or of none. */
export function recordInOwnBranch(registry: Registry, actor: ServerActor, path: string, id: Sql): Sql {
  const d = registry.at(path)
  let n = 0
  const alias = () => raw(`branch${n++}`)
  const t = alias()
  const own = isLimited(actor) ? inBranch({ registry, actor, me: sql`${actor.id}::bigint`, alias }, d, t) : undefined
  return own
    ? sql`(${id} is null or exists (select 1 from ${name(d.entity.table)} ${t} where ${t}."id" = ${id} and ${own}))`
    : raw('true')
}

/** Fields of a record that name a branch which is not the actor's. */
export function foreignBranches(
  { registry, actor }: Pick<Asks, 'registry' | 'actor'>,
  d: Definition,
  values: Record<string, unknown>,
): string[] {
  const { onlyFilials } = actor
  if (!isLimited(actor) || !onlyFilials) return []
  const { kind, by } = branchFate(registry, d)
  if (kind !== 'own' && kind !== 'common') return []
  const named = by.filter((one) => typeof values[one] === 'number')
  const foreign = named.filter((one) => !onlyFilials.includes(values[one] as number))
  return foreign.length === named.length ? foreign : []
}

/** @throws HttpError 403 when one of these branches is not the actor's */
export function mustBeOwnBranches(actor: ServerActor, ids: readonly number[]): void {
  const { onlyFilials } = actor
  if (isLimited(actor) && ids.some((id) => !onlyFilials?.includes(id))) throw forbidden(FOREIGN)
}
