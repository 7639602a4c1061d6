/** The interface of the database for code that reads and writes (db.ts). */
import type { Sql } from 'sql-template-tag'
import type { Cipher } from './cipher.ts'

/** A query with a `name` becomes a named prepared statement: one name must always have the same text. */
export interface NamedQuery {
  text: string
  values?: unknown[]
  name?: string
}

export type Query = Sql | NamedQuery

export interface Queryable {
  query<R>(query: Query): Promise<R[]>
  /** The first row. */
  one<R>(query: Query): Promise<R | undefined>
  /** Encrypts the stored secrets of outside systems (secretColumns.ts). */
  readonly cipher: Cipher
}

export interface Tx extends Queryable {
  /** Runs after the commit, and never after a rollback. Its failure is only logged. */
  afterCommit(run: () => unknown): void
}

export interface TxOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  readOnly?: boolean
}

/** A connection pool with its own statement timeout. */
export interface Lane extends Queryable {
  /** Repeats `run` after a deadlock or a serialization conflict, so it must have no side effects outside the transaction. */
  tx<T>(run: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
}
