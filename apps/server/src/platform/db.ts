/**
 * PostgreSQL behind four words: `query`, `one`, `tx`, `pages`.
 *
 * How values come back: `int8` is a number, `numeric` a string, `date` `YYYY-MM-DD`, `timestamptz` the very
 * text PostgreSQL puts into JSON (`2026-11-20T09:30:00.5+00:00`), `json` parsed. Sessions run in UTC.
 */

import pg from 'pg'
import type { Logger } from 'pino'
import type { Sql } from 'sql-template-tag'
import { BoundedClient } from './boundedClient.ts'
import { type Cipher, createCipher, noCipher } from './cipher.ts'
import { giveWay } from './giveWay.ts'
import { isStranger, runFor } from './strangers.ts'

/** A query with a `name` becomes a named prepared statement: the text under one name must never vary. */
export interface NamedQuery {
  text: string
  values?: unknown[]
  name?: string
}

export type Query = Sql | NamedQuery

/** What of pg is used beyond its types: the process that serves a connection. */
interface Inside {
  processID: number | null
}

export interface Queryable {
  query<R>(query: Query): Promise<R[]>
  /** The first row. */
  one<R>(query: Query): Promise<R | undefined>
  /** Encrypts the secrets of outside systems that are stored (secretColumns.ts). */
  readonly cipher: Cipher
}

export interface Tx extends Queryable {
  /** Runs once the transaction is committed, and not at all if it is rolled back. A failure is only logged. */
  afterCommit(run: () => unknown): void
}

export interface TxOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  readOnly?: boolean
}

/** Connections of their own, with a time of their own for each statement. */
export interface Lane extends Queryable {
  /** Repeats `run` when PostgreSQL breaks a deadlock or a serialization conflict, so it must have no outside effects. */
  tx<T>(run: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
}

/** The lane of writes and of whatever has no lane of its own, and the others. */
export interface Db extends Lane {
  /** What people ask to be shown: their long reads take no connection from writes, nor run as long. */
  readonly reads: Lane
  /**
   * Of those reads the few that lead through many relations: each takes one core at most, and where the base is ours
   * its backends leave the cores to the others.
   */
  readonly costly: Lane
  /** Kept aside for sign-in, whose statements are short: whatever else goes on, it has a connection. */
  readonly kept: Lane
  /** Of `/health` alone, which says whether the base answers and not how many wait for it. */
  readonly health: Lane
  /** Of the realtime hub, which tells everybody: what it reads of the history, and who may hear of it. */
  readonly events: Lane
  /** What the listeners' own filters ask: a lane that one person's filters may stop, and nobody else's events. */
  readonly filters: Lane
  /** Reads a result of any size in pages, from one snapshot. */
  pages<R>(query: Query, size?: number): AsyncGenerator<R[]>
  /**
   * A connection of its own outside the pool, for LISTEN or COPY. The caller ends it.
   * @param costly what it asks gives way as that lane does
   */
  connect(costly?: boolean): Promise<pg.Client>
  readonly url: string
  /** The start is over: from now on connections and statements have their usual bounds (`DbOptions.patient`). */
  started(): void
  /** It runs on this machine, begun by us. */
  readonly isOurs: boolean
  /** Closes all connections; asked again it waits for the same. */
  end(): Promise<void>
}

export interface DbOptions {
  url: string
  log: Pick<Logger, 'warn' | 'error'>
  /** Of the server; absent where no secrets of outside systems are read or stored. */
  secret?: string
  /** Connections of the widest lanes. */
  max?: number
  /** Milliseconds one statement may run, in any lane. */
  statementTimeout?: number
  applicationName?: string
  /** The base runs on this machine, begun by us: its backends may be told to give way. */
  isOurs?: boolean
  /** Milliseconds to wait for a connection. */
  connectTimeout?: number
  /** Until `started()` no connection and no statement is given up: whoever starts watches the base (baseWatch.ts). */
  patient?: boolean
}

/** Connections of one server process, and milliseconds that one of their statements may run. */
const LANES = {
  main: { size: 12, timeout: 30_000 },
  reads: { size: 16, timeout: 10_000 },
  costly: { size: 2, timeout: 10_000 },
  kept: { size: 4, timeout: 5_000 },
  health: { size: 1, timeout: 5_000 },
  /** In place of the four above for all who are not signed in (strangers.ts); more than run at once (admitRequests.ts). */
  strangers: { size: 8, timeout: 10_000 },
  events: { size: 3, timeout: 10_000 },
  filters: { size: 3, timeout: 500 },
}
const SESSION = '-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c jit=off'
/** A backend grows with what it has planned and read; after so long another takes its place. */
const BACKEND_LIFE_SECONDS = 15 * 60
const CONNECT_TIMEOUT = 10_000
const TX_TRIES = 3
/** The statement had taken longer than its lane gives, and was ended. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

const RETRIED = new Set(['40001', '40P01'])

export function createDb(options: DbOptions): Db {
  const { connectTimeout = CONNECT_TIMEOUT } = options
  const cipher = options.secret === undefined ? noCipher : createCipher(options.secret)
  let isPatient = options.patient === true
  const connection: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'ordinator',
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: options.patient ? 0 : connectTimeout,
    keepAlive: true,
    options: SESSION,
    types: { getTypeParser },
  }
  const alone: pg.PoolConfig = { ...connection, options: `${SESSION} -c max_parallel_workers_per_gather=0` }
  const given = (client: pg.ClientBase) => {
    const { processID } = client as unknown as Inside
    if (options.isOurs && processID) giveWay({ pid: processID })
  }
  const pools: pg.Pool[] = []
  let ended: Promise<unknown> | undefined
  const lane = ({ size, timeout }: { size: number; timeout: number }, isCostly = false): Lane => {
    const pool = new pg.Pool({
      ...(isCostly ? alone : connection),
      statement_timeout: options.statementTimeout ?? timeout,
      Client: BoundedClient as never,
      max: Math.min(options.max ?? size, size),
      maxLifetimeSeconds: BACKEND_LIFE_SECONDS,
      idleTimeoutMillis: 60_000,
    })
    if (isCostly) pool.on('connect', given)
    if (options.patient) pool.on('connect', (client) => isPatient && makePatient(client))
    if (options.patient) pool.on('acquire', (client) => isPatient || endPatience(client, pool.options))
    pools.push(pool)
    return laneOf(pool, options.log, cipher)
  }

  const apart = lane(LANES.strangers)
  const divided = (own: Lane): Lane => ({
    query: (q) => (isStranger() ? apart : own).query(q),
    one: (q) => (isStranger() ? apart : own).one(q),
    tx: (run, txOptions) => (isStranger() ? apart : own).tx(run, txOptions),
    cipher,
  })

  return {
    ...divided(lane(LANES.main)),
    url: options.url,
    isOurs: options.isOurs === true,
    reads: divided(lane(LANES.reads)),
    costly: divided(lane(LANES.costly, true)),
    kept: divided(lane(LANES.kept)),
    health: lane(LANES.health),
    events: lane(LANES.events),
    filters: lane(LANES.filters),

    started() {
      isPatient = false
      connection.connectionTimeoutMillis = alone.connectionTimeoutMillis = connectTimeout
      for (const pool of pools) pool.options.connectionTimeoutMillis = connectTimeout
    },

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

    async connect(costly = false) {
      const client = new pg.Client({ ...(costly ? alone : connection), statement_timeout: 0 })
      await client.connect()
      if (costly) given(client)
      return client
    },

    async end() {
      ended ??= Promise.all(pools.map((pool) => pool.end()))
      await ended
    },
  }
}

const patientClients = new WeakSet<pg.ClientBase>()

function makePatient(client: pg.ClientBase): void {
  patientClients.add(client)
  client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0', () => {})
}

/** Goes before whatever the connection is taken for. */
function endPatience(client: pg.ClientBase, { statement_timeout, idle_in_transaction_session_timeout }: pg.PoolConfig) {
  if (!patientClients.delete(client)) return
  const bounds = `SET statement_timeout = ${Number(statement_timeout) || 0};
    SET idle_in_transaction_session_timeout = ${Number(idle_in_transaction_session_timeout) || 0}`
  client.query(bounds, () => {})
}

/**
 * The query as the driver's own object: of one by name it would first copy every property with its descriptor, which
 * takes as long as sending it.
 */
function asked({ text, values, name }: NamedQuery): pg.QueryConfig {
  const made = new DriverQuery(text, values as unknown[])
  if (name !== undefined) made.name = name
  return made as unknown as pg.QueryConfig
}
const DriverQuery = pg.Query as unknown as new (text: string, values?: unknown[]) => { name?: string }

function laneOf(pool: pg.Pool, log: DbOptions['log'], cipher: Cipher): Lane {
  // Without this handler a dropped idle connection would end the process; the pool replaces it by itself.
  const lost = (error: Error) => log.warn({ err: error.message }, 'database connection lost')
  pool.on('error', lost)
  // The same of one that is in use: the query that runs, or the next one, tells its caller.
  pool.on('connect', (client) => void client.on('error', lost))

  // A statement by itself that was broken has done nothing, as a transaction.
  const query = <R>(q: Query): Promise<R[]> => retried(async () => (await pool.query(asked(q))).rows as R[])

  async function once<T>(run: (tx: Tx) => Promise<T>, begin: string): Promise<T> {
    const client = await pool.connect()
    const after: (() => unknown)[] = []
    const inTx = <R>(q: Query): Promise<R[]> =>
      new Promise((resolve, reject) => {
        client.query(asked(q), (error, result) => (error ? reject(error) : resolve(result.rows as R[])))
      })
    let result: T
    try {
      await client.query(begin)
      result = await run({
        query: inTx,
        one: async <R>(q: Query) => (await inTx<R>(q))[0],
        cipher,
        afterCommit: (fn) => void after.push(fn),
      })
      await commit(client)
    } catch (error) {
      // A client that cannot even roll back is broken: passing the error makes the pool throw it away.
      const broken = await client.query('ROLLBACK').then(
        () => undefined,
        (e: Error) => e,
      )
      client.release(broken)
      throw error
    }
    client.release()
    for (const fn of after) {
      try {
        await runFor(false, fn)
      } catch (error) {
        log.error({ err: error }, 'after commit')
      }
    }
    return result
  }

  return {
    query,
    one: async <R>(q: Query) => (await query<R>(q))[0],
    cipher,

    tx(run, txOptions = {}) {
      const begin = beginText(txOptions)
      return retried(() => once(run, begin))
    },
  }
}

/** Repeats what PostgreSQL has broken because of a deadlock or a serialization conflict. */
async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= TX_TRIES || !RETRIED.has(codeOf(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * 10 + Math.random() * 20))
    }
  }
}

function beginText({ isolation, readOnly }: TxOptions): string {
  return `BEGIN${isolation ? ` ISOLATION LEVEL ${isolation}` : ''}${readOnly ? ' READ ONLY' : ''}`
}

/** COMMIT of a failed transaction answers ROLLBACK without an error; the caller must not take it for a success. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  if (command !== 'COMMIT') throw new Error('transaction was rolled back: a failed statement was swallowed')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const asIs = (text: string): string => text
const OID = {
  int8: 20,
  int8Array: 1016,
  timestamp: 1114,
  timestampArray: 1115,
  timestamptz: 1184,
  timestamptzArray: 1185,
  date: 1082,
  dateArray: 1182,
  numericArray: 1231,
  interval: 1186,
  textArray: 1009,
}

/** The text of `timestamptz` in a UTC session, `2026-11-20 09:30:00.5+00`, as PostgreSQL writes it in JSON. */
export const isoTime = (text: string): string => `${text.replace(' ', 'T')}:00`
const isoLocal = (text: string): string => text.replace(' ', 'T')

const parsers = new Map<number, (text: string) => unknown>([
  [OID.int8, Number],
  [OID.int8Array, arrayOf(Number)],
  [OID.timestamptz, isoTime],
  [OID.timestamptzArray, arrayOf(isoTime)],
  [OID.timestamp, isoLocal],
  [OID.timestampArray, arrayOf(isoLocal)],
  [OID.date, asIs],
  [OID.dateArray, arrayOf(asIs)],
  [OID.numericArray, arrayOf(asIs)],
  [OID.interval, asIs],
])

function arrayOf<T>(parse: (text: string) => T): (text: string) => unknown {
  const split = pg.types.getTypeParser(OID.textArray as never) as (text: string) => (string | null)[]
  return (text) => split(text).map((item) => (item === null ? null : parse(item)))
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return (format !== 'binary' && parsers.get(oid)) || (pg.types.getTypeParser(oid, format as 'text') as never)
}
