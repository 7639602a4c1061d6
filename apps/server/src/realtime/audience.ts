import { entityAt } from '@ordinator/model/entities'
import type { FilterParams } from '#records/sight.ts'
import type { Listener } from './messages.ts'

/** Subscribers of one path. */
export interface PathSubscribers<C> {
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
  subscribers: Map<C, Set<number>>
}

const ANY_ID = 0

export const listensTo = (ids: Set<number>, id: number): boolean => ids.has(ANY_ID) || ids.has(id)

/** Index of subscribers by path, id and filter, to find the ones an event concerns. */
export class Audience<C> {
  readonly #byPath = new Map<string, PathSubscribers<C>>()

  at(path: string): PathSubscribers<C> | undefined {
    return this.#byPath.get(path)
  }

  paths(): string[] {
    return [...this.#byPath.keys()]
  }

  add(subscriber: C, { path, id, filter }: Listener): void {
    const ofPath = this.#byPath.get(path) ?? { all: new Set(), byId: new Map(), byFilter: new Map() }
    this.#byPath.set(path, ofPath)
    if (filter) {
      const key = JSON.stringify(filter)
      const kept = ofPath.byFilter.get(key) ?? {
        filter,
        fields: fieldsOf(filter),
        parent: parentOf(path, filter),
        subscribers: new Map(),
      }
      ofPath.byFilter.set(key, kept)
      kept.subscribers.set(subscriber, (kept.subscribers.get(subscriber) ?? new Set()).add(id ?? ANY_ID))
    } else if (id === undefined) ofPath.all.add(subscriber)
    else ofPath.byId.set(id, (ofPath.byId.get(id) ?? new Set()).add(subscriber))
  }

  remove(subscriber: C, { path, id, filter }: Listener): void {
    const ofPath = this.#byPath.get(path)
    if (!ofPath) return
    if (filter) {
      const key = JSON.stringify(filter)
      const kept = ofPath.byFilter.get(key)
      const ids = kept?.subscribers.get(subscriber)
      ids?.delete(id ?? ANY_ID)
      if (ids?.size === 0) kept?.subscribers.delete(subscriber)
      if (kept?.subscribers.size === 0) ofPath.byFilter.delete(key)
    } else if (id === undefined) ofPath.all.delete(subscriber)
    else if (ofPath.byId.get(id)?.delete(subscriber) && ofPath.byId.get(id)?.size === 0) ofPath.byId.delete(id)
    if (ofPath.all.size + ofPath.byId.size + ofPath.byFilter.size === 0) this.#byPath.delete(path)
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
