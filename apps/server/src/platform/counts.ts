/**
 * Counters of the clinic, over all its server processes: in Redis if `REDIS_URL` is set, else in the memory of each. For
 * what is promised of an account or an address; limits that protect a process itself stay with it (admission.ts).
 *
 * Each process counts for itself as well, and goes by that while Redis is silent: a limit is then at most as many times
 * larger as there are processes, and no request is refused because of Redis.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Redis } from 'ioredis'
import type { Logger } from './log.ts'

export interface Count {
  current: number
  /** Milliseconds until it begins anew. */
  ttl: number
}

export interface Counts {
  /** Counts one more within the window that has begun with its first. */
  add(key: string, windowMs: number): Promise<Count>
  close(): void
}

/** Counters in the memory of a process; beyond that those not used for longest are forgotten. */
const MOST = 20_000
/** Redis that answers later is silent, and is not asked again for a while. */
const ANSWER_MS = 250
const SILENT_MS = 2_000
/** @returns [current, ttl] */
const ADD = `local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}`

export function createCounts({ redisUrl, log }: { redisUrl: string | undefined; log: Pick<Logger, 'warn'> }): Counts {
  const own = new Map<string, { current: number; until: number }>()
  let redis: Redis | undefined
  let silentUntil = 0
  let isClosed = false

  function addOwn(key: string, windowMs: number): Count {
    const now = Date.now()
    const known = own.get(key)
    const count = known && known.until > now ? known : { current: 0, until: now + windowMs }
    count.current++
    // To the end: the first of the map is the one not used for longest.
    own.delete(key)
    own.set(key, count)
    if (own.size > MOST) own.delete(own.keys().next().value as string)
    return { current: count.current, ttl: count.until - now }
  }

  async function open(url: string): Promise<void> {
    const { Redis } = await import('ioredis')
    if (isClosed) return
    redis = new Redis(url, {
      connectionName: 'ordinator-counts',
      // Commands that cannot be sent now fail at once instead of queueing.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: ANSWER_MS,
      lazyConnect: true,
    })
    redis.on('error', () => {})
    // Goes on trying by itself.
    await redis.connect().catch(() => {})
  }
  if (redisUrl !== undefined) void open(redisUrl)

  return {
    async add(key, windowMs) {
      const counted = addOwn(key, windowMs)
      if (redis?.status !== 'ready' || Date.now() < silentUntil) return counted
      try {
        const [current, ttl] = (await redis.eval(ADD, 1, `ordinator:count:${key}`, windowMs)) as [number, number]
        return { current, ttl: Math.max(ttl, 0) }
      } catch (error) {
        log.warn({ err: error }, 'counts: this process counts for itself')
        silentUntil = Date.now() + SILENT_MS
        return counted
      }
    },
    close() {
      isClosed = true
      redis?.disconnect()
    },
  }
}

/** The counters as the store of @fastify/rate-limit, one for each route and key. */
export const rateStore = (counts: Counts): FastifyRateLimitStoreCtor =>
  class Store implements FastifyRateLimitStore {
    readonly #prefix: string
    constructor(_options: unknown, prefix = '') {
      this.#prefix = prefix
    }
    incr(key: string, done: (error: Error | null, count?: Count) => void, windowMs: number): void {
      counts.add(`${this.#prefix}${key}`, windowMs).then((count) => done(null, count), done)
    }
    /** @param options those of the limit with `routeInfo`; the plugin's types differ */
    child(options: object): Store {
      const { routeInfo } = options as { routeInfo?: { method?: unknown; url?: unknown } }
      return new Store(undefined, `${routeInfo?.method} ${routeInfo?.url} `)
    }
  }
