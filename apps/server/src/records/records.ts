import type { Create, Entity, Row, Update } from '@ordinator/model/entity'
import type { Tx } from '../platform/db.ts'
import type { ServerActor } from './actor.ts'

/** Parameters of a list as in the query string: { filter: 'x', 'filter[name][ilike]': 'a', sort, limit, page, after, fields, expand, count, deleted }. */
export type ListParams = Record<string, string | number | undefined>

/**
 * The engine, with one actor's rights; over the pool, or inside a transaction. Reads answer the JSON text that
 * PostgreSQL made; `rows` and `row` parse it for the server's own code.
 */
export interface Records {
  readonly actor: ServerActor
  list(entity: Entity, params: ListParams): Promise<string>
  view(entity: Entity, id: number, params?: ListParams): Promise<string>
  rows<E extends Entity>(entity: E, params: ListParams): Promise<Row<E>[]>
  row<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  create<E extends Entity>(entity: E, body: Create<E>): Promise<Row<E>>
  update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>>
  remove(entity: Entity, id: number): Promise<void>
  restore<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  /** Puts the record before or after another of its group, or first / last in `to`'s group. */
  move<E extends Entity>(entity: E, id: number, place: MovePlace): Promise<Row<E>>
  /** Same rights and actor, in one transaction. */
  tx<T>(run: (records: Records, tx: Tx) => Promise<T>): Promise<T>
  /** The same engine without rights, history still naming the actor. */
  asSystem: Records
}

/** `before`/`after`: id of a neighbour; none: the end named by `at`. `to`: new values of the group's fields. */
export interface MovePlace {
  before?: number
  after?: number
  at?: 'first' | 'last'
  to?: Record<string, number>
}
