/**
 * Cache of rendered pages in each server's memory: limited in size, stored as bytes, and cleared when history shows a
 * change of the site's data. Data without history (free times, the clock) is limited by TTL_MS.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import sql from 'sql-template-tag'
import type { AppContext } from '#records/context.ts'

/** With MAX_AGE_S a visitor sees a change within a minute, even if an event is lost. */
const TTL_MS = 25_000
export const MAX_AGE_S = 30
/** Searches are unlimited in number: a separate cache keeps them from evicting pages. */
const shelves = {
  pages: { entries: 1_000, bytes: 48 * 1024 * 1024 },
  searches: { entries: 100, bytes: 4 * 1024 * 1024 },
} as const
type Shelf = keyof typeof shelves
/** Minimum milliseconds between reads of history under writes. */
const LOOK_MS = 300
const MAX_SEEN = 1_000

/** Entities whose changes affect the site. */
const shown = [
  'client/theme',
  'client/pages',
  'client/versions',
  'client/redirects',
  'client/documents',
  'client/policies',
  'services',
  'services-groups',
  'service-images',
  'service-prices',
  'service-performers',
  'price-lists',
  'membership-types',
  'membership-types/items',
  'discounts',
  'users',
  'specialities',
  'filials',
  'filials/gallery',
  'filials/holidays',
  'news',
  'news/images',
  'live-assist/domains',
  'sales-management/intakes',
]

export interface Made {
  status: number
  body: Buffer
  gzipped: Buffer
  etag: string
  headers: Record<string, string>
}
interface Entry {
  made: Made
  until: number
}

const pack = promisify(gzip)

/** Pages by key, limited; the least recently used is evicted. */
function openShelf(most: { entries: number; bytes: number }) {
  const entries = new Map<string, Entry>()
  let bytes = 0
  const sizeOf = ({ made }: Entry) => made.body.length + made.gzipped.length
  function drop(key: string): void {
    const old = entries.get(key)
    if (!old) return
    entries.delete(key)
    bytes -= sizeOf(old)
  }
  return {
    find(key: string): Made | undefined {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.until < Date.now()) {
        drop(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.made
    },
    keep(key: string, made: Made): void {
      drop(key)
      const entry = { made, until: Date.now() + TTL_MS }
      entries.set(key, entry)
      bytes += sizeOf(entry)
      for (const old of entries.keys()) {
        if (entries.size <= most.entries && bytes <= most.bytes) break
        drop(old)
      }
    },
    empty(): void {
      entries.clear()
      bytes = 0
    },
  }
}

export function createCache(app: AppContext) {
  const kept = { pages: openShelf(shelves.pages), searches: openShelf(shelves.searches) }
  const making = new Map<string, Promise<Made>>()
  /** Incremented by each clearing: a page begun before is not stored. */
  let age = 0
  let isDirty = true
  let looked = 0
  let looking: Promise<void> | undefined
  let cursor: string | undefined
  let seen = new Set<number>()

  const stop = app.fanout.subscribe('records', () => {
    isDirty = true
  })
  const stopGap = app.fanout.onGap(() => empty())
  app.onClose(() => {
    stop()
    stopGap()
  })

  function empty(): void {
    age++
    kept.pages.empty()
    kept.searches.empty()
  }

  async function look(): Promise<void> {
    isDirty = false
    looked = Date.now()
    const now = await app.db.reads.one<{ xmin: string }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`,
    )
    if (cursor !== undefined) {
      const news = await app.db.reads.query<{ id: number }>(sql`select "id" from history
        where "xid" >= ${cursor}::xid8 and "path" = any (${shown}) order by "id" desc limit ${MAX_SEEN}`)
      if (news.some(({ id }) => !seen.has(id))) empty()
      seen = new Set(news.map(({ id }) => id))
    }
    cursor = now?.xmin
  }

  /** Waits until the known state of history is younger than LOOK_MS. */
  async function settle(): Promise<void> {
    if (looking) return looking
    if (!isDirty || Date.now() - looked < LOOK_MS) return
    looking = look().finally(() => {
      looking = undefined
    })
    return looking
  }

  return {
    /** The cached page of the key; undefined: it must be rendered. */
    async find(shelf: Shelf, key: string): Promise<Made | undefined> {
      await settle()
      return kept[shelf].find(key)
    },
    /** Renders once for concurrent requests. */
    make(shelf: Shelf, key: string, make: () => Promise<Omit<Made, 'gzipped' | 'etag'>>): Promise<Made> {
      const begun = age
      const shared = `${begun} ${key}`
      const running = making.get(shared)
      if (running) return running
      const promise = (async () => {
        const { body, ...rest } = await make()
        const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
        const made = { ...rest, body, gzipped: await pack(body, { level: 6 }), etag }
        // Errors are not cached: their addresses are unlimited in number.
        if (begun === age && made.status < 400) kept[shelf].keep(key, made)
        return made
      })().finally(() => making.delete(shared))
      making.set(shared, promise)
      return promise
    },
    empty,
  }
}
export type Cache = ReturnType<typeof createCache>
