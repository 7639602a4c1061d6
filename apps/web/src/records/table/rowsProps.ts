import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'

/** What the table and the cards are given alike. */
export interface RowsProps {
  columns: Column<AnyRow>[]
  rows: AnyRow[]
  loading: boolean
  /** The rows are of the page or filter before; the new ones are on their way. */
  stale: boolean
  /** Skeleton rows. */
  limit: number
  onOpen?: (row: AnyRow) => void
  hrefOf?: (row: AnyRow) => string
  isMuted?: (row: AnyRow) => boolean
  /** Absent: rows are not selected. */
  selected?: ReadonlyMap<number, AnyRow>
  onSelect: (selected: ReadonlyMap<number, AnyRow>) => void
  /** «задач» */
  label: string
}

export function toggled(selected: ReadonlyMap<number, AnyRow>, row: AnyRow): Map<number, AnyRow> {
  const next = new Map(selected)
  if (!next.delete(row.id)) next.set(row.id, row)
  return next
}
