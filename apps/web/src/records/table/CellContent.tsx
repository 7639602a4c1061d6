import { uiOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'

/** A cell as the screen draws it, or as the field's kind does. */
export function CellContent({ column, row }: { column: Column<AnyRow>; row: AnyRow }) {
  if (column.cell) return column.cell(row)
  if (!column.field) return null
  const { Cell } = uiOf(column.field)
  return <Cell f={column.field} value={row[column.key]} row={row} />
}
