/**
 * Reads from a replica of the database (`REPLICA_URL`), instead of the primary.
 *
 * A read goes there only once the replica has replayed all that the primary had written when the read was asked for. So it
 * is as fresh as one of the primary, for every writer in every process, and an event is never ahead of the read
 * that follows it (docs/decisions/0013). A replica that does not get there within WAIT_MS, does not answer or is promoted
 * is left alone until the watch finds it well again: no read waits for it meanwhile.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Lane, Query, Tx, TxOptions } from './queries.ts'

/**
 * `ok`: it is read. `behind`: it replays too late. `away`: it does not answer. `promoted`: it is no replica any more.
 * `foreign`: it is of another database.
 */
export const replicaStates = ['ok', 'behind', 'away', 'promoted', 'foreign'] as const
export type ReplicaState = (typeof replicaStates)[number]

export interface ReplicaHealth {
  state: ReplicaState
  /** What it has not replayed at the last look of the watch. */
  bytes: number
  seconds: number
  /** Reads since the start that it answered, and that the primary answered in its place. */
  served: number
  returned: number
}

/** Permission for one long read on a connection of its own (`readAside`). Plain data, also for a worker. */
export interface Ticket {
  url: string
  /** The read must see everything up to here. */
  position: string
}

export interface Replica {
  /** The lane that reads from the replica when it may, else from `primary`, where every transaction runs that may write. */
  before(primary: Lane, pool: pg.Pool): Lane
  /** Undefined: to be read from the primary. */
  ticket(): Promise<Ticket | undefined>
  health(): ReplicaHealth
  end(): Promise<void>
}

interface Connecting {
  /** As `Db.connect`. */
  connect(costly: boolean, url?: string): Promise<pg.Client>
}

/** Statements of one connection to the replica. */
type Asking = <R>(q: Query) => Promise<R[]>

interface ReplicaOptions {
  url: string
  log: Pick<Logger, 'warn'>
  /** A connection to the replica that is not open yet. */
  client(): pg.Client
  ask<R>(client: pg.ClientBase, q: Query): Promise<R[]>
  beginText(options: TxOptions): string
  primary: Pick<Lane, 'one'>
}

/**
 * Milliseconds in which a replica must reach the position of a read: longer than `wal_writer_delay`, since the position may
 * be within a record whose rest is still in the primary's memory.
 */
const WAIT_MS = 300
const STEP_MS = 4
/** A replica that answers the simplest query later is away. */
const ANSWER_MS = 1_000
const WATCH_MS = 1_000
const MAX_SAMPLES = 3_600

/** Without waiting for the disk a commit may be ahead of what is flushed. */
const POSITION = `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end)::text as at`
const REPLAYED = `select pg_is_in_recovery() as "isReplica", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isFresh",
  pg_last_wal_replay_lsn()::text as at`
const IDENTITY = `select "system_identifier"::text || ' ' || current_database() as id from pg_control_system()`

interface Replayed {
  isReplica: boolean
  isFresh: boolean
  at: string | null
}

export const createReplica = (options: ReplicaOptions): Replica => new WatchedReplica(options)

class WatchedReplica implements Replica {
  readonly #options: ReplicaOptions
  readonly #health: ReplicaHealth = { state: 'away', bytes: 0, seconds: 0, served: 0, returned: 0 }
  readonly #busy = new Set<pg.Client>()
  /** Positions of the primary that the replica had not replayed at the last look, the oldest first. */
  readonly #samples: { lsn: bigint; at: number }[] = []
  readonly #position: () => Promise<string | undefined>
  #watching: pg.Client | undefined
  #identity: string | undefined
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor(options: ReplicaOptions) {
    this.#options = options
    const { primary } = options
    this.#position = shared(async () => (await primary.one<{ at: string }>({ text: POSITION, name: 'position' }))?.at)
    void this.#watch()
  }

  before(main: Lane, pool: pg.Pool): Lane {
    const { log, beginText } = this.#options
    const lost = (error: Error) => log.warn({ err: error.message }, 'replica: connection lost')
    pool.on('error', lost).on('connect', (client) => void client.on('error', lost))
    const either = async <T>(there: (asking: Asking) => Promise<T>, here: () => Promise<T>): Promise<T> => {
      const found = await this.#onReplica(pool, there)
      if (found) this.#health.served++
      else this.#health.returned++
      return found ? found.value : here()
    }
    const query = <R>(q: Query): Promise<R[]> =>
      either(
        (asking) => asking<R>(q),
        () => main.query<R>(q),
      )
    return {
      query,
      one: async <R>(q: Query) => (await query<R>(q))[0],
      cipher: main.cipher,
      tx(run, options) {
        if (!options?.readOnly || options.isolation === 'serializable') return main.tx(run, options)
        return either(
          (asking) => inOne(asking, beginText(options), (tx) => run({ ...tx, cipher: main.cipher })),
          () => main.tx(run, options),
        )
      },
    }
  }

  async ticket(): Promise<Ticket | undefined> {
    const at = this.#health.state === 'ok' ? await this.#position().catch(() => undefined) : undefined
    return at === undefined ? undefined : { url: this.#options.url, position: at }
  }

  health(): ReplicaHealth {
    return { ...this.#health }
  }

  async end(): Promise<void> {
    this.#ended = true
    clearTimeout(this.#timer)
    await this.#watching?.end().catch(() => {})
  }

  #setState(state: ReplicaState, error?: unknown): void {
    if (this.#health.state === state) return
    this.#health.state = state
    const err = error instanceof Error ? error.message : undefined
    this.#options.log.warn({ state, bytes: this.#health.bytes, seconds: this.#health.seconds, err }, 'replica')
  }

  /** A connection to a replica that holds everything written until now; undefined: not now. */
  async #ready(pool: pg.Pool): Promise<pg.PoolClient | undefined> {
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max
    if (this.#health.state !== 'ok' || isFull) return undefined
    const asked = this.#position().catch(() => undefined)
    let client: pg.PoolClient | undefined
    try {
      client = await pool.connect()
      const at = await asked
      const { isReplica, isFresh } = at === undefined ? LATE : await replayed(client, at)
      if (isReplica && isFresh) return client
      if (at !== undefined) this.#setState(isReplica ? 'behind' : 'promoted')
      client.release()
    } catch (error) {
      client?.release(error as Error)
      this.#setState('away', error)
    }
    return undefined
  }

  /** Runs reads on the replica; undefined: they are to be run on the primary. */
  async #onReplica<T>(pool: pg.Pool, run: (asking: Asking) => Promise<T>): Promise<{ value: T } | undefined> {
    const client = await this.#ready(pool)
    if (!client) return undefined
    this.#busy.add(client)
    let failed: Error | undefined
    let isFaulty = false
    const asking: Asking = async (q) => {
      try {
        return await this.#options.ask(client, q)
      } catch (error) {
        failed = error as Error
        isFaulty = isOfReplica(error)
        throw error
      }
    }
    try {
      return { value: await run(asking) }
    } catch (error) {
      failed ??= error as Error
      if (!isFaulty) throw error
      this.#options.log.warn({ err: failed.message }, 'replica: a read is repeated on the primary')
      return undefined
    } finally {
      this.#busy.delete(client)
      client.release(failed)
    }
  }

  async #look(): Promise<void> {
    const at = await this.#position().catch(() => undefined)
    // Without the primary the replica's state is unknown.
    if (at === undefined) return
    if (this.#samples.length < MAX_SAMPLES) this.#samples.push({ lsn: lsnOf(at), at: performance.now() })
    try {
      this.#watching ??= await this.#opened()
      const found = await replayed(this.#watching, at)
      const reached = lsnOf(found.at ?? '0/0')
      while (this.#samples[0] && this.#samples[0].lsn <= reached) this.#samples.shift()
      this.#health.bytes = Math.max(0, Number(lsnOf(at) - reached))
      this.#health.seconds = this.#samples[0] ? (performance.now() - this.#samples[0].at) / 1_000 : 0
      this.#setState(!found.isReplica ? 'promoted' : found.isFresh ? 'ok' : 'behind')
    } catch (error) {
      void this.#watching?.end().catch(() => {})
      this.#watching = undefined
      if (this.#ended) return
      this.#setState(error instanceof Foreign ? 'foreign' : 'away', error)
      // Reads that would wait for a machine that is down fail now, and are repeated on the primary.
      for (const one of this.#busy) void one.end().catch(() => {})
    }
  }

  async #opened(): Promise<pg.Client> {
    const client = this.#options.client()
    const lost = () => {
      if (this.#watching === client) this.#watching = undefined
    }
    client.on('error', lost).on('end', lost)
    try {
      await client.connect()
      this.#identity ??= (await this.#options.primary.one<{ id: string }>({ text: IDENTITY }))?.id
      const { rows } = await inTime(client.query<{ id: string }>(IDENTITY))
      if (rows[0]?.id !== this.#identity) throw new Foreign('REPLICA_URL leads to another database')
      return client
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
  }

  async #watch(): Promise<void> {
    await this.#look().catch((error) => this.#options.log.warn({ err: error }, 'replica: not looked at'))
    if (!this.#ended) this.#timer = setTimeout(() => this.#watch(), WATCH_MS).unref()
  }
}

/** Reads of one snapshot. */
async function inOne<T>(asking: Asking, begin: string, run: (tx: Omit<Tx, 'cipher'>) => Promise<T>): Promise<T> {
  await asking({ text: begin })
  const value = await run({
    query: asking,
    one: async <R>(q: Query) => (await asking<R>(q))[0],
    afterCommit() {
      throw new Error('a transaction that only reads has nothing to do after its commit')
    },
  })
  await asking({ text: 'COMMIT' })
  return value
}

/**
 * Runs a long read on a connection of its own: on the replica of the ticket, else on the primary. When the replica fails,
 * it runs once more on the primary.
 */
export async function readAside<T>(
  db: Connecting,
  ticket: Ticket | undefined,
  run: (client: pg.Client, isReplica: boolean) => Promise<T>,
): Promise<T> {
  const client = ticket && (await connectToReplica(db, ticket))
  if (!client) return run(await db.connect(true), false)
  try {
    return await run(client, true)
  } catch (error) {
    if (!isOfReplica(error)) throw error
    return run(await db.connect(true), false)
  }
}

/** A connection to the replica of the ticket, in which its read sees all that it must; undefined: it cannot be had now. */
export async function connectToReplica(db: Connecting, ticket: Ticket): Promise<pg.Client | undefined> {
  const client = await db.connect(true, ticket.url).catch(() => undefined)
  if (!client) return undefined
  client.on('error', () => {})
  const found = await replayed(client, ticket.position).catch(() => LATE)
  if (found.isReplica && found.isFresh) return client
  void client.end().catch(() => {})
  return undefined
}

/**
 * True when the primary may answer what this server could not: it is gone, has cancelled the statement in favour of its
 * replay, or cannot do at all what the statement does. An error of the statement itself is the same on both.
 */
export function isOfReplica(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return true
  return /^(08|0A|25|40|53|55|57P|58|F0|XX)/.test(code)
}

const LATE: Replayed = { isReplica: true, isFresh: false, at: null }

/** Waits for a replica to reach a position. @throws when it does not answer in time */
async function replayed(client: pg.ClientBase, position: string): Promise<Replayed> {
  const late = performance.now() + WAIT_MS
  for (;;) {
    const { rows } = await inTime(client.query<Replayed>({ text: REPLAYED, values: [position], name: 'replayed' }))
    const found = rows[0] as Replayed
    if (found.isFresh || !found.isReplica || performance.now() >= late) return found
    await sleep(STEP_MS)
  }
}

class Foreign extends Error {}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep(ANSWER_MS, undefined, { signal: over.signal, ref: false }).then(async () => {
    // After a long turn of this process the answer may lie unread.
    await setImmediate()
    throw new Error('no answer')
  })
  late.catch(() => {})
  try {
    return await Promise.race([answer, late])
  } finally {
    over.abort()
    answer.catch(() => {})
  }
}

/** Reads begun after each call: those who ask while one is under way share the next. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        const now = read()
        running = now
        return now
      })
    return next
  }
}

/** `16/B374D848` as the number of bytes. */
function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
