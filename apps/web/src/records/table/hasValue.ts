import { uiOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'

/** Whether a column has something to show for the row: «Нет» of a flag counts as empty. */
export function hasValue(column: Column<AnyRow>, row: AnyRow): boolean {
  if (!column.field) return true
  const value = row[column.key]
  return value !== false && (column.cell !== undefined || uiOf(column.field).text(value, column.field, row) !== '')
}
