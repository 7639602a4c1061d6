/** Parsing of a row's cells by column, shared by importers of tables; collects all errors. */
import { checkBody } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import type { FieldError } from '#platform/errors.ts'
import { plainName } from './byName.ts'
import { readMoney, readYesNo } from './cells.ts'
import type { Cells, ImporterColumn } from './importer.ts'

interface RowReader {
  /** Errors so far, by column name. */
  errors: FieldError[]
  /** The trimmed text of a cell; empty if the file has no such column. */
  text(column: string): string
  refuse(column: string, message: string): undefined
  /** The key of the label in a cell, case-insensitive; undefined for an empty cell. */
  chosen<K extends string>(column: string, labels: Readonly<Record<K, string>>): K | undefined
  yesNo(column: string): boolean | undefined
  /** Rubles. */
  money(column: string): number | undefined
  /** Validates a body and reports errors at the columns of its fields, or at `other` for a field without one. */
  check(entity: Entity, body: object, action?: 'create' | 'update', other?: string): void
}

/** @param columns of the importer: their `field` maps a body's errors */
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
