import type { Create, Entity, Row, Update } from '@ordinator/model/entity'
import type { Tx } from '../platform/db.ts'
import type { ServerActor } from './actor.ts'
import type { RawParams } from './params.ts'

/**
 * The engine, with one actor's rights; over the pool, or inside a transaction. `list` and `view` answer the JSON text
 * that PostgreSQL made, to be sent as it is; `rows` and `row` parse it for the server's own code.
 * All throw HttpError: 400, 403, 404, 409, 422 of the contract.
 */
export interface Records {
  readonly actor: ServerActor
  /** `{ items, _meta }` as JSON text. Parameters are those of the query string: `{ 'filter[name][ilike]': 'a', limit: 5 }`. */
  list(entity: Entity, params: RawParams): Promise<string>
  view(entity: Entity, id: number, params?: RawParams): Promise<string>
  rows<E extends Entity>(entity: E, params: RawParams): Promise<Row<E>[]>
  row<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  create<E extends Entity>(entity: E, body: Create<E>): Promise<Row<E>>
  /** The same, answering the JSON text. */
  createJson<E extends Entity>(entity: E, body: Create<E>): Promise<string>
  /** A partial update; with `_version` it is refused (409) when the record has changed since. */
  update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>>
  remove(entity: Entity, id: number): Promise<void>
  /** Brings a soft-deleted record back while the trash keeps it. */
  restore<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  /** Puts a record before or after another of its group, or at an end, in one row's write. */
  move<E extends Entity>(entity: E, id: number, place: MovePlace): Promise<Row<E>>
  /** One after another in one transaction: all or nothing. */
  batch<E extends Entity>(entity: E, body: Batch): Promise<{ create: Row<E>[]; update: Row<E>[]; delete: number[] }>
  /** Same rights and actor, in one transaction; inside one already, the same one. */
  tx<T>(run: (records: Records, tx: Tx) => Promise<T>): Promise<T>
  /** The same engine without rights, for the server's own code; history still names the actor. */
  readonly asSystem: SystemRecords
  /** The same transaction or pool for another actor. */
  as(actor: ServerActor): Records
}

/** May also write what no client may: read-only fields, a creator, a time of creation. */
export interface SystemRecords extends Records {
  create<E extends Entity>(entity: E, body: Create<E> & Partial<Row<E>>): Promise<Row<E>>
  update<E extends Entity>(entity: E, id: number, body: Update<E> & Partial<Row<E>>): Promise<Row<E>>
}

/** `before`/`after`: id of a neighbour; neither: the end named by `at`. `to`: new values of the group's fields. */
export interface MovePlace {
  before?: number
  after?: number
  at?: 'first' | 'last'
  to?: Record<string, number>
  _version?: number
}

export interface Batch {
  create?: unknown[]
  update?: ({ id: number } & Record<string, unknown>)[]
  delete?: number[]
}
