import type { Action } from '@ordinator/model/access'
import type { Create, Entity, Relation, Row, Update } from '@ordinator/model/entity'
import type { PageKey } from '@ordinator/model/pages'
import type { Permission } from '@ordinator/model/permissions'
import type { Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '../platform/db.ts'
import type { ServerActor } from './actor.ts'
import type { RawParams } from './params.ts'
import type { Records } from './records.ts'

/** The user who asks, in a piece of an area's SQL. */
export interface Asker {
  /** SQL of the user's id: a parameter in a request, a column when an event is checked for many listeners at once. */
  me: Sql
  /** Where the principals of `me` stand, when the statement finds them once: for a condition that asks a kept sight. */
  principals?: ((sight: Sight) => Sql) | undefined
}
/** What a piece of an area's SQL is about: the row, by its alias (`row."idTask"`), and the user who asks. */
export interface RowSql extends Asker {
  /** SQL of the row's alias: write sql`${row}."idBoard"`. */
  row: Sql
}
export type RowCondition = (about: RowSql) => Sql

/** What the SQL of a computed field is about: a field that counts other records counts those that the asker sees. */
export interface ComputedSql extends RowSql {
  /** Whether the asker holds a permission; the server's own code holds all. */
  holds(permission: Permission): boolean
  /** The record is only being made: nothing refers to it yet, so that what is counted of it need not be asked. */
  isNew: boolean
  /** SQL of how many parts the row has: see the function `count`. */
  count(relation: string, options?: CountOptions): Sql
}

export interface CountOptions {
  /** Only parts of which this is so. */
  where?: RowCondition
  /** The living parts, whether or not the asker sees them. */
  whoever?: true
}

/**
 * A computed field that counts the parts of the record, by a name of its `many`: the living ones that the asker sees
 * (the number alone would tell of the rest).
 */
export const count =
  (relation: string, options?: CountOptions) =>
  (about: ComputedSql): Sql =>
    about.count(relation, options)

/**
 * The rows that an actor may view, create, update or delete, beyond its permissions: a filter that the engine puts into
 * list, view, count, expand, search, export, write and event alike. `create` and `delete` follow `update` where they
 * have no condition of their own, and `update` follows `view`, or the parent's rights where the entity is within one.
 * `create` is asked of the new row before it is stored, `update` of the row before and after.
 */
export interface Scope extends Partial<Record<Exclude<Action, 'export'>, RowCondition>> {
  /** Holders of this permission pass every condition. */
  unless?: Permission
  /** The same as `view`, kept beside the rows: where it is declared, the engine asks it wherever records are read. */
  sight?: Sight
}

/**
 * Who sees a record, kept in a table of the area's (by triggers, so that no door passes it by): a row for each record
 * and principal, in `"principal" bigint`, with an index on it. Whoever asks is a handful of principals, so that to look
 * at a record is one look into an index, and to count a walk along it that ends where it has counted enough. `view`
 * goes on saying it row by row, for a record as it stood in the past.
 */
export interface Sight {
  table: string
  /** Its column with the record's id. */
  id: string
  /** Fields of the record that are kept beside under their own names, behind the principal in its index. */
  fields?: readonly string[]
  /** SQL of the array of all the principals that the user is. */
  principals(me: Sql): Sql
  /** The kept row `k` lets its principal see the record of this row. */
  of(k: Sql, row: Sql): Sql
  /** The kept row `k` is one of `of` and its record lives. */
  living(k: Sql): Sql
  /**
   * Where several kept rows may let the same user see one record: which rows `k` may come after another one (a flag of
   * the row, so that the others need not be asked), and which those are.
   */
  again?(k: Sql, earlier: Sql): { condition: Sql; earlier: Sql }
}

/** What a hook works with: everything it does is part of the same transaction. */
export interface WriteContext {
  actor: ServerActor
  tx: Tx
  /** The engine bound to this transaction and actor. `records.asSystem` passes rights by. */
  records: Records
  /** Where people reach the server; the engine tells it to every hook. */
  publicUrl?: string
}

type Awaitable<T> = T | Promise<T>
/**
 * Hooks may change `value`, write more in the same transaction, or throw a ValidationError. They stand around every
 * write of a single record; a bulk write runs none of them, and has to say why it may (`pastHooks`).
 */
export interface Hooks<E extends Entity> {
  /** Checks and completes a body by itself, before the transaction; `before` is the record of an update. */
  prepare?(value: Update<E>, before: Row<E> | undefined): void
  /** Whether a create with this body takes the hooks below, and with them a transaction; absent: always. */
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

/** A record whose history tells of another one too, as a task's does of its check lists. */
export interface About {
  path: string
  /** SQL of its id; null: there is none. */
  id: RowCondition
}

/** What the SQL of a found record is about; of other records it tells only where these are seen. */
export interface FoundSql extends RowSql {
  /** SQL of whether the asker sees a row of another entity. */
  seen(entity: Entity, row: Sql): Sql
  /** Whether the asker holds a permission. */
  holds(permission: Permission): boolean
}

/** How the search of the product finds a record and where it opens it. */
export interface Found {
  /** The pages on which it opens: who may open none of them does not find it. */
  on: PageKey | readonly PageKey[]
  /** Heading of the group: «Задачи». */
  group: string
  /** Stored fields that what is typed is looked for in; those of phones by their digits. */
  by: readonly string[]
  /** SQL of its address under /app; null: there is nowhere to open it. */
  opens: (about: FoundSql) => Sql
  /** SQL of what stands beside the name. */
  hint?: (about: FoundSql) => Sql
  /** Field of a day or a moment, in which a day that is typed is looked for. */
  day?: string
  /** Field of the day by which what is found is narrowed; without it `day`, or when the record was made. */
  narrowedBy?: string
}

/**
 * Where a record stands in the thread of another one, as a deal stands in its patient's. The branch it makes of the
 * thread's statement is ordered by `when` and cut to a page, so that an index over what `belongs` asks, `when` and `id`
 * answers it.
 */
export interface Thread {
  /** Path of the entity in whose threads it stands. */
  of: string
  /** Key in the address: `deals`. */
  kind: string
  /** Heading of the kind: «Сделки». */
  name: string
  /** The stored moment at which it stands. */
  when: string
  /** SQL: the row is of the record with this id. */
  belongs: (about: RowSql, id: Sql) => Sql
  title: (about: FoundSql) => Sql
  /** SQL of what stands beside it. */
  hint?: (about: FoundSql) => Sql
  /** SQL of where it opens, under /app. */
  opens?: (about: FoundSql) => Sql
  /** SQL of the user who made it. */
  author?: (about: FoundSql) => Sql
}

/**
 * Records of which a person sees but a few fields until a reason is given (`Records.open`): the reason is a line of the
 * journal of access, which opens the record to whoever gave it for OPENED_HOURS. Without it lists, searches and records
 * that show it in themselves leave the other fields empty, conditions on these find it not, an export leaves it out,
 * its parts are out of sight, and whoever opens or writes it is refused.
 */
export interface Sealed {
  when: RowCondition
  /** Fields that are seen without a reason. */
  shown: readonly string[]
  /** Fields that are not, but whose whole value finds the record. */
  sought: readonly string[]
  /** SQL of whether typed words find it by what is seen of it, for fields that are searched as `contains` says. */
  contains?: Record<string, (about: RowSql, pattern: Sql) => Sql>
}

/** What code and not SQL makes of records that somebody sees: by their ids. */
export type Told = (
  context: { db: Queryable; registry: Registry; records: Records },
  ids: readonly number[],
) => Promise<Map<number, unknown>>

/** Records that await somebody: their number stands beside a page of the menu. */
export interface Awaiting {
  page: PageKey
  /** Parameters of the list of those that await this user now. */
  of: (me: number) => RawParams
}

export interface Definition<E extends Entity = Entity> {
  entity: E
  awaiting?: Awaiting
  /** Absent: the search of the product leaves it out. */
  found?: Found
  /** Absent: it stands in no thread. */
  thread?: Thread
  scope?: Scope
  /** Of an entity that is the patient (`personal: 'id'`). Absent: whoever sees a record sees all of it. */
  sealed?: Sealed
  /** Absent: the record that this one is within. */
  about?: About
  /** SQL of the computed fields. */
  computed?: Record<string, (about: ComputedSql) => Sql>
  /** Of a computed text: SQL of «contains the pattern», where indexes answer that sooner than the text would be made. */
  contains?: Record<string, (about: RowSql, pattern: Sql) => Sql>
  /** Names of `expand` whose contents are made by code, of up to MAX_TOLD records in an answer. */
  told?: Record<string, Told>
  hooks?: Hooks<E>
}

/** All entities the server serves, found by path. */
export interface Registry {
  readonly definitions: readonly Definition[]
  at(path: string): Definition
  find(path: string): Definition | undefined
  /** The entity of those who write: where every `auto: 'actor'` field leads. */
  readonly people: Definition
  /** The definition that a relation of `entity` leads to, with how. */
  relation(entity: Entity, name: string): (Relation & { target: Definition; link?: Definition }) | undefined
}

/** What an entity does beyond the engine. An entity without anything of its own still says so: `records(Tag)`. */
export function records<E extends Entity>(entity: E, own: Omit<Definition<E>, 'entity'> = {}): Definition {
  return { entity, ...own } as unknown as Definition
}
