/**
 * PostgreSQL access by four methods: `query`, `one`, `tx`, `pages`.
 *
 * Types of returned values: `int8` is a number, `numeric` a string, `date` `YYYY-MM-DD`, `timestamptz` the text that
 * PostgreSQL writes in JSON (`2026-11-20T09:30:00.5+00:00`), `json` parsed. Sessions run in UTC.
 */

import pg from 'pg'
import type { Logger } from 'pino'
import { BoundedClient } from './boundedClient.ts'
import { type Cipher, createCipher, noCipher } from './cipher.ts'
import { adjust, ask, beginText, codeOf, type Inside, laneOf, patientClients } from './lane.ts'
import { LANES, type LaneName, laneSizes } from './laneSizes.ts'
import { lowerPriority } from './lowPriority.ts'
import { getTypeParser } from './pgTypes.ts'
import type { Lane, NamedQuery, Query, Queryable, Tx, TxOptions } from './queries.ts'
import { createReplica, type Replica } from './replica.ts'
import { currentRequestId } from './requestId.ts'
import { splitOptions } from './schema.ts'
import { isStranger } from './strangers.ts'

export type { Lane, NamedQuery, Query, Queryable, Tx, TxOptions }

/** The main pool (writes and everything without its own pool), with the other pools. */
export interface Db extends Lane {
  /** Reads for people: long reads take no connection from writes, and have a shorter timeout. */
  readonly reads: Lane
  /** Reads of much for people: big lists, search, reports. From the replica if there is one, else as `reads`. */
  readonly broad: Lane
  /**
   * The few reads that join many relations: each uses one core at most, and with the embedded database its backends run
   * at low priority. From the replica if there is one.
   */
  readonly costly: Lane
  /** Reserved for sign-in, whose statements are short: it has a connection whatever else is running. */
  readonly kept: Lane
  /** For `/health` only, which reports whether the database answers, not how busy it is. */
  readonly health: Lane
  /** For the realtime hub: reads of the history and of who may see each event. */
  readonly events: Lane
  /** Evaluates filters of socket subscriptions: one person's slow filters must not stop other events. */
  readonly filters: Lane
  /** Reads a result of any size page by page from one snapshot. */
  pages<R>(query: Query, size?: number): AsyncGenerator<R[]>
  /**
   * A connection outside the pools, for LISTEN or COPY. The caller ends it.
   * @param costly runs at the low priority of the `costly` pool
   * @param url of the replica; absent: this database
   */
  connect(costly?: boolean, url?: string): Promise<pg.Client>
  /** Absent: `REPLICA_URL` is not set. */
  readonly replica: Replica | undefined
  readonly url: string
  /** Connections of each pool now; `waiting`: statements that wait for one. */
  connections(): Record<LaneName, { open: number; idle: number; waiting: number }>
  /** Called for each statement, outside of a transaction with the wait for its connection, in milliseconds. */
  onStatement(onStatement: StatementWatch): void
  /** Ends the start phase: from now on connections and statements have their usual timeouts (`DbOptions.patient`). */
  started(): void
  /** True for the embedded database, started by this server. */
  readonly isOurs: boolean
  /** Closes all connections; a second call waits for the same close. */
  end(): Promise<void>
}

type StatementWatch = (pool: LaneName, ms: number) => void

export interface DbOptions {
  url: string
  /** A replica of it (replica.ts). */
  replicaUrl?: string | undefined
  log: Pick<Logger, 'warn' | 'error'>
  /** Key for stored secrets; absent where none are read or stored. */
  secret?: string
  /** Connections of the largest pools. */
  max?: number
  /** Connections of the whole process (`DB_CONNECTIONS`), of which the pools get their shares; absent: as in `LANES`. */
  connections?: number | undefined
  /** Milliseconds one statement may run, in any pool. */
  statementTimeout?: number
  applicationName?: string
  /** The database is embedded: the priority of its backends can be lowered. */
  isOurs?: boolean
  /** Where it can be, the priority of every backend is lowered, not only of those of the `costly` pool. */
  lowPriority?: boolean
  /** Milliseconds to wait for a connection. */
  connectTimeout?: number
  /** No connection and no statement times out until `started()`: the start watches the database itself (baseWatch.ts). */
  patient?: boolean
}
/** Milliseconds to wait for a connection to the replica. */
const REPLICA_CONNECT_MS = 1_000
/** Set by SQL on each new connection: in the start packet a pooler (PgBouncer) refuses them or drops them. */
const SESSION = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'iso_8601',
  jit: 'off',
  idle_in_transaction_session_timeout: '60000',
}
/** No timeouts while the server starts. */
const PATIENT = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' }
/** One core for each statement. */
const ALONE = { max_parallel_workers_per_gather: '0' }
/** A backend's memory grows with its plans and caches; it is replaced after this time. */
const BACKEND_LIFE_SECONDS = 15 * 60
const CONNECT_TIMEOUT = 10_000
/** A slower statement is logged with its text, which has no values. */
const SLOW_MS = 1_000
const SLOW_TEXT = 600
/** True when the statement timeout of the pool ended the statement. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

export function createDb(options: DbOptions): Db {
  const { replicaUrl } = options
  const pools = new Pools(options)
  const reads = pools.lane('reads')
  const costly = pools.lane('costly')
  const kept = pools.lane('kept')
  const replica = replicaUrl
    ? createReplica({
        url: replicaUrl,
        log: options.log,
        client: () => new pg.Client(pools.toReplica(replicaUrl)),
        ask,
        beginText,
        primary: kept,
      })
    : undefined
  /** The lane of the replica before its own of the primary; undefined: there is no replica. */
  const ofReplicaFirst = (name: 'reads' | 'costly', own: Lane): Lane | undefined =>
    replicaUrl ? replica?.before(own, pools.ofReplica(name, replicaUrl)) : undefined

  const apart = pools.lane('strangers')
  const divided = (own: Lane): Lane => ({
    query: (q) => (isStranger() ? apart : own).query(q),
    one: (q) => (isStranger() ? apart : own).one(q),
    tx: (run, txOptions) => (isStranger() ? apart : own).tx(run, txOptions),
    cipher: own.cipher,
  })

  const dividedReads = divided(reads)
  const broad = ofReplicaFirst('reads', reads)
  let ended: Promise<unknown> | undefined

  return {
    ...divided(pools.lane('main')),
    url: options.url,
    isOurs: options.isOurs === true,
    reads: dividedReads,
    broad: broad ? divided(broad) : dividedReads,
    costly: divided(ofReplicaFirst('costly', costly) ?? costly),
    kept: divided(kept),
    replica,
    health: pools.lane('health'),
    events: pools.lane('events'),
    filters: pools.lane('filters'),

    connections: () => pools.connections(),
    onStatement: (watch) => pools.onStatement(watch),
    started: () => pools.started(),
    connect: (isCostly, url) => pools.connect(isCostly, url),

    async *pages<R>(q: Query, size = 500) {
      const client = await this.connect()
      try {
        await client.query('BEGIN READ ONLY')
        await client.query({ text: `DECLARE pages NO SCROLL CURSOR FOR ${q.text}`, values: q.values ?? [] })
        for (;;) {
          const { rows } = await client.query(`FETCH ${size} FROM pages`)
          if (rows.length > 0) yield rows as R[]
          if (rows.length < size) break
        }
      } finally {
        await client.end()
      }
    },

    async end() {
      ended ??= Promise.all([replica?.end(), pools.end()])
      await ended
    },
  }
}

/** The connections of one database: a pool for each lane, those of its replica, and single ones outside of them. */
class Pools {
  readonly #options: DbOptions
  readonly #cipher: Cipher
  readonly #connection: pg.PoolConfig
  readonly #session: Readonly<Record<string, string>>
  readonly #sizes: Record<LaneName, number>
  readonly #pools = new Map<LaneName, pg.Pool>()
  readonly #replicaPools: pg.Pool[] = []
  #isPatient: boolean
  #watch: StatementWatch | undefined

  constructor(options: DbOptions) {
    const { url: bare, options: given } = splitOptions(options.url)
    this.#options = options
    this.#cipher = options.secret === undefined ? noCipher : createCipher(options.secret)
    this.#isPatient = options.patient === true
    this.#session = { ...SESSION, ...settingsOf(given) }
    this.#sizes = laneSizes(options.connections)
    this.#connection = {
      connectionString: bare,
      application_name: options.applicationName ?? 'ordinator',
      connectionTimeoutMillis: options.patient ? 0 : connectTimeoutOf(options),
      keepAlive: true,
      types: { getTypeParser },
    }
  }

  /** Made once for each name. */
  lane(name: LaneName): Lane {
    const { log, lowPriority: isLow } = this.#options
    const usual = this.#usualOf(name)
    const pool = this.#poolOf(name, {
      ...this.#connection,
      verify: (client, done) => {
        if (this.#isPatient) patientClients.add(client)
        adjust(client, this.#isPatient ? { ...usual, ...PATIENT } : usual).then(() => done(), done)
      },
    })
    if (name === 'costly' || isLow) pool.on('connect', (client) => this.#yield(client))
    this.#pools.set(name, pool)
    return laneOf(pool, log, this.#cipher, {
      prepare: (client) => (!this.#isPatient && patientClients.delete(client) ? adjust(client, usual) : undefined),
      took: (ms, q) => this.#took(name, ms, q),
    })
  }

  /** A pool of connections to the replica, with the settings of a lane. */
  ofReplica(name: LaneName, url: string): pg.Pool {
    const pool = this.#poolOf(name, this.toReplica(url))
    this.#replicaPools.push(pool)
    return pool
  }

  toReplica(url: string): pg.PoolConfig {
    return {
      ...this.#connection,
      connectionString: splitOptions(url).url,
      application_name: `${this.#connection.application_name}-replica`,
      connectionTimeoutMillis: REPLICA_CONNECT_MS,
    }
  }

  async connect(costly = false, url?: string): Promise<pg.Client> {
    const client = new pg.Client(url ? this.toReplica(url) : this.#connection)
    // As in the pools: without a handler a dropped connection would end the process.
    client.on('error', (error) => this.#options.log.warn({ err: error.message }, 'database connection lost'))
    await client.connect()
    await adjust(client, { ...this.#session, ...(costly && ALONE), statement_timeout: '0' })
    if (costly && !url) this.#yield(client)
    return client
  }

  connections(): ReturnType<Db['connections']> {
    const now = [...this.#pools].map(([name, { totalCount: open, idleCount: idle, waitingCount: waiting }]) => [
      name,
      { open, idle, waiting },
    ])
    return Object.fromEntries(now) as ReturnType<Db['connections']>
  }

  onStatement(watch: StatementWatch): void {
    this.#watch = watch
  }

  started(): void {
    const connectTimeout = connectTimeoutOf(this.#options)
    this.#isPatient = false
    this.#connection.connectionTimeoutMillis = connectTimeout
    for (const pool of this.#pools.values()) pool.options.connectionTimeoutMillis = connectTimeout
  }

  async end(): Promise<void> {
    await Promise.all([...this.#pools.values(), ...this.#replicaPools].map((pool) => pool.end()))
  }

  #poolOf(name: LaneName, base: pg.PoolConfig): pg.Pool {
    const size = this.#sizes[name]
    return new pg.Pool({
      // Called with each new connection before its first query.
      verify: (client, done) => void adjust(client, this.#usualOf(name)).then(() => done(), done),
      ...base,
      Client: BoundedClient as never,
      max: Math.min(this.#options.max ?? size, size),
      maxLifetimeSeconds: BACKEND_LIFE_SECONDS,
      idleTimeoutMillis: 60_000,
    })
  }

  #usualOf(name: LaneName): Record<string, string> {
    return {
      ...this.#session,
      ...(name === 'costly' && ALONE),
      statement_timeout: String(this.#options.statementTimeout ?? LANES[name].timeout),
    }
  }

  /** Lowers the priority of a connection's backend, where it can be. */
  #yield(client: pg.ClientBase): void {
    const { processID } = client as unknown as Inside
    if (this.#options.isOurs && processID) lowerPriority({ pid: processID })
  }

  #took(pool: LaneName, ms: number, { text }: Query): void {
    this.#watch?.(pool, ms)
    if (ms >= SLOW_MS)
      this.#options.log.warn(
        {
          pool,
          ms: Math.round(ms),
          requestId: currentRequestId(),
          text: text.replace(/\s+/g, ' ').slice(0, SLOW_TEXT),
        },
        'slow statement',
      )
  }
}

const connectTimeoutOf = ({ connectTimeout = CONNECT_TIMEOUT }: DbOptions): number => connectTimeout

/** Settings in the `options` of a URL: `-c search_path=training,public`. */
const settingsOf = (options: string): Record<string, string> =>
  Object.fromEntries([...options.matchAll(/-c\s*(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))
