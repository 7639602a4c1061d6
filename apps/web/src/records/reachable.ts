import { type Actor, can } from '@ordinator/model/access'
import { type AnyField, type Linked, relationOf } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { briefAt } from './declarations.ts'

/** The relations to expand that the user may see: the server would refuse the whole request for another one. */
export const reachable = <X extends string>(actor: Actor, entity: Linked, names: readonly X[]): X[] =>
  names.filter((name) => {
    let from: Linked | undefined = entity
    for (const step of name.split('.')) {
      const relation: { to: string } | undefined = from && relationOf(from, step)
      if (!relation) return true
      const target = briefAt(relation.to)
      if (target && !can(actor, 'view', target)) return false
      from = target
    }
    return true
  })

/** Whether a field's value can be shown by name: without access to the record only a bare number would be left. */
export function canName(f: AnyField, actor: Actor): boolean {
  const target = isRef(f) ? briefAt(f.to) : undefined
  return !target || can(actor, 'view', target)
}

/**
 * Fills relations that were not requested: an empty list, or null. Screens then need not know who may see which relations.
 * @param names the omitted relations, at any depth
 */
export function fillOmitted<R>(entity: Linked, row: R, names: readonly string[]): R {
  return names.reduce((filled, name) => nothingAt(entity, filled, name.split('.')), row)
}

function nothingAt<R>(entity: Linked, row: R, [step, ...rest]: readonly string[]): R {
  const relation = step === undefined ? undefined : relationOf(entity, step)
  if (step === undefined || !relation || row === null || typeof row !== 'object') return row
  const inner = (row as Record<string, unknown>)[step]
  if (inner === undefined) return { ...row, [step]: relation.kind === 'many' ? [] : null }
  const next = briefAt(relation.to)
  if (!next || rest.length === 0) return row
  const filled = Array.isArray(inner) ? inner.map((one) => nothingAt(next, one, rest)) : nothingAt(next, inner, rest)
  return { ...row, [step]: filled }
}
