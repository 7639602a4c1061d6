import { uiOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'

/** Whether a column says something of the row: «Нет» of a flag says as little as an empty field. */
export function isTold(column: Column<AnyRow>, row: AnyRow): boolean {
  if (!column.field) return true
  const value = row[column.key]
  return value !== false && (column.cell !== undefined || uiOf(column.field).text(value, column.field, row) !== '')
}
