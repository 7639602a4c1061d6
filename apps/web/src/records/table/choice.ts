import { formatMoney } from '@ordinator/model/format'
import { wordsOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'

/** The selection with all rows between two places of the page, both included; the state of the last one is that of all. */
export function withRange(
  selected: ReadonlyMap<number, AnyRow>,
  rows: readonly AnyRow[],
  from: number,
  to: number,
): Map<number, AnyRow> {
  const next = new Map(selected)
  const last = rows[to]
  const isOn = last !== undefined && !selected.has(last.id)
  for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isOn || row === rows[from]) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

/** A cell as text: that of its field, else what is drawn at the row's place on the screen. */
function cellText(column: Column<AnyRow>, row: AnyRow, drawn: string | undefined): string {
  const text = drawn ?? (column.field ? wordsOf(column.field, row[column.key], row) : '')
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Rows as a table for a spreadsheet: headings, then a line each, cells separated by tabs.
 * @param drawn text of a cell as it is drawn; undefined for a row of another page
 */
export function tableText(
  columns: readonly Column<AnyRow>[],
  rows: readonly AnyRow[],
  drawn: (row: AnyRow, at: number) => string | undefined,
): string {
  const own = columns.map((column, at) => ({ column, at })).filter(({ column }) => !column.actions)
  const head = own.map(({ column }) => column.label)
  const lines = rows.map((row) => own.map(({ column, at }) => cellText(column, row, drawn(row, at))))
  return [head, ...lines].map((cells) => cells.join('\t')).join('\n')
}

/** Column type of money. */
const MONEY = /^numeric\(\d+,2\)$/

/** Sums of the selected rows in the columns of money that are shown: «сумма 34 100,00 ₽»; '' without such columns. */
export function totalsText(columns: readonly Column<AnyRow>[], rows: readonly AnyRow[]): string {
  return columns
    .filter(({ field, align }) => field !== undefined && align === 'right' && MONEY.test(field.column))
    .flatMap(({ key, label }) => {
      const values = rows.map((row) => row[key]).filter((value) => typeof value === 'number')
      if (values.length === 0) return []
      const kopecks = values.reduce((sum, value) => sum + Math.round(value * 100), 0)
      return [`${label.toLocaleLowerCase('ru')} ${formatMoney(kopecks / 100)}`]
    })
    .join(', ')
}

/** The columns in the order in which one of them was dropped before another. */
export function movedColumn(keys: readonly string[], moved: string, before: string): string[] {
  const rest = keys.filter((key) => key !== moved)
  return moved === before ? [...keys] : rest.toSpliced(rest.indexOf(before), 0, moved)
}
