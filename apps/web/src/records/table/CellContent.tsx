import { uiOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'

/** A cell rendered by the screen, or else by the field type. */
export function CellContent({ column, row }: { column: Column<AnyRow>; row: AnyRow }) {
  if (column.cell) return column.cell(row)
  if (!column.field) return null
  const { Cell } = uiOf(column.field)
  return <Cell f={column.field} value={row[column.key]} row={row} />
}
