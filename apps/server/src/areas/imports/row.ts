/** What importers of tables share: reading the cells of one row by their columns, with all that is wrong in it. */
import { checkBody } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import type { FieldError } from '#platform/errors.ts'
import { plainName } from './byName.ts'
import { readMoney, readYesNo } from './cells.ts'
import type { Cells, ImporterColumn } from './importer.ts'

interface RowReader {
  /** Found so far, by the names of the columns. */
  errors: FieldError[]
  /** The text of a cell without blanks around it; empty where the file has no such column. */
  text(column: string): string
  refuse(column: string, message: string): undefined
  /** The key of the label that the cell names, letter case aside; undefined for an empty cell. */
  chosen<K extends string>(column: string, labels: Readonly<Record<K, string>>): K | undefined
  yesNo(column: string): boolean | undefined
  /** Rubles. */
  money(column: string): number | undefined
  /** Refuses what is wrong with a body at the columns of its fields, at `other` where a field has none. */
  check(entity: Entity, body: object, action?: 'create' | 'update', other?: string): void
}

/** @param columns of the importer: their `field` names what a body's errors belong to */
export function rowReader(columns: readonly ImporterColumn[], cells: Cells): RowReader {
  const errors: FieldError[] = []
  const text = (column: string) => (cells[column] ?? '').trim()
  const refuse = (field: string, message: string): undefined => void errors.push({ field, message })
  return {
    errors,
    text,
    refuse,
    chosen: <K extends string>(column: string, labels: Readonly<Record<K, string>>) => {
      const written = plainName(text(column))
      if (!written) return undefined
      const found = (Object.keys(labels) as K[]).find((key) => plainName(labels[key]) === written)
      return found ?? refuse(column, `Нужно одно из: ${Object.values(labels).join(', ')}`)
    },
    yesNo: (column) => (text(column) ? (readYesNo(text(column)) ?? refuse(column, 'Нужно «да» или «нет»')) : undefined),
    money: (column) =>
      text(column) ? (readMoney(text(column)) ?? refuse(column, 'Нужно число рублей: 1234,50')) : undefined,
    check(entity, body, action = 'create', other = columns[0]?.name ?? '') {
      for (const { field, message } of checkBody(entity, body, action).errors ?? [])
        refuse(columns.find((column) => column.field === field)?.name ?? other, message)
    },
  }
}
