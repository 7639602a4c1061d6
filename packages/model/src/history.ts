export interface HistoryEntry {
  id: number
  /** The changed entity and record: with `parts`, possibly a part of the requested record. */
  path: string
  idEntity: number
  /** The parent of the changed record. */
  idParent: number | null
  action: 'create' | 'update' | 'delete' | 'restore'
  dateCreate: string
  idUser: number | null
  user?: { id: number; fio: string; avatar?: string | null } | null
  /** `{ field: [from, to] }` */
  changes: Record<string, [unknown, unknown]>
  version: number
}

/** Titles of the records mentioned in a history, by path and id, as far as the reader may see them. */
export type RecordNames = Record<string, Record<string, string>>

export interface HistoryQuery {
  limit?: number
  page?: number
  /** Includes the history of parts of this record. */
  parts?: boolean
  /** Only changes of this field. */
  field?: string
}
