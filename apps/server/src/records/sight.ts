import type { ServerActor } from './actor.ts'

/** A subscribed user, once, however many sockets they have. */
export interface Viewer {
  id: number
  actor: ServerActor
}

/** User id → ids of the visible records. A user who sees nothing may be absent; users may share one set. */
export type VisibleIds = Map<number, ReadonlySet<number>>

/** A filter as in a list's query string: `{ 'filter[idColumn]': '5', 'filter[name][ilike]': 'а' }`. */
export type FilterParams = Readonly<Record<string, string>>

/** A filter with its subscribers. */
export interface AskedFilter {
  filter: FilterParams
  viewers: Viewer[]
}

/** An event of a record that may be gone; `seq` identifies its history row. */
export interface PastEvent {
  seq: number
  id: number
  /** Value of the `within` reference. */
  idParent: number | null
}

/**
 * Decides who may receive an event, with one statement for all users of a call. Whether the actor may view the entity at
 * all (permission and gate) is checked by the hub before.
 */
export interface Visibility {
  /**
   * Which of the records each user may view. Softly deleted records count like living ones: their `delete` must be sent.
   * Physically deleted ones are not visible.
   */
  checkVisibility(path: string, ids: number[], users: Viewer[]): Promise<VisibleIds>
  /**
   * Records that pass each filter, in the order of the filters, which have the same shape: one statement for all. Uses the
   * pool and timeout for filters; fails with a timeout (`isTimeout`) when it takes too long.
   */
  checkFilters(path: string, ids: number[], asked: AskedFilter[]): Promise<VisibleIds[]>
  /** Equal for filters that differ only in values. */
  shapeOf(filter: FilterParams): string
  /** Visibility of physically deleted records; for a record with a parent: users who see the parent. */
  deletedVisibility(path: string, events: PastEvent[], users: Viewer[]): Promise<VisibleIds>
  /**
   * Users who could view the record before the update (by the `from` values of its history row). A user who can no longer
   * see it gets a delete event, so that it leaves the screen. Absent: no such events.
   */
  visibleBefore?(path: string, events: PastEvent[], users: Viewer[]): Promise<VisibleIds>
  /** For records that may be sealed: the fields visible to everyone; changes of other fields are not sent. Absent: all. */
  visibleFields?(path: string): ReadonlySet<string> | undefined
  /** Throws an HttpError for an invalid filter: an unknown field or operator, a hidden field, a limit. */
  checkFilter(path: string, filter: FilterParams, actor: ServerActor): void | Promise<void>
}
