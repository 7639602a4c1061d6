/** Sealed records, which open only for a reason: what is visible without one, and what a reason opens. */
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { OPENED_HOURS, SEALED } from '@ordinator/model/sealed'
import sql, { raw, type Sql } from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'
import type { Definition, Registry, RowSql, Sealed } from './define.ts'

interface Asks {
  actor: ServerActor
}

/** A reference to a record of a sealed entity: the row is visible to those who may see all of that record. */
export interface SealedReference {
  by: string
  target: Definition
}
const referencesOf = new WeakMap<Definition, SealedReference[]>()

/**
 * References of an entity to sealed records, from its declaration; without those that show only a name (`nameOnly`).
 */
export function sealedReferences(registry: Registry, d: Definition): readonly SealedReference[] {
  const known = referencesOf.get(d)
  if (known) return known
  const found = Object.entries(d.entity.fields).flatMap(([by, f]): SealedReference[] => {
    if (!isRef(f) || f.options.virtual || f.options.computed || d.entity.nameOnly?.includes(by)) return []
    const target = registry.find(f.to)
    return target?.sealed && target !== d ? [{ by, target }] : []
  })
  referencesOf.set(d, found)
  return found
}

const goesWithOf = new WeakMap<Registry, Map<Definition, readonly string[]>>()

/**
 * References by which a row without a card of its own goes with a record of a sealed entity, or of what goes with one: the
 * record that it is within, else all that it refers to, without those that show only a name (`nameOnly`).
 */
export function goesWith(registry: Registry, d: Definition): readonly string[] {
  const known = goesWithOf.get(registry) ?? findGoesWith(registry)
  goesWithOf.set(registry, known)
  return known.get(d) ?? []
}

function findGoesWith(registry: Registry): Map<Definition, readonly string[]> {
  const { definitions } = registry
  const found = new Map<Definition, readonly string[]>()
  const isOfPatients = (d: Definition): boolean =>
    d.sealed !== undefined || found.has(d) || sealedReferences(registry, d).length > 0
  const leads = (d: Definition, by: string): boolean => {
    const f = d.entity.fields[by]
    if (!f || !isRef(f) || f.options.virtual || f.options.computed) return false
    const target = registry.find(f.to)
    return target !== undefined && target !== d && isOfPatients(target)
  }
  const pass = (refs: (entity: Entity) => readonly string[]): boolean => {
    const next = definitions.flatMap((d) => {
      const by = isOfPatients(d) ? [] : refs(d.entity).filter((one) => leads(d, one))
      return by.length ? [[d, by] as const] : []
    })
    for (const [d, by] of next) found.set(d, by)
    return next.length > 0
  }
  // A part goes with its record only, whatever else it refers to.
  const ofParts = () => pass(({ within }) => (within ? [within] : []))
  const ofOthers = () => pass(({ fields, nameOnly }) => Object.keys(fields).filter((by) => !nameOnly?.includes(by)))
  for (let grew = true; grew; grew = ofParts() || ofOthers());
  return found
}

/** The sealed entity that decides on a row: its own reference, or one of a record that it goes with. */
export function sealedThrough(registry: Registry, d: Definition): Definition | undefined {
  const [own] = sealedReferences(registry, d)
  if (own || d.sealed) return own?.target
  const [by] = goesWith(registry, d)
  const f = by === undefined ? undefined : d.entity.fields[by]
  const above = f && isRef(f) ? registry.at(f.to) : undefined
  return above?.sealed ? above : above && sealedThrough(registry, above)
}

/** SQL: the sealed record in `card` is closed to the requester. */
export const closedSql = ({ when }: Sealed, { row, me }: RowSql): Sql =>
  sql`(${when({ row, me })} and opened_because(${me}, ${row}."id", ${raw(String(OPENED_HOURS))}) is null)`

/** The seal that applies to this actor; system code has none. */
export const sealOf = ({ actor }: Asks, { sealed }: Definition): Sealed | undefined =>
  actor.system ? undefined : sealed

/** SQL: the actor may see all of the row, i.e. it is not sealed or the actor has a reason in force. */
export function openSql(env: Asks & Pick<RowSql, 'me'>, d: Definition, row: Sql): Sql {
  const seal = sealOf(env, d)
  return seal ? unsealedSql(seal, { row, me: env.me }) : raw('true')
}

/** The same for an area's condition; not used for system code. */
export const unsealedSql = ({ when }: Sealed, { row, me }: RowSql): Sql =>
  sql`(not (${when({ row, me })}) or opened_because(${me}, ${row}."id", ${raw(String(OPENED_HOURS))}) is not null)`

/** True for a field visible only in an open record. */
export const isHidden = ({ actor }: Asks, d: Definition, field: string): boolean => {
  const seal = sealOf({ actor }, d)
  return seal !== undefined && field !== 'id' && field !== '_version' && !seal.shown.includes(field)
}

/**
 * A condition on a field that the actor may not see in sealed records: a sealed record matches only by its visible
 * fields. Other records are matched by `match` unchanged.
 * @param pattern of words searched within the field; absent: another kind of condition
 */
export function guarded(
  env: Asks & Pick<RowSql, 'me'>,
  d: Definition,
  field: string,
  row: Sql,
  match: Sql,
  pattern?: Sql,
): Sql {
  if (!isHidden(env, d, field)) return match
  const found = pattern && sealOf(env, d)?.contains?.[field]?.({ row, me: env.me }, pattern)
  const open = openSql(env, d, row)
  return found ? sql`(${match} and (${open} or ${found}))` : sql`(${open} and ${match})`
}

/** @param id of the sealed record, which opens for a reason; absent: not known here */
export function sealedRefusal({ label }: Entity, id?: number): HttpError {
  const message = `${label[0]}: доступ к карте ограничен. Укажите причину, чтобы её открыть`
  return new HttpError(403, message, {
    code: SEALED,
    ...(id !== undefined && { body: { code: SEALED, message, sealed: id } }),
  })
}
