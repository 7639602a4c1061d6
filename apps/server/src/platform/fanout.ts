/**
 * Signals between server processes: short texts on named channels, to every process, the sender included. They go
 * through PostgreSQL LISTEN/NOTIFY. With `REDIS_URL`, Redis carries `publish`, and PostgreSQL still carries `announce`
 * within a transaction, so that none of those is lost with Redis. Signals sent while a connection is down are lost:
 * after a reconnect the `onGap` handlers run, and subscribers that need more than signals re-read their data.
 */
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { Db, Queryable } from './db.ts'
import type { Logger } from './log.ts'
import { besides, CLINIC, schemaOf } from './schema.ts'
import { starting } from './startErrors.ts'

export interface Fanout {
  /**
   * Delivered soon, in the order of the calls; lost when the connection is down.
   * @param payload at most 7,000 bytes of UTF-8
   */
  publish(channel: string, payload: string): void
  /** Returns the function that unsubscribes. */
  subscribe(channel: string, receive: (payload: string) => void): () => void
  /** Runs after signals may have been missed. */
  onGap(run: () => void): () => void
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * Signals delivered to every process if the transaction commits, and to none if it rolls back: for signals that must not
 * be lost with the connection or the sending process.
 * @param payloads each at most 7,000 bytes of UTF-8
 */
export async function announce(tx: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  if (payloads.length > 0) await notify(tx, pack(payloads.map((payload) => itemOf(channel, payload))))
}

/**
 * SQL of a signal within a statement of its own, delivered when that commits: saves a statement where each counts.
 * @param payload at most 7,000 bytes of UTF-8
 */
export const announceSql = (channel: string, payload: string): Sql =>
  sql`pg_notify(${WIRE}, ${itemOf(channel, payload)}::text)`

/** Bytes; NOTIFY accepts fewer than 8,000. */
const MAX_PAYLOAD = 7_000
const MAX_NOTIFY = 7_900
const COALESCE_MS = 10
const RECONNECT_MS = [50, 200, 500, 1000, 2000]
/** Detects a connection that is silent without being closed. */
const HEARTBEAT_MS = 15_000
const WIRE = 'ordinator'
/** SQL of the channel of `besides`: a training clinic in the same database has its own. */
const WIRE_SQL = `'${WIRE}' || case current_schema() when '${CLINIC}' then '' else '_' || current_schema() end`
/** Message of ioredis promises, whatever closed the connection. */
const CLOSED = 'Connection is closed.'
/** A Redis that does not answer within this time aborts the start: a busy machine answers late. */
const FIRST_ANSWER_MS = 120_000
/** A Redis that takes longer to answer counts as down. */
const ANSWER_MS = 2_000
/** How long a dead connection may delay the shutdown. */
const GOODBYE_MS = 1_000

/** A transport of packed texts to all processes. */
interface Wire {
  start(receive: (packed: string) => void, gap: () => void): Promise<void>
  send(packed: string[]): Promise<void>
  close(): Promise<void>
}

export function createFanout(options: {
  db: Db
  redisUrl: string | undefined
  log: Logger
  /** Milliseconds to wait for the first answer of Redis. */
  patience?: number
}): Fanout {
  const postgres = postgresWire(options.db, options.log)
  const redis = options.redisUrl ? redisWire(options.redisUrl, options.log, options.patience) : undefined
  const wire = redis ?? postgres
  const receivers = new Map<string, Set<(payload: string) => void>>()
  const gaps = new Set<() => void>()
  let outbox: string[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let mute = false

  const guard = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      options.log.error({ err: error }, 'fanout receiver')
    }
  }

  function receive(packed: string): void {
    for (const [channel, payload] of JSON.parse(`[${packed}]`) as [string, string][]) {
      for (const fn of receivers.get(channel) ?? []) guard(() => fn(payload))
    }
  }

  /** Sends one batch at a time, so that signals keep their order; later signals go with the next batch. */
  async function send(): Promise<void> {
    while (outbox.length > 0) {
      const batch = outbox
      outbox = []
      try {
        await wire.send(pack(batch))
        if (mute) options.log.info('fanout: signals are sent again')
        mute = false
      } catch (error) {
        if (!mute) options.log.warn({ err: error }, 'fanout: signals are not sent')
        mute = true
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sending ??= send().finally(() => {
      sending = undefined
    })
    return sending
  }

  return {
    publish(channel, payload) {
      const item = itemOf(channel, payload)
      // A queued signal without a payload already covers this one.
      if (payload === '' && outbox.includes(item)) return
      outbox.push(item)
      if (!sending) timer ??= setTimeout(flush, COALESCE_MS)
    },
    subscribe(channel, fn) {
      const set = receivers.get(channel) ?? new Set()
      receivers.set(channel, set.add(fn))
      return () => {
        set.delete(fn)
        if (set.size === 0 && receivers.get(channel) === set) receivers.delete(channel)
      }
    },
    onGap(run) {
      gaps.add(run)
      return () => gaps.delete(run)
    },
    async start() {
      const gap = () => gaps.forEach((run) => guard(run))
      await redis?.start(receive, gap)
      await postgres.start(receive, gap)
    },
    async close() {
      // A dead connection must not delay the shutdown.
      await within(GOODBYE_MS, flush).catch(() => {})
      await Promise.all([postgres, redis].map((one) => one && within(GOODBYE_MS, one.close).catch(() => {})))
    },
  }
}

/** @throws RangeError when it is too long for a NOTIFY */
function itemOf(channel: string, payload: string): string {
  const item = JSON.stringify([channel, payload])
  if (Buffer.byteLength(payload) > MAX_PAYLOAD || Buffer.byteLength(item) > MAX_NOTIFY) {
    throw new RangeError(`fanout: payload of ${channel} is over ${MAX_PAYLOAD} bytes`)
  }
  return item
}

/** Joins items with commas into texts that fit one NOTIFY. */
function pack(items: string[]): string[] {
  const packed: string[] = []
  let text = ''
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(item) + 1
    if (text !== '' && bytes + size > MAX_NOTIFY) {
      packed.push(text)
      text = ''
      bytes = 0
    }
    text = text === '' ? item : `${text},${item}`
    bytes += size
  }
  if (text !== '') packed.push(text)
  return packed
}

/** NOTIFY outside a transaction, without waiting for the disk: a signal lost with the server has no receiver anyway. */
async function signal(db: Queryable, packed: string[]): Promise<void> {
  await db.query({
    name: 'fanout-soon',
    text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify(${WIRE_SQL}, payload)
      FROM unnest($1::text[]) WITH ORDINALITY AS t(payload, n) ORDER BY n`,
    values: [packed],
  })
}

async function notify(db: Queryable, packed: string[]): Promise<void> {
  await db.query({
    name: 'fanout',
    text: `SELECT pg_notify(${WIRE_SQL}, payload) FROM unnest($1::text[]) WITH ORDINALITY AS t(payload, n) ORDER BY n`,
    values: [packed],
  })
}

function postgresWire(db: Db, log: Logger): Wire {
  let client: Client | undefined
  let closed = false
  let heartbeat: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined

  async function open(receive: (packed: string) => void, lost: () => void): Promise<void> {
    const next = await db.connect()
    let over = false
    const fail = (): void => {
      if (over) return
      over = true
      clearInterval(heartbeat)
      next.removeAllListeners('notification')
      next.end().catch(() => {})
      if (!closed) lost()
    }
    next.on('error', fail)
    next.on('end', fail)
    next.on('notification', (message) => {
      if (message.payload) receive(message.payload)
    })
    try {
      await next.query(`LISTEN ${besides(schemaOf(db.url), WIRE)}`)
    } catch (error) {
      over = true
      next.end().catch(() => {})
      throw error
    }
    client = next
    heartbeat = setInterval(() => {
      const late = setTimeout(fail, HEARTBEAT_MS / 2)
      next.query('SELECT 1').then(
        () => clearTimeout(late),
        () => {
          clearTimeout(late)
          fail()
        },
      )
    }, HEARTBEAT_MS)
    heartbeat.unref()
  }

  return {
    async start(receive, gap) {
      let tries = 0
      const reopen = (): void => {
        const wait = RECONNECT_MS[Math.min(tries++, RECONNECT_MS.length - 1)]
        retry = setTimeout(() => {
          if (closed) return
          open(receive, reopen).then(
            () => {
              tries = 0
              if (closed) void client?.end().catch(() => {})
              else gap()
            },
            (error) => {
              log.warn({ err: error }, 'fanout: no connection')
              reopen()
            },
          )
        }, wait)
        retry.unref()
      }
      await open(receive, reopen)
    },
    send: (packed) => signal(db, packed),
    async close() {
      closed = true
      clearTimeout(retry)
      clearInterval(heartbeat)
      await client?.end().catch(() => {})
    },
  }
}

function redisWire(url: string, log: Logger, patience = FIRST_ANSWER_MS): Wire {
  type Redis = import('ioredis').Redis
  let sub: Redis | undefined
  let pub: Redis | undefined
  let heartbeat: NodeJS.Timeout | undefined
  // PostgreSQL drops equal NOTIFYs of one transaction, Redis does not; the name separates databases.
  const channel = `${WIRE}:${new URL(url).pathname.slice(1) || '0'}`

  /** Disconnects from a silent Redis; the client then reconnects as after any break. */
  async function beat(redis: Redis): Promise<void> {
    if (redis.status === 'ready') await redis.ping().catch(() => redis.disconnect(true))
  }

  return {
    async start(receive, gap) {
      const { Redis } = await import('ioredis')
      // The promises only report that the connection is closed, the listeners report why.
      let why: Error | undefined
      const make = (): Redis => {
        const name = `ordinator-${randomUUID().slice(0, 8)}`
        const redis = new Redis(url, {
          lazyConnect: true,
          connectionName: name,
          // Commands that cannot be sent now fail at once instead of queueing.
          enableOfflineQueue: false,
          maxRetriesPerRequest: 0,
        })
        redis.on('error', (error) => {
          why = error
          log.warn({ err: error }, 'fanout: redis')
        })
        return redis
      }
      const [listens, speaks] = [make(), make()]
      sub = listens
      pub = speaks
      await starting('REDIS_URL', () =>
        within(patience, async () => {
          await Promise.all([listens.connect(), speaks.connect()])
          await listens.subscribe(channel)
        }).catch((error) => {
          throw error.message === CLOSED ? (why ?? error) : error
        }),
      )
      // Read with each command. The first connection had its own timeout.
      for (const redis of [listens, speaks]) redis.options.commandTimeout = ANSWER_MS
      listens.on('message', (_channel: string, packed: string) => receive(packed))
      // ioredis resubscribes by itself; every 'ready' after the first means a break.
      listens.on('ready', gap)
      heartbeat = setInterval(() => void Promise.all([listens, speaks].map(beat)), HEARTBEAT_MS)
      heartbeat.unref()
    },
    async send(packed) {
      for (const text of packed) await pub?.publish(channel, text)
    },
    async close() {
      clearInterval(heartbeat)
      sub?.disconnect()
      await pub?.quit().catch(() => {})
      pub?.disconnect()
    },
  }
}

/** @throws an error with the code ETIMEDOUT when the work takes longer */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' })), ms)
  })
  try {
    await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
