import { relationOf } from '@ordinator/model/entity'
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { briefAt, briefs } from '#records/declarations.ts'
import { isAffectedBy } from '#records/keys.ts'
import type { Live } from './live.ts'
import type { Listener, LiveEvent } from './wire.ts'

/** Minimum interval of refetching a busy query, with a few immediate ones; longer in a hidden tab. */
const SEEN_EVERY_MS = 1_000
const SEEN_AT_ONCE = 3
const PACE_SPREAD = 0.4
const HIDDEN_EVERY_MS = 10_000
/** After a reset all clients refetch: each after a random part of this time. */
const RESET_SPREAD_MS = 1_000
/** Maximum narrow subscriptions (single records, lists within one); above it the whole path is subscribed. */
const MAX_NARROW = 100

/** Changes at a path. */
interface Dirty {
  /** The whole path. */
  all: boolean
  ids: Map<number, Changed>
}

interface Changed {
  /** Undefined: not an update, or unknown. */
  version: number | undefined
  /** Undefined: not an update, so that any field may differ. */
  fields: readonly string[] | undefined
}

/** A query to be refetched. */
interface Waiting {
  /** Milliseconds of Date.now(). */
  due: number
  dirty: Map<string, Dirty>
}

/**
 * Keeps the query cache up to date: cached data are subscribed to, and refetched when they change. Covers the keys of
 * records/keys.ts, and any query with `meta: { live: ['path', { path, id, fields? }, ...] }`.
 * @returns stops it
 */
export function bindQueryCache(client: QueryClient, live: Live): () => void {
  const cache = client.getQueryCache()
  const watched = new Map<string, { count: number; end: () => void }>()
  const held = new Map<string, string[]>()
  let narrowed = 0
  const waiting = new Map<string, Waiting>()
  /** By query: the time at which its reads so far are used up, at the interval above. */
  const paidAt = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = 0

  function hold(query: Query): void {
    if (held.has(query.queryHash)) return
    const targets = targetsOf(query).map((target) => JSON.stringify(target))
    held.set(query.queryHash, targets)
    for (const target of targets) {
      const one = watched.get(target)
      if (one) one.count++
      else watched.set(target, { count: 1, end: watch(JSON.parse(target)) })
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
    waiting.delete(query.queryHash)
    paidAt.delete(query.queryHash)
  }

  function watch({ path, id, filter }: Listener): () => void {
    const narrow = (id !== undefined || filter !== undefined) && narrowed < MAX_NARROW
    if (narrow) narrowed++
    const end = live.subscribe(
      path,
      narrow ? { id, filter } : {},
      (batch) => mark(path, batch),
      () => markAll(path),
    )
    return () => {
      if (narrow) narrowed--
      end()
    }
  }

  function mark(path: string, batch: LiveEvent[]): void {
    let ids: Dirty['ids'] = new Map()
    for (const { id, action, version, fields } of batch) {
      const isUpdate = action === 'update'
      const changed = {
        version: isUpdate ? (version ?? undefined) : undefined,
        fields: isUpdate && fields.length > 0 ? fields : undefined,
      }
      ids = joined(ids, new Map([[id, changed]]))
    }
    const isHidden = globalThis.document?.visibilityState === 'hidden'
    soil(path, { all: false, ids }, (query) => {
      const pace = paceOf(query)
      const later = isHidden ? Math.max(0, HIDDEN_EVERY_MS - pace) : -(SEEN_AT_ONCE - 1) * pace
      return (paidAt.get(query.queryHash) ?? 0) + later
    })
  }

  function markAll(path: string): void {
    const at = Date.now() + Math.random() * RESET_SPREAD_MS
    soil(path, { all: true, ids: new Map() }, () => at)
  }

  /** Each query waits for itself: a busy list delays no other. */
  function soil(path: string, what: Dirty, dueOf: (query: Query) => number): void {
    for (const query of cache.getAll()) {
      if (!isStale(query, path, what)) continue
      const one = waiting.get(query.queryHash) ?? { due: Number.POSITIVE_INFINITY, dirty: new Map<string, Dirty>() }
      const before = one.dirty.get(path)
      one.dirty.set(path, before ? { all: before.all || what.all, ids: joined(before.ids, what.ids) } : what)
      one.due = Math.min(one.due, Math.max(Date.now(), dueOf(query)))
      waiting.set(query.queryHash, one)
      schedule(one.due)
    }
  }

  function schedule(at: number): void {
    if (timer !== undefined && due <= at) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(readAgain, at - Date.now())
  }

  function readAgain(): void {
    timer = undefined
    const now = Date.now()
    const ripe = new Map<string, Waiting>()
    for (const [hash, one] of waiting) if (one.due <= now) ripe.set(hash, one)
    for (const hash of ripe.keys()) {
      const query = cache.get(hash)
      waiting.delete(hash)
      // Partly random: all tabs get the same change, and should not refetch at the same moments.
      if (query)
        paidAt.set(hash, Math.max(now, paidAt.get(hash) ?? 0) + paceOf(query) * (1 + PACE_SPREAD * Math.random()))
    }
    // An answer that arrived meanwhile may include the change.
    const stale = (query: Query) =>
      [...(ripe.get(query.queryHash)?.dirty ?? [])].some(([path, what]) => isStale(query, path, what))
    if (ripe.size > 0) void client.invalidateQueries({ predicate: stale })
    if (waiting.size > 0) schedule(Math.min(...[...waiting.values()].map((one) => one.due)))
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

/** The newest version of each id, unless one of the two is unknown. */
function joined(before: Dirty['ids'], now: Dirty['ids']): Dirty['ids'] {
  const ids = new Map(before)
  for (const [id, { version, fields }] of now) {
    const known = ids.get(id)
    if (!known) ids.set(id, { version, fields })
    else {
      const isKnown = known.version !== undefined && version !== undefined
      ids.set(id, {
        version: isKnown ? Math.max(known.version as number, version) : undefined,
        fields: known.fields && fields && [...known.fields, ...fields],
      })
    }
  }
  return ids
}

/** Milliseconds: a query affected by almost every change sets its own interval in `meta.everyMs`. */
const paceOf = ({ meta }: Query): number => (typeof meta?.everyMs === 'number' ? meta.everyMs : SEEN_EVERY_MS)

/** Subscriptions for a query's data: a record by its id, a list within one record by that. */
function targetsOf(query: Query): Listener[] {
  const { queryKey } = query
  const targets: Listener[] = liveTargets(query).map(({ fields: _, ...target }) => target)
  if (queryKey[0] === 'records' && typeof queryKey[1] === 'string') {
    const single = singleOf(queryKey)
    for (const { path } of briefs) {
      if (!isAffectedBy(queryKey, path)) continue
      const own = path === queryKey[1] && !expandsTo(queryKey, path)
      const filter = own ? withinOf(queryKey) : undefined
      targets.push({ path, ...(own && single !== undefined && { id: single }), ...(filter && { filter }) })
    }
  }
  return targets
}

/** Whether the changes concern what `meta.live` has named. */
function concerns({ id, fields: named }: LiveTarget, ids: Dirty['ids']): boolean {
  if (id === undefined) return true
  const changed = ids.get(id)
  if (!changed) return false
  return named === undefined || changed.fields === undefined || changed.fields.some((name) => named.includes(name))
}

function isStale(query: Query, path: string, { all, ids }: Dirty): boolean {
  const { queryKey, state } = query
  const targets = liveTargets(query).filter((target) => target.path === path)
  if (targets.some((target) => all || concerns(target, ids))) return true
  if (!isAffectedBy(queryKey, path)) return false
  const single = singleOf(queryKey)
  if (all || queryKey[1] !== path || expandsTo(queryKey, path)) return true
  if (single === undefined) return !showsAllBut(query, path, ids)
  if (!ids.has(single)) return false
  // One's own write: its answer is there already.
  const version = ids.get(single)?.version
  const shown = (state.data as { _version?: number } | undefined)?._version
  return !(queryKey[2] === 'view' && version !== undefined && shown !== undefined && shown >= version)
}

/** True for a completely loaded list without the changed records and without fields by which one could enter it. */
function showsAllBut({ queryKey, state }: Query, path: string, ids: Dirty['ids']): boolean {
  const pulse: readonly string[] = briefAt(path)?.pulse ?? []
  if (![...ids.values()].every(({ fields }) => fields?.every((name) => pulse.includes(name)))) return false
  const { filter } =
    queryKey.find((part): part is { filter?: unknown } => typeof part === 'object' && part !== null) ?? {}
  const asked = JSON.stringify(filter ?? {})
  if (pulse.some((name) => asked.includes(`"${name}"`))) return false
  const data = state.data as Partial<ShownList & { pages: ShownList[] }> | undefined
  const pages = data?.pages ?? (data?.items ? [data as ShownList] : [])
  if (pages.at(-1)?._meta?.hasMore !== false) return false
  return !pages.some(({ items }) => items.some(({ id }) => ids.has(id)))
}

interface ShownList {
  items: { id: number }[]
  _meta?: { hasMore?: boolean }
}

/** The record within which a list is, if any. */
function withinOf(key: QueryKey): Listener['filter'] {
  const within = briefAt(String(key[1]))?.within
  const query = key.find(
    (part): part is { filter?: Record<string, unknown> } => typeof part === 'object' && part !== null,
  )
  const parent = within === undefined ? undefined : query?.filter?.[within]
  return within !== undefined && typeof parent === 'number' ? { [within]: parent } : undefined
}

/** A record may be limited to some of its fields. */
interface LiveTarget extends Listener {
  fields?: readonly string[]
}

/** The targets of `meta.live`: paths, or single records. */
const liveTargets = ({ meta }: Query): LiveTarget[] =>
  Array.isArray(meta?.live)
    ? (meta.live as (string | LiveTarget)[]).map((one) => (typeof one === 'string' ? { path: one } : one))
    : []

/** Id of the query's record. */
function singleOf(key: QueryKey): number | undefined {
  const single = key[2] === 'view' || key[2] === 'history'
  return single && typeof key[3] === 'number' && key[3] > 0 ? key[3] : undefined
}

/** Whether the query includes records of `path` by expanding them, other than its own. */
function expandsTo(key: QueryKey, path: string): boolean {
  const entity = briefAt(String(key[1]))
  const query = key.find((part): part is { expand?: unknown } => typeof part === 'object' && part !== null)
  if (!entity || !Array.isArray(query?.expand)) return false
  return query.expand.some((dotted) => {
    const [first = '', ...rest] = String(dotted).split('.')
    const relation = relationOf(entity, first)
    return relation !== undefined && isAffectedBy(['records', relation.to, 'list', { expand: [rest.join('.')] }], path)
  })
}
