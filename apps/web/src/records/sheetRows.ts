/** Rows pasted from a spreadsheet into a list of records: cells become fields. */
import type { AnyField, Entity } from '@ordinator/model/entity'
import { uiOf } from './fields/registry.ts'

/** Most rows of one paste; the server's batch takes as many. */
export const MAX_PASTED = 500

/** Cells of a text from a spreadsheet: lines of cells parted by tabs, quoted where a cell has several lines. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const whole = text.replace(/\r\n?/g, '\n')
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/gy
  while (cell.lastIndex < whole.length) {
    const found = cell.exec(whole)
    if (!found) break
    const [, quoted, bare = '', end] = found
    rows.at(-1)?.push((quoted === undefined ? bare : quoted.replaceAll('""', '"')).trim())
    if (end === '\n') rows.push([])
  }
  return rows.filter((row) => row.some((one) => one !== ''))
}

/** Whether a pasted text is a table, and not a word for the field. */
export const isTable = (cells: readonly (readonly string[])[]): boolean =>
  cells.length > 1 || (cells[0]?.length ?? 0) > 1

interface SheetRow {
  values: Record<string, unknown>
  faults: readonly { label: string; message: string }[]
}

export interface SheetRows {
  /** Names of the fields that the columns fill, in their order. */
  columns: readonly string[]
  rows: readonly SheetRow[]
  /** Headings of columns that no field takes. */
  ignored: readonly string[]
}

const plain = (text: string): string => text.trim().toLocaleLowerCase('ru').replaceAll('ё', 'е')

/**
 * Matches the columns with the fields by their headings, or, without a line of headings, by their order.
 * @param names fields of the list's form, in order
 */
export function sheetRows(entity: Entity, names: readonly string[], cells: readonly (readonly string[])[]): SheetRows {
  const fields = names.flatMap((name): [string, AnyField][] => {
    const f = entity.fields[name]
    return f && uiOf(f).pasted ? [[name, f]] : []
  })
  const [head = []] = cells
  const byHead = head.map((title) => fields.find(([, f]) => plain(f.options.label) === plain(title)))
  const hasHead = byHead.some(Boolean)
  const columns = hasHead ? byHead : fields.slice(0, Math.max(0, ...cells.map(({ length }) => length)))
  return {
    columns: columns.flatMap((column) => (column ? [column[0]] : [])),
    ignored: hasHead ? head.filter((title, at) => title && !byHead[at]) : [],
    rows: (hasHead ? cells.slice(1) : cells).map((row) => rowOf(columns, row)),
  }
}

function rowOf(columns: readonly ([string, AnyField] | undefined)[], cells: readonly string[]): SheetRow {
  const values: Record<string, unknown> = {}
  const faults: { label: string; message: string }[] = []
  for (const [at, column] of columns.entries()) {
    if (!column) continue
    const [name, f] = column
    const text = cells[at] ?? ''
    const { label, required } = f.options
    if (text === '') {
      if (required) faults.push({ label, message: 'обязательное поле' })
      continue
    }
    const read = uiOf(f).pasted?.(text, f)
    const checked = read === undefined ? undefined : f.check(read)
    if (checked?.ok) values[name] = checked.value
    else faults.push({ label, message: checked ? checked.message : `не читается «${text}»` })
  }
  return { values, faults }
}
