import { entities, entityAt } from '@ordinator/model/entities'
import { relationOf } from '@ordinator/model/entity'
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { touches } from '../records/keys.ts'
import type { Live } from './live.ts'
import type { LiveEvent } from './wire.ts'

/** A busy path is read again no oftener than this; in a tab that nobody looks at, than that. */
const SEEN_EVERY_MS = 1_000
const HIDDEN_EVERY_MS = 10_000
/** After a reset all clients read at once: each waits a part of this. */
const RESET_SPREAD_MS = 1_000
/** Single records listened to; over this the whole path is. */
const MAX_SINGLE = 100

interface Dirty {
  /** All of the path. */
  all: boolean
  /** Versions by id; undefined: not an update, or not known. */
  ids: Map<number, number | undefined>
}

/**
 * Keeps the query cache true to the server: what stands in it is listened to, and read again when it changes.
 * Covers the keys of records/keys.ts, and any query with `meta: { live: ['path', ...] }`.
 * @returns what ends it
 */
export function bindQueryCache(client: QueryClient, live: Live): () => void {
  const cache = client.getQueryCache()
  const watched = new Map<string, { count: number; end: () => void }>()
  const held = new Map<string, string[]>()
  let singles = 0
  const dirty = new Map<string, Dirty>()
  let readAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = 0

  function hold(query: Query): void {
    if (held.has(query.queryHash)) return
    const targets = targetsOf(query)
    held.set(query.queryHash, targets)
    for (const target of targets) {
      const one = watched.get(target)
      if (one) one.count++
      else watched.set(target, { count: 1, end: watch(target) })
    }
  }

  function release(query: Query): void {
    for (const target of held.get(query.queryHash) ?? []) {
      const one = watched.get(target)
      if (one && --one.count === 0) {
        one.end()
        watched.delete(target)
      }
    }
    held.delete(query.queryHash)
  }

  function watch(target: string): () => void {
    const [path = '', id] = target.split('#')
    const single = id !== undefined && singles < MAX_SINGLE
    if (single) singles++
    const end = live.subscribe(
      path,
      single ? { id: Number(id) } : {},
      (batch) => mark(path, batch),
      () => markAll(path),
    )
    return () => {
      if (single) singles--
      end()
    }
  }

  function mark(path: string, batch: LiveEvent[]): void {
    const { ids } = dirtyAt(path)
    for (const { id, action, version } of batch) {
      const known = ids.has(id) ? ids.get(id) : 0
      const next = action === 'update' ? (version ?? undefined) : undefined
      ids.set(id, known === undefined || next === undefined ? undefined : Math.max(known, next))
    }
    const pause = globalThis.document?.visibilityState === 'hidden' ? HIDDEN_EVERY_MS : SEEN_EVERY_MS
    schedule(Math.max(0, readAt + pause - Date.now()))
  }

  function markAll(path: string): void {
    dirtyAt(path).all = true
    schedule(Math.random() * RESET_SPREAD_MS)
  }

  function dirtyAt(path: string): Dirty {
    const one = dirty.get(path) ?? { all: false, ids: new Map() }
    dirty.set(path, one)
    return one
  }

  function schedule(wait: number): void {
    const at = Date.now() + wait
    if (timer !== undefined && due <= at) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(readAgain, wait)
  }

  function readAgain(): void {
    timer = undefined
    readAt = Date.now()
    const now = new Map(dirty)
    dirty.clear()
    void client.invalidateQueries({ predicate: (query) => [...now].some(([path, what]) => isStale(query, path, what)) })
  }

  for (const query of cache.getAll()) hold(query)
  const unsubscribe = cache.subscribe(({ type, query }) => {
    if (type === 'added') hold(query)
    else if (type === 'removed') release(query)
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
    for (const { end } of watched.values()) end()
    watched.clear()
  }
}

/** `path` or `path#id` of all that a query shows. */
function targetsOf(query: Query): string[] {
  const { queryKey } = query
  const targets = new Set<string>(livePaths(query))
  if (queryKey[0] === 'records' && typeof queryKey[1] === 'string') {
    const single = singleOf(queryKey)
    for (const { path } of entities) {
      if (!touches(queryKey, path)) continue
      const own = path === queryKey[1] && single !== undefined && !expandsTo(queryKey, path)
      targets.add(own ? `${path}#${single}` : path)
    }
  }
  return [...targets]
}

function isStale(query: Query, path: string, { all, ids }: Dirty): boolean {
  const { queryKey, state } = query
  if (livePaths(query).includes(path)) return true
  if (!touches(queryKey, path)) return false
  const single = singleOf(queryKey)
  if (all || single === undefined || queryKey[1] !== path || expandsTo(queryKey, path)) return true
  if (!ids.has(single)) return false
  // One's own write: the answer to it is there already.
  const version = ids.get(single)
  const shown = (state.data as { _version?: number } | undefined)?._version
  return !(queryKey[2] === 'view' && version !== undefined && shown !== undefined && shown >= version)
}

const livePaths = ({ meta }: Query): string[] => (Array.isArray(meta?.live) ? (meta.live as string[]) : [])

/** Id of the record that the query is about. */
function singleOf(key: QueryKey): number | undefined {
  const single = key[2] === 'view' || key[2] === 'history'
  return single && typeof key[3] === 'number' && key[3] > 0 ? key[3] : undefined
}

/** Whether the query shows records of `path` by expanding them, its own record aside. */
function expandsTo(key: QueryKey, path: string): boolean {
  const entity = entityAt(String(key[1]))
  const query = key.find((part): part is { expand?: unknown } => typeof part === 'object' && part !== null)
  if (!entity || !Array.isArray(query?.expand)) return false
  return query.expand.some((dotted) => {
    const [first = '', ...rest] = String(dotted).split('.')
    const relation = relationOf(entity, first)
    return relation !== undefined && touches(['records', relation.to, 'list', { expand: [rest.join('.')] }], path)
  })
}
