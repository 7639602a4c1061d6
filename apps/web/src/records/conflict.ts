import type { Entity } from '@ordinator/model/entity'

type Values = Record<string, unknown>

/** A field that both sides have changed. */
export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  saved: unknown
}

export interface Conflict {
  /** Changed differently by both: the user chooses. */
  both: FieldConflict[]
  /** Changed only by this user. */
  mine: string[]
  /** Changed only by the other; a partial update leaves these as they are. */
  theirs: { field: string; from: unknown; to: unknown }[]
  /** Version that the choice overwrites. */
  version: number
}

/**
 * Compares a refused save with the stored record.
 * @param base the record when editing began
 * @param changes the refused body: the fields changed by this user
 * @param saved the current record
 */
export function compareVersions(entity: Entity, base: Values, changes: Values, saved: Values): Conflict {
  const conflict: Conflict = { both: [], mine: [], theirs: [], version: Number(saved._version) }
  for (const [field, f] of Object.entries(entity.fields)) {
    const own = Object.hasOwn(changes, field)
    const moved = Object.hasOwn(saved, field) && !same(base[field], saved[field])
    if (own && moved && !same(changes[field], saved[field]))
      conflict.both.push({ field, base: base[field], mine: changes[field], saved: saved[field] })
    else if (own && !moved) conflict.mine.push(field)
    // Automatic fields (author and time of the change) are of no interest.
    else if (!own && moved && !f.options.auto) conflict.theirs.push({ field, from: base[field], to: saved[field] })
  }
  return conflict
}

export type Choices = Record<string, 'mine' | 'saved'>

/** The body that saves the chosen values over the new version; fields left as stored are not in it. */
export function chosenBody(conflict: Conflict, changes: Values, choices: Choices): Values & { _version: number } {
  const body: Values & { _version: number } = { _version: conflict.version }
  for (const field of conflict.mine) body[field] = changes[field]
  for (const { field, mine } of conflict.both) if ((choices[field] ?? 'mine') === 'mine') body[field] = mine
  return body
}

/** Equal in wire format; undefined, null and '' are equal: an input cannot distinguish them. */
export function same(a: unknown, b: unknown): boolean {
  const one = a ?? ''
  const other = b ?? ''
  if (one === other) return true
  if (typeof one === 'object' || typeof other === 'object') return stable(one) === stable(other)
  return false
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, v) =>
    v && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([x], [y]) => (x < y ? -1 : 1)))
      : v,
  )
}

/** Fields of `values` that differ from the record. */
export function changesOf(base: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !same(base[name], value)))
}
