import type { ServerActor } from './actor.ts'

/** One user who listens, once, however many sockets it has. */
export interface Viewer {
  id: number
  actor: ServerActor
}

/** User's id → ids of the records. A user that sees nothing may be absent; users may share one set. */
export type Seen = Map<number, ReadonlySet<number>>

/** A filter as in a list's query string: `{ 'filter[idColumn]': '5', 'filter[name][ilike]': 'а' }`. */
export type FilterParams = Readonly<Record<string, string>>

/** A filter, and who listens by it. */
export interface AskedFilter {
  filter: FilterParams
  viewers: Viewer[]
}

/** An event, for questions that the record itself can no longer answer; `seq` leads to its whole history row. */
export interface PastEvent {
  seq: number
  id: number
  /** Value of the `within` reference. */
  idParent: number | null
}

/**
 * The engine's answers on who may know of an event. One statement for all users of a call. Whether the actor may view
 * the entity at all (permission and gate) the hub has settled before.
 */
export interface Visibility {
  /**
   * Which of the records each user may view. Softly deleted records count like living ones: their `delete` has to be
   * told. What is no longer in the table is seen by nobody.
   */
  checkVisibility(path: string, ids: number[], users: Viewer[]): Promise<Seen>
  /**
   * The same of those that each filter lets through, in the order of the filters, which are of one shape: one statement
   * answers them all. Takes as long as filters may; fails when that is too long (`isTimeout`).
   */
  checkFilters(path: string, ids: number[], asked: AskedFilter[]): Promise<Seen[]>
  /** Equal for filters that differ in their values alone. */
  shapeOf(filter: FilterParams): string
  /** The same for records that are gone from the table; of those with a parent: who sees the parent. */
  deletedVisibility(path: string, events: PastEvent[], users: Viewer[]): Promise<Seen>
  /**
   * Who might view the record as it stood before the update (the `from` values of its history row). Who has lost it
   * is told of it as of a delete, so that it leaves the screen. Absent: nobody is told.
   */
  visibleBefore?(path: string, events: PastEvent[], users: Viewer[]): Promise<Seen>
  /** Of records that may be sealed the fields that anybody sees: of no other is a change told. Absent: of all. */
  toldOf?(path: string): ReadonlySet<string> | undefined
  /** Throws an HttpError that names what is wrong: an unknown field or operator, a hidden field, a limit. */
  checkFilter(path: string, filter: FilterParams, actor: ServerActor): void | Promise<void>
}
