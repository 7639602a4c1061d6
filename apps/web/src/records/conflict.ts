import type { Entity } from '@ordinator/model/entity'

type Values = Record<string, unknown>

/** One field that both have changed. */
export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  saved: unknown
}

export interface Conflict {
  /** Changed here and there, differently: the person chooses. */
  both: FieldConflict[]
  /** Changed by me alone. */
  mine: string[]
  /** Changed by the other alone; a partial update leaves these as they are. */
  theirs: { field: string; from: unknown; to: unknown }[]
  /** Version that the choice is saved over. */
  version: number
}

/**
 * Compares a refused save with what is stored now.
 * @param base the record as the form opened it
 * @param changes the body that was refused: the fields I have changed
 * @param saved the record as it is now
 */
export function compareVersions(entity: Entity, base: Values, changes: Values, saved: Values): Conflict {
  const conflict: Conflict = { both: [], mine: [], theirs: [], version: Number(saved._version) }
  for (const [field, f] of Object.entries(entity.fields)) {
    const own = Object.hasOwn(changes, field)
    const moved = Object.hasOwn(saved, field) && !same(base[field], saved[field])
    if (own && moved && !same(changes[field], saved[field]))
      conflict.both.push({ field, base: base[field], mine: changes[field], saved: saved[field] })
    else if (own && !moved) conflict.mine.push(field)
    // What the server fills by itself (who changed it and when) says nothing to the person.
    else if (!own && moved && !f.options.auto) conflict.theirs.push({ field, from: base[field], to: saved[field] })
  }
  return conflict
}

export type Choices = Record<string, 'mine' | 'saved'>

/** The body that saves my side of the choice over the new version; fields left as stored are not in it. */
export function chosenBody(conflict: Conflict, changes: Values, choices: Choices): Values & { _version: number } {
  const body: Values & { _version: number } = { _version: conflict.version }
  for (const field of conflict.mine) body[field] = changes[field]
  for (const { field, mine } of conflict.both) if ((choices[field] ?? 'mine') === 'mine') body[field] = mine
  return body
}

/** Equal on the wire; nothing, null and '' are one: an input cannot tell them apart. */
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

/** The fields of `values` that differ from the record. */
export function changesOf(base: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !same(base[name], value)))
}
