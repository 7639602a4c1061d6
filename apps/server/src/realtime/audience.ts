import { entityAt } from '@ordinator/model/entities'
import type { FilterParams } from '#records/sight.ts'
import type { Listener } from './messages.ts'

/** Subscribers of one path. */
export interface Hall<C> {
  /** Subscribed to every record. */
  all: Set<C>
  byId: Map<number, Set<C>>
  /** By the text of the filter. */
  byFilter: Map<string, Filtered<C>>
}

interface Filtered<C> {
  filter: FilterParams
  /** The entity's own fields used in the filter: a change of one may remove a record from the result. */
  fields: Set<string>
  /** Id of the single parent record, when the filter consists only of that. */
  parent: number | undefined
  /** Subscribers with the ids each is limited to; ANY_ID among them: every record. */
  ears: Map<C, Set<number>>
}

const ANY_ID = 0

export const hears = (ids: Set<number>, id: number): boolean => ids.has(ANY_ID) || ids.has(id)

/** Index of subscribers by path, id and filter, to find the ones an event concerns. */
export class Audience<C> {
  readonly #halls = new Map<string, Hall<C>>()

  at(path: string): Hall<C> | undefined {
    return this.#halls.get(path)
  }

  paths(): string[] {
    return [...this.#halls.keys()]
  }

  add(ear: C, { path, id, filter }: Listener): void {
    const hall = this.#halls.get(path) ?? { all: new Set(), byId: new Map(), byFilter: new Map() }
    this.#halls.set(path, hall)
    if (filter) {
      const key = JSON.stringify(filter)
      const kept = hall.byFilter.get(key) ?? {
        filter,
        fields: fieldsOf(filter),
        parent: parentOf(path, filter),
        ears: new Map(),
      }
      hall.byFilter.set(key, kept)
      kept.ears.set(ear, (kept.ears.get(ear) ?? new Set()).add(id ?? ANY_ID))
    } else if (id === undefined) hall.all.add(ear)
    else hall.byId.set(id, (hall.byId.get(id) ?? new Set()).add(ear))
  }

  remove(ear: C, { path, id, filter }: Listener): void {
    const hall = this.#halls.get(path)
    if (!hall) return
    if (filter) {
      const key = JSON.stringify(filter)
      const kept = hall.byFilter.get(key)
      const ids = kept?.ears.get(ear)
      ids?.delete(id ?? ANY_ID)
      if (ids?.size === 0) kept?.ears.delete(ear)
      if (kept?.ears.size === 0) hall.byFilter.delete(key)
    } else if (id === undefined) hall.all.delete(ear)
    else if (hall.byId.get(id)?.delete(ear) && hall.byId.get(id)?.size === 0) hall.byId.delete(id)
    if (hall.all.size + hall.byId.size + hall.byFilter.size === 0) this.#halls.delete(path)
  }
}

function parentOf(path: string, filter: FilterParams): number | undefined {
  const within = entityAt(path)?.within
  const [only, ...more] = Object.entries(filter)
  if (within === undefined || only === undefined || more.length > 0) return undefined
  const [key, value] = only
  return key === `filter[${within}]` && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined
}

function fieldsOf(filter: FilterParams): Set<string> {
  return new Set(Object.keys(filter).flatMap((key) => [...key.matchAll(/\[(\w+)/g)].map((match) => match[1] as string)))
}
