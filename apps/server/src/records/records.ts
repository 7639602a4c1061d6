import type { Create, Entity, Row, Update } from '@ordinator/model/entity'
import type { Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { ServerActor } from './actor.ts'
import type { RawParams } from './params.ts'

/**
 * The engine with the rights of one actor; over the pool, or inside a transaction. `list` and `view` return the JSON text
 * made by PostgreSQL, to be sent as it is; `rows` and `row` parse it for server code.
 * All throw HttpError: 400, 403, 404, 409, 422 of the contract.
 */
export interface Records {
  readonly actor: ServerActor
  /** `{ items, _meta }` as JSON text. Parameters as in the query string: `{ 'filter[name][ilike]': 'a', limit: 5 }`. */
  list(entity: Entity, params: RawParams): Promise<string>
  /**
   * `{ groups: [{ key, items, hasMore, next?, totalCount? }] }` as JSON text: the first records of each group of the
   * entity's positions. `group[…]` filters the groups, the other parameters apply to each group's list.
   */
  grouped(entity: Entity, params: RawParams): Promise<string>
  /** A sealed record that is not open can be viewed only with `fields` limited to its visible ones. */
  view(entity: Entity, id: number, params?: RawParams): Promise<string>
  /** Asserts that the actor may see the record, and all of it: 403 `sealed` when a reason is required first. */
  mustOpen(entity: Entity, id: number, deleted?: boolean | 'any'): Promise<void>
  /** Opens a sealed record to the actor: the reason is written to the access journal. */
  open(entity: Entity, id: number, reason: string): Promise<void>
  /** Visible records of every searchable entity, up to `most` of each, plus one when there are more. */
  search(asked: Asked, most: number, narrow?: SearchNarrow): Promise<FoundRow[]>
  rows<E extends Entity>(entity: E, params: RawParams): Promise<Row<E>[]>
  row<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  /** Timeline of a record over all areas, as far as the actor may see it, newest first; one more than the limit if there is more. */
  thread(entity: Entity, asked: ThreadAsked): Promise<{ rows: ThreadRow[]; kinds: { kind: string; name: string }[] }>
  create<E extends Entity>(entity: E, body: Create<E>): Promise<Row<E>>
  /** The same, returning JSON text. */
  createJson<E extends Entity>(entity: E, body: Create<E>): Promise<string>
  /** A partial update; with `_version` it fails with 409 when the record has changed since. */
  update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>>
  remove(entity: Entity, id: number, options?: RemoveOptions): Promise<void>
  /** Restores a record from the trash. */
  restore<E extends Entity>(entity: E, id: number): Promise<Row<E>>
  /** Moves a record before or after another of its group, or to an end, by writing one row. */
  move<E extends Entity>(entity: E, id: number, place: MovePlace): Promise<Row<E>>
  /** Sequentially in one transaction: all or nothing. */
  batch<E extends Entity>(entity: E, body: Batch): Promise<{ create: Row<E>[]; update: Row<E>[]; delete: number[] }>
  /** Same rights and actor, in a transaction; nested calls share it. */
  tx<T>(run: (records: Records, tx: Tx) => Promise<T>): Promise<T>
  /** The same engine without rights checks, for system code; history still records the actor. */
  readonly asSystem: SystemRecords
  /** The same transaction or pool for another actor. */
  as(actor: ServerActor): Records
}

/** May also write what no client may: read-only fields, a creator, a creation time. */
export interface SystemRecords extends Records {
  create<E extends Entity>(entity: E, body: Create<E> & Partial<Row<E>>): Promise<Row<E>>
  update<E extends Entity>(entity: E, id: number, body: Update<E> & Partial<Row<E>>): Promise<Row<E>>
  /**
   * Writes `set` to the rows of `which` that differ from it, in one statement, with version, change dates, history and
   * events as in single writes. Plain values are validated like a body; SQL values are the caller's responsibility. Rows in
   * the trash are skipped.
   *
   * Runs as system code on any rows; with `byRights` only on rows that the actor may change, and fails with 403 if one
   * would be out of the actor's scope afterwards. Hooks do not run: see `pastHooks`.
   * @param set values, or SQL over the row (and over the columns of `which.rows`), by field
   * @returns the written rows ordered by id, with the requested `fields`
   */
  updateWhere<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    which: Which,
    set: Sets<E> | ((about: RowsSql) => Sets<E>),
    options?: BulkOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
  /** Moves all rows of `which` to the trash, or deletes them if there is none, on the same terms. */
  deleteWhere<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    which: Which,
    options?: BulkOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
  /**
   * Inserts a row of `values` for each row of `from` (the text after that keyword, to the end of the select), in one
   * statement, on the same terms; only as system code.
   */
  createFrom<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    from: Sql,
    values: Sets<E>,
    options?: CreateOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
  /** Inserts these bodies, each validated like a single one, in one statement, on the same terms. */
  createMany<E extends Entity, F extends keyof Row<E> & string = 'id'>(
    entity: E,
    bodies: readonly (Create<E> & Partial<Row<E>>)[],
    options?: CreateOptions<F>,
  ): Promise<Pick<Row<E>, F>[]>
}

/**
 * The rows of a bulk write: a condition, or a select of their ids (`"id"`, each once) with further columns for `set`,
 * available under `picked`. The select may lock and limit them.
 */
export type Which = ((about: Pick<RowsSql, 'row' | 'me'>) => Sql) | { rows: Sql }

/** Context of SQL in a bulk write. */
export interface RowsSql {
  row: Sql
  me: Sql
  /** The row of `which.rows`. */
  picked: Sql
}

/** Stored fields of an entity, each with a value for all rows or SQL per row. */
export type Sets<E extends Entity> = { [F in keyof Row<E>]?: Row<E>[F] | Sql }

export interface BulkOptions<F extends string = string> {
  /** Fields to return of the written rows; absent: only ids. */
  fields?: readonly F[]
  /** Only rows that the actor may change. */
  byRights?: true
  /**
   * Why the checks and effects of the area's hooks are not needed here. Without a reason a bulk write of an entity with
   * hooks is refused, so that none is skipped by accident.
   */
  pastHooks?: string
}

export interface CreateOptions<F extends string = string> extends Omit<BulkOptions<F>, 'byRights'> {
  /** Skips rows whose unique values are taken. */
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
  /** Confirmed: also records in use that require confirmation. */
  sure?: boolean
}

export interface RemoveOptions {
  /** Confirmed: also a record in use that requires confirmation; area code is not asked. */
  sure?: boolean
}

/** Filters of the search. */
export interface SearchNarrow {
  /** Path of an entity. */
  kind?: string | undefined
  /** Days in the user's time zone, YYYY-MM-DD. */
  from?: string | undefined
  to?: string | undefined
  /** Id of an employee. */
  person?: number | undefined
}

/** Parsed search input. */
export interface Asked {
  text: string
  words: readonly string[]
  /** A record id. */
  id?: number
  /** A phone number, as typed. */
  number?: string
  /** `YYYY-MM-DD` */
  day?: string
  /** A word may have one mistake. */
  forgiving?: true
}

/** Request for a part of a record's timeline. */
export interface ThreadAsked {
  id: number
  /** Empty or absent: everything the actor may see. */
  kinds?: readonly string[] | undefined
  /** `at_kind_id` of the last known line. */
  before?: string | undefined
  limit: number
}

export interface ThreadRow {
  /** ISO, UTC, microseconds. */
  at: string
  kind: string
  id: number
  /** For a change of the record itself: the action. */
  title: string
  hint: string | null
  /** Path under /app. */
  link: string | null
  /** For a change of the record itself: its changed fields that the actor may see. */
  fields: string[] | null
  idUser: number | null
}

export interface FoundRow {
  path: string
  id: number
  title: string
  hint: string | null
  /** Path under /app. */
  link: string
}
