import type { Action } from '@ordinator/model/access'
import type { Create, Entity, Relation, Row, Update } from '@ordinator/model/entity'
import type { PageKey } from '@ordinator/model/pages'
import type { Permission } from '@ordinator/model/permissions'
import type { Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { ServerActor } from './actor.ts'
import type { RawParams } from './params.ts'
import type { Records } from './records.ts'

/** The requesting user, in an area's SQL. */
export interface Asker {
  /** SQL of the user's id: a parameter in a request, a column when an event is checked for many subscribers at once. */
  me: Sql
  /** SQL of the principals of `me` when the statement computes them once: for conditions on a visibility table. */
  principals?: ((sight: Sight) => Sql) | undefined
}
/** Context of an area's SQL: the row, by its alias (`row."idTask"`), and the requesting user. */
export interface RowSql extends Asker {
  /** SQL of the row's alias: write sql`${row}."idBoard"`. */
  row: Sql
}
export type RowCondition = (about: RowSql) => Sql

/** Context of a computed field's SQL: a field that counts other records counts those the user may see. */
export interface ComputedSql extends RowSql {
  /** True when the user has a permission; system code has all. */
  holds(permission: Permission): boolean
  /** The record is being created: nothing refers to it yet, so counts can be skipped. */
  isNew: boolean
  /**
   * SQL to append to the condition of a field that counts things of branches, by the id of a branch: `and` it is one of the
   * user's; empty for users without this limit.
   */
  andOwnBranch(idFilial: Sql): Sql
  /** SQL of the number of parts of the row: see the function `count`. */
  count(relation: string, options?: CountOptions): Sql
}

export interface CountOptions {
  /** Counts only parts that satisfy this. */
  where?: RowCondition
  /** Counts all living parts, visible or not. */
  whoever?: true
}

/**
 * A computed field with the number of parts, by a name of the entity's `many`: living ones that the user may see (the
 * number of hidden ones would leak information).
 */
export const count =
  (relation: string, options?: CountOptions) =>
  (about: ComputedSql): Sql =>
    about.count(relation, options)

/**
 * Rows that an actor may view, create, update or delete, in addition to permissions: a condition that the engine applies
 * to list, view, count, expand, search, export, write and event alike. `create` and `delete` default to `update`, and
 * `update` defaults to `view`, or to the parent's rights for an entity within another.
 * `create` is checked on the new row before it is stored, `update` on the row before and after.
 */
export interface Scope extends Partial<Record<Exclude<Action, 'export'>, RowCondition>> {
  /** Holders of this permission bypass every condition. */
  unless?: Permission
  /** The same as `view` in a precomputed table: the engine uses it wherever records are read. */
  sight?: Sight
}

/**
 * Visibility of records precomputed in a table of the area (by triggers, so that every write is covered): one row per
 * record and principal, in `"principal" bigint`, with an index. A user has a few principals, so checking a record is one
 * index lookup, and counting is an index scan that stops at the limit. `view` still defines the same rule per row, for
 * past states of a record.
 */
export interface Sight {
  table: string
  /** Its column with the record id. */
  id: string
  /** Fields of the record copied under their own names, after the principal in the index. */
  fields?: readonly string[]
  /** SQL of the array of all principals of the user. */
  principals(me: Sql): Sql
  /** SQL: the visibility row `k` lets its principal see the record of this row. */
  of(k: Sql, row: Sql): Sql
  /** SQL: the visibility row `k` satisfies `of` and its record is not deleted. */
  living(k: Sql): Sql
  /**
   * When several visibility rows may give the same user the same record: the rows `k` that may be duplicates (a flag of
   * the row, so that the others need no check), and the earlier rows they duplicate.
   */
  again?(k: Sql, earlier: Sql): { condition: Sql; earlier: Sql }
}

/** Context of a hook: everything it does is part of the same transaction. */
export interface WriteContext {
  actor: ServerActor
  tx: Tx
  /** The engine bound to this transaction and actor. `records.asSystem` bypasses rights. */
  records: Records
  /** Public address of the product; the engine sets it for every hook. */
  publicUrl?: string
}

type Awaitable<T> = T | Promise<T>
/**
 * Hooks may change `value`, write more in the same transaction, or throw a ValidationError. They run for every write of
 * a single record; a bulk write runs none and must give a reason (`pastHooks`).
 */
export interface Hooks<E extends Entity> {
  /** Checks and completes the body, before the transaction; `before` is the current record in an update. */
  prepare?(value: Update<E>, before: Row<E> | undefined): void
  /** Whether a create with this body runs the hooks below, which needs a transaction; absent: always. */
  createTakesHooks?(value: Create<E>): boolean
  beforeCreate?(context: WriteContext, value: Create<E>): Awaitable<void>
  /** `value` is the checked body, virtual fields included. */
  afterCreate?(context: WriteContext, row: Row<E>, value: Create<E>): Awaitable<void>
  beforeUpdate?(context: WriteContext, value: Update<E>, before: Row<E>): Awaitable<void>
  afterUpdate?(context: WriteContext, row: Row<E>, before: Row<E>): Awaitable<void>
  beforeDelete?(context: WriteContext, row: Row<E>): Awaitable<void>
  afterDelete?(context: WriteContext, row: Row<E>): Awaitable<void>
  afterRestore?(context: WriteContext, row: Row<E>): Awaitable<void>
}

/** Another record whose history includes this one's, as a task's history includes its check lists. */
export interface About {
  path: string
  /** SQL of its id; null: there is none. */
  id: RowCondition
}

/** Context of SQL for a found record; it reveals other records only where the user may see them. */
export interface FoundSql extends RowSql {
  /** SQL: the user may see a row of another entity. */
  visible(entity: Entity, row: Sql): Sql
  /** True when the user has a permission. */
  holds(permission: Permission): boolean
}

/** How the global search finds a record and where the record opens. */
export interface Found {
  /** The pages where it opens: users without access to any of them do not find it. */
  on: PageKey | readonly PageKey[]
  /** Heading of the group: «Задачи». */
  group: string
  /** Stored fields to search; phone fields are matched by digits. */
  by: readonly string[]
  /** SQL of its path under /app; null: it cannot be opened. */
  opens: (about: FoundSql) => Sql
  /** SQL of the secondary text. */
  hint?: (about: FoundSql) => Sql
  /** Date or time field that a typed date is matched against. */
  day?: string
  /** Date field of the search's date filter; default: `day`, then the creation time. */
  narrowedBy?: string
}

/**
 * Place of a record in another record's timeline, as a deal in its patient's. Its branch of the timeline's statement is
 * ordered by `when` and cut to a page, so an index on the columns of `belongs`, `when` and `id` serves it.
 */
export interface Thread {
  /** Path of the entity whose timeline it belongs to. */
  of: string
  /** Key in the URL: `deals`. */
  kind: string
  /** Heading of the kind: «Сделки». */
  name: string
  /** Few records have such lines: the kind is offered as a choice only where there is one. */
  rare?: true
  /** The stored time that orders it. */
  when: string
  /** SQL: the row belongs to the record with this id. */
  belongs: (about: RowSql, id: Sql) => Sql
  title: (about: FoundSql) => Sql
  /** SQL of the secondary text. */
  hint?: (about: FoundSql) => Sql
  /** SQL of its path under /app. */
  opens?: (about: FoundSql) => Sql
  /** SQL of the user who created it. */
  author?: (about: FoundSql) => Sql
}

/**
 * Records of which a user sees only some fields until they give a reason (`Records.open`): the reason is written to the
 * access journal and opens the record to that user for OPENED_HOURS. Before that, lists, searches and expanded records
 * leave the other fields empty, filters on them do not match, exports omit the record, its parts are invisible, and
 * opening or writing it is refused.
 */
export interface Sealed {
  when: RowCondition
  /** Fields visible without a reason. */
  shown: readonly string[]
  /** Hidden fields whose complete value still finds the record. */
  sought: readonly string[]
  /** SQL: typed words match the visible fields, for fields that are searched by `contains`. */
  contains?: Record<string, (about: RowSql, pattern: Sql) => Sql>
}

/** Computes an expanded value in code instead of SQL, for visible records by their ids. */
export type ExpandByCode = (
  context: { db: Queryable; registry: Registry; records: Records },
  ids: readonly number[],
) => Promise<Map<number, unknown>>

/** Records that await a user: their number is the badge of a menu page. */
export interface Awaiting {
  page: PageKey
  /** Query parameters of the list of records that await this user. */
  of: (me: number) => RawParams
}

export interface Definition<E extends Entity = Entity> {
  entity: E
  awaiting?: Awaiting
  /** Absent: not in the global search. */
  found?: Found
  /** Absent: not in any timeline. */
  thread?: Thread
  scope?: Scope
  /** For the entity of the patient (`personal: 'id'`). Absent: a user who may see a record sees all of it. */
  sealed?: Sealed
  /** Absent: the record that this one is within. */
  about?: About
  /** What records lose, besides their words, when they stay without their patient (areas/customers/personal). */
  parted?(app: { jobs: Jobs }, tx: Tx, ids: readonly number[]): Promise<void>
  /** SQL of the computed fields. */
  computed?: Record<string, (about: ComputedSql) => Sql>
  /** For a computed text: SQL of «contains the pattern» that can use indexes instead of computing the text. */
  contains?: Record<string, (about: RowSql, pattern: Sql) => Sql>
  /** Names of `expand` computed by code, for up to MAX_BY_CODE records per answer. */
  expandByCode?: Record<string, ExpandByCode>
  hooks?: Hooks<E>
}

/** All entities the server serves, found by path. */
export interface Registry {
  readonly definitions: readonly Definition[]
  at(path: string): Definition
  find(path: string): Definition | undefined
  /** The entity of users: the target of every `auto: 'actor'` field. */
  readonly people: Definition
  /** The target definition of a relation of `entity`, with the relation. */
  relation(entity: Entity, name: string): (Relation & { target: Definition; link?: Definition }) | undefined
}

/** Server definition of an entity. An entity without any of its own is declared too: `records(Tag)`. */
export function records<E extends Entity>(entity: E, own: Omit<Definition<E>, 'entity'> = {}): Definition {
  return { entity, ...own } as unknown as Definition
}
