/** Effect of deleting a record on the records that refer to it, derived from the declarations of references. */
import type { Entity } from './entity.ts'
import { type Hanging, isRef, type WhenDeleted } from './fields/ref.ts'
import { isRefs } from './fields/refs.ts'

/** A field of another entity (or the same one) that refers to the entity. */
export interface Pointing {
  entity: Entity
  field: string
  /** The column is a list of ids. */
  several: boolean
}

/** All stored references to an entity. */
export function pointingAt({ path }: Entity, entities: readonly Entity[]): Pointing[] {
  return entities.flatMap((entity) =>
    Object.entries(entity.fields).flatMap(([field, f]) =>
      (isRef(f) || isRefs(f)) && f.to === path && !f.options.virtual && !f.options.computed
        ? [{ entity, field, several: isRefs(f) }]
        : [],
    ),
  )
}

/** `goes`: deleted with it. `empties`: set to null when it is deleted for good. The rest: see WhenDeleted. */
export type Fate = 'goes' | 'empties' | Exclude<WhenDeleted, string> | Extract<WhenDeleted, string>

/** What happens to a reference when its target is deleted; undefined: not declared. */
export function fateOf({ entity, field }: Pointing): Fate | undefined {
  const options = entity.fields[field]?.options as
    | { whenDeleted?: WhenDeleted; onDelete?: string; auto?: unknown }
    | undefined
  if (options?.whenDeleted) return options.whenDeleted
  if (entity.within === field || options?.onDelete === 'cascade') return 'goes'
  if (options?.onDelete === 'set null') return 'empties'
  return options?.auto ? 'stays' : undefined
}

/** Which referring records prevent the deletion, or require a confirmation. */
export function hangingOf(pointing: Pointing, how: 'keeps' | 'asks'): Hanging | undefined {
  const fate = fateOf(pointing)
  if (fate === how) return {}
  const words = typeof fate === 'object' ? fate[how] : undefined
  return words === true ? {} : words
}

/** Names of the referring records: one, two, five. */
export function hangingWords({ entity }: Pointing, { words, ahead }: Hanging): readonly [string, string, string] {
  if (words) return words
  const [one, two, five] = entity.label
  // An abbreviation keeps its capitals.
  const first = /^\p{Lu}\p{Ll}/u.test(one) ? one[0]?.toLocaleLowerCase('ru') + one.slice(1) : one
  const end = ahead ? ' впереди' : ''
  return [`${first}${end}`, `${two}${end}`, `${five}${end}`]
}
