import type { AnyRow } from '../fields/ui.ts'
import type { BulkAction } from './BulkBar.tsx'
import type { Column } from './columns.ts'

/** Common props of the table and the cards. */
export interface RowsProps {
  columns: Column<AnyRow>[]
  rows: AnyRow[]
  loading: boolean
  /** The rows belong to the previous page or filter; the new ones are loading. */
  stale: boolean
  /** Skeleton rows. */
  limit: number
  onOpen?: (row: AnyRow) => void
  hrefOf?: (row: AnyRow) => string
  isMuted?: (row: AnyRow) => boolean
  /** Absent: rows cannot be selected. */
  selected?: ReadonlyMap<number, AnyRow>
  onSelect: (selected: ReadonlyMap<number, AnyRow>) => void
  /** Selects all records of the filter, on every page. */
  onSelectAll?: () => void
  /** Of a single row too, in its menu. */
  actions?: readonly BulkAction<AnyRow>[]
  /** «задач» */
  label: string
}

export function toggled(selected: ReadonlyMap<number, AnyRow>, row: AnyRow): Map<number, AnyRow> {
  const next = new Map(selected)
  if (!next.delete(row.id)) next.set(row.id, row)
  return next
}
