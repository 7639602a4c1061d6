/** Cells as the moving-in reads them. */
import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import type { Entity } from '@ordinator/model/entity'
import { hasLabels, labelsOf } from '@ordinator/model/fields/choice'
import { isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import type { Cells } from '#areas/imports/index.ts'
import { movingTable } from '#areas/moving/index.ts'
import type { AppContext } from '#records/context.ts'
import { cellText } from '#records/exportCells.ts'

/** Rubles for a cell: «1234,50»; empty for null. */
export const rubles = (sum: number | null): string => (sum === null ? '' : sum.toFixed(2).replace('.', ','))

/** Kopecks for a cell. */
export const kopecks = (sum: number): string => rubles(sum / 100)

/** A list of a cell, as `readList` of imports takes it apart. */
export const listCell = (names: readonly string[]): string =>
  names.map((one) => (one.includes(',') ? `"${one.replaceAll('"', '""')}"` : one)).join(', ')

/**
 * Writes the columns of a table that are stored fields of an entity, except references. A value that a new record has by
 * itself is left out.
 */
export function fieldCells(
  app: AppContext,
  key: MoveTableKey,
  entity: Entity,
  zone: string,
): (row: Record<string, unknown>) => Cells {
  const columns = movingTable(app, key).columns.flatMap(({ name, field }) => {
    const f = field === undefined ? undefined : entity.fields[field]
    if (!field || !f || !isStored(f) || isRef(f)) return []
    const { kind } = f
    const labels = hasLabels(f) ? labelsOf(f) : undefined
    const usual = (f.options as { default?: unknown }).default
    return [{ name, usual, column: { field, label: name, kind, ...(labels && { labels }) } }]
  })
  return (row) =>
    Object.fromEntries(
      columns.flatMap(({ name, usual, column }) => {
        const value = row[column.field]
        return value === null || value === undefined || value === usual ? [] : [[name, cellText(column, row, zone)]]
      }),
    )
}
