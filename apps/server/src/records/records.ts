import type { Create, Entity, Row, Update } from '@ordinator/model/entity'
import type { Sql } from 'sql-template-tag'
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
  /**
   * `{ groups: [{ key, items, hasMore, next?, totalCount? }] }` as JSON text: the first records of each group that the
   * entity's positions order. `group[…]` narrows the groups, the other parameters are those of each group's list.
   */
  grouped(entity: Entity, params: RawParams): Promise<string>
  /** Of a sealed record that no reason has opened what is shown of it all the same may be asked for, by `fields`. */
  view(entity: Entity, id: number, params?: RawParams): Promise<string>
  /** That the actor sees the record, and all of it: 403 `sealed` where a reason is asked for first. */
  mustOpen(entity: Entity, id: number, deleted?: boolean | 'any'): Promise<void>
  /** Opens a sealed record to the actor: the reason is a line of the journal of access. */
  open(entity: Entity, id: number, reason: string): Promise<void>
  /** What the actor may see of every entity that says how it is found, `most` of each and one more where there are more. */
  search(asked: Asked, most: number, narrow?: SearchNarrow): Promise<FoundRow[]>
  rows<E extends Entity>(entity: E, params: RawParams): Promise<Row<E>[]>
  row<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  /** What happened to a record in all areas, as far as the actor sees it, the latest first; one more than the limit where there is more. */
  thread(entity: Entity, asked: ThreadAsked): Promise<{ rows: ThreadRow[]; kinds: { kind: string; name: string }[] }>
  create<E extends Entity>(entity: E, body: Create<E>): Promise<Row<E>>
  /** The same, answering the JSON text. */
  createJson<E extends Entity>(entity: E, body: Create<E>): Promise<string>
  /** A partial update; with `_version` it is refused (409) when the record has changed since. */
  update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>>
  remove(entity: Entity, id: number, options?: RemoveOptions): Promise<void>
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
  /**
   * Writes `set` into all the rows of `which` that differ from it, in one statement, with version, dates of change,
   * history and events as of single writes. Plain values are checked as a body is; what SQL says is the caller's. Rows
   * in the trash are left alone.
   *
   * It runs as the server's own code, for whatever rows are named; with `byRights` for those of them that the actor may
   * change, and refused (403) if one would be out of its reach afterwards. Hooks do not run: see `pastHooks`.
   * @param set values, or SQL over the row (and over what `which.rows` selects), by field
   * @returns the written rows in the order of their ids, with the `fields` asked for
   */
  updateWhere<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    which: Which,
    set: Sets<E> | ((about: RowsSql) => Sets<E>),
    options?: BulkOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
  /** Puts all the rows of `which` into the trash, or removes them where there is none, on the same terms. */
  deleteWhere<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    which: Which,
    options?: BulkOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
  /**
   * Inserts a row of `values` for each row of `from` (what follows that word, to the end of the select), in one
   * statement, on the same terms; as the server's own code alone.
   */
  createFrom<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    from: Sql,
    values: Sets<E>,
    options?: CreateOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
  /** Inserts these bodies, each checked as one alone would be, in one statement, on the same terms. */
  createMany<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    bodies: readonly (Create<E> & Partial<Row<E>>)[],
    options?: CreateOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
}

/**
 * The rows of a bulk write: a condition, or a select of their ids (`"id"`, each once) with whatever `set` works with,
 * which it finds under `picked`. The select may lock and limit them.
 */
export type Which = ((about: Pick<RowsSql, 'row' | 'me'>) => Sql) | { rows: Sql }

/** What SQL of a bulk write is about. */
export interface RowsSql {
  row: Sql
  me: Sql
  /** The row of `which.rows`. */
  picked: Sql
}

/** The stored fields of an entity, each with a value for all rows or SQL of each row's own. */
export type Sets<E extends Entity> = { [F in keyof Row<E>]?: Row<E>[F] | Sql }

export interface BulkOptions<F extends string = string> {
  /** Of the written rows, to be answered; absent: their ids. */
  fields?: readonly F[]
  /** Only rows that the actor may change by its own rights. */
  byRights?: true
  /**
   * Why what the area's hooks hold a single write to, or do after it, needs not be asked or done here. Without it a
   * bulk write of an entity that has such hooks is refused, so that none is passed by unseen.
   */
  pastHooks?: string
}

export interface CreateOptions<F extends string = string> extends Omit<BulkOptions<F>, 'byRights'> {
  /** Rows whose unique values are taken are left out. */
  skipTaken?: true
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
  /** Also what is used and asks first. */
  sure?: boolean
}

export interface RemoveOptions {
  /** Also a record that is used and asks first; an area's own code does not ask. */
  sure?: boolean
}

/** What of the found records alone is answered. */
export interface SearchNarrow {
  /** Path of an entity. */
  kind?: string | undefined
  /** Days of the asker's clock, YYYY-MM-DD. */
  from?: string | undefined
  to?: string | undefined
  /** Id of an employee. */
  person?: number | undefined
}

/** What was typed into the search, as it can be read. */
export interface Asked {
  text: string
  words: readonly string[]
  /** Of a record. */
  id?: number
  /** Of a phone, as it was written. */
  number?: string
  /** `YYYY-MM-DD` */
  day?: string
}

/** Of whose thread which part is asked for. */
export interface ThreadAsked {
  id: number
  /** Empty or absent: all that the actor sees. */
  kinds?: readonly string[] | undefined
  /** `at_kind_id` of the last line that is known. */
  before?: string | undefined
  limit: number
}

export interface ThreadRow {
  /** ISO, UTC, microseconds. */
  at: string
  kind: string
  id: number
  /** Of a change of the record itself: what was done. */
  title: string
  hint: string | null
  /** Under /app. */
  link: string | null
  /** Of a change of the record itself: its fields that the actor may see. */
  fields: string[] | null
  idUser: number | null
}

export interface FoundRow {
  path: string
  id: number
  title: string
  hint: string | null
  /** Under /app. */
  link: string
}
