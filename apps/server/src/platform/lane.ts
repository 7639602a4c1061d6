/** One pool of connections: its statements, transactions and retries. */
import pg from 'pg'
import type { Logger } from 'pino'
import type { Cipher } from './cipher.ts'
import type { Lane, NamedQuery, Query, Tx, TxOptions } from './queries.ts'
import { runFor } from './strangers.ts'
import { inSpan } from './tracing.ts'

/** Internals of pg used beyond its types: the backend's process id. */
export interface Inside {
  processID: number | null
}

const TX_TRIES = 3

const RETRIED = new Set(['40001', '40P01'])

/** Connections made during the start; each gets the usual timeouts before its next use. */
export const patientClients = new WeakSet<pg.ClientBase>()

/** Sets the settings of a session. */
export async function adjust(client: pg.ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  const parts = Object.entries(settings).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`,
  )
  await client.query(`SELECT ${parts.join(', ')}`)
}

/**
 * The query as the driver's own object: for a plain object with a name pg would copy every property with its descriptor,
 * which takes as long as sending it.
 */
function asked({ text, values, name }: NamedQuery): pg.QueryConfig {
  const made = new DriverQuery(text, values as unknown[])
  if (name !== undefined) made.name = name
  return made as unknown as pg.QueryConfig
}
const DriverQuery = pg.Query as unknown as new (text: string, values?: unknown[]) => { name?: string }

/** Runs a query on one connection. By a callback: for its own objects pg returns no promise. */
export const ask = <R>(client: pg.ClientBase, q: Query): Promise<R[]> =>
  inSpan(
    'statement',
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': q.text }),
    () =>
      new Promise((resolve, reject) => {
        client.query(asked(q), (error, result) => (error ? reject(error) : resolve(result.rows as R[])))
      }),
  )

interface LaneHooks {
  /** Runs before each use of a connection; undefined: it is ready. */
  prepare(client: pg.PoolClient): Promise<void> | undefined
  /** Called for each statement. */
  took(ms: number, q: Query): void
}

export function laneOf(
  pool: pg.Pool,
  log: Pick<Logger, 'warn' | 'error'>,
  cipher: Cipher,
  { prepare, took }: LaneHooks,
): Lane {
  // Without this handler a dropped idle connection would end the process; the pool replaces the connection itself.
  const lost = (error: Error) => log.warn({ err: error.message }, 'database connection lost')
  pool.on('error', lost)
  // The same for a connection in use: its current or next query reports the error to the caller.
  pool.on('connect', (client) => void client.on('error', lost))

  /** A connection of the pool. Queries follow one another: pg deprecates its queue of queries. */
  async function acquire(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    try {
      const preparing = prepare(client)
      if (preparing) await preparing
      return client
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }

  async function single<R>(q: Query): Promise<R[]> {
    const began = performance.now()
    const client = await acquire()
    let failed: Error | undefined
    try {
      return await ask<R>(client, q)
    } catch (error) {
      failed = error as Error
      throw error
    } finally {
      took(performance.now() - began, q)
      // As `pool.query` does: the pool replaces the connection of a failed query.
      client.release(failed)
    }
  }

  // A single statement that was aborted has changed nothing and can be retried like a transaction.
  const query = <R>(q: Query): Promise<R[]> => retried(() => single<R>(q))

  async function once<T>(run: (tx: Tx) => Promise<T>, begin: string): Promise<T> {
    const client = await acquire()
    const after: (() => unknown)[] = []
    const inTx = async <R>(q: Query): Promise<R[]> => {
      const began = performance.now()
      try {
        return await ask<R>(client, q)
      } finally {
        took(performance.now() - began, q)
      }
    }
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
      // A client that cannot roll back is broken: passing the error makes the pool discard it.
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

/** Repeats work that PostgreSQL aborted because of a deadlock or a serialization conflict. */
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

export function beginText({ isolation, readOnly }: TxOptions): string {
  return `BEGIN${isolation ? ` ISOLATION LEVEL ${isolation}` : ''}${readOnly ? ' READ ONLY' : ''}`
}

/** COMMIT of a failed transaction answers ROLLBACK without an error; it must not count as a success. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  if (command !== 'COMMIT') throw new Error('transaction was rolled back: a failed statement was swallowed')
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
