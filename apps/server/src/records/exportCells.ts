import { zoneFor } from '@ordinator/model/zone'
import { sideOf } from './fields/registry.ts'

/** A column of an exported table. */
export interface ExportColumn {
  field: string
  label: string
  kind: string
  labels?: Record<string, string>
  /** For a reference: where the other record stands in the row, and its title's field. */
  as?: string
  title?: string
  /** What leads from its record to the zone of its moments. */
  clock?: readonly string[]
  /** For a field of other records: the relations that lead to it, a list's values each in their turn. */
  path?: readonly string[]
}

/** The text of a cell, as people read it: titles instead of ids, words instead of codes, times of the branch's zone or the user's. */
export function cellText(column: ExportColumn, item: Record<string, unknown>, timeZone: string): string {
  if (!column.path) return ownText(column, item, timeZone)
  let reached = [item]
  for (const step of column.path) reached = reached.flatMap((one) => (one[step] ?? []) as Record<string, unknown>[])
  if (reached.length < 2) return reached.map((one) => ownText(column, one, timeZone)).join('')
  return reached.map((one) => listed(ownText(column, one, timeZone))).join(', ')
}

/** A value of a list that has a comma of its own stands in quotes. */
const listed = (text: string) => (text.includes(',') ? `"${text.replaceAll('"', '""')}"` : text)

/** A cell of a CSV line. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d\s.,()-]+$/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function ownText(column: ExportColumn, item: Record<string, unknown>, timeZone: string): string {
  const value = item[column.field]
  if (value === null || value === undefined) return ''
  if (column.as && column.title)
    return String((item[column.as] as Record<string, unknown> | null)?.[column.title] ?? value)
  const { cell } = sideOf(column)
  return cell ? cell(value, { labels: column.labels, timeZone: zoneOf(column, item, timeZone) }) : String(value)
}

/** The first year that spreadsheets have days of. */
const FIRST_YEAR = 1900

/** A cell of a spreadsheet: a number and a date as such, else its text. */
export function sheetCell(column: ExportColumn, item: Record<string, unknown>, timeZone: string): SheetCell {
  const value = column.path ? undefined : item[column.field]
  const { isNumber, date } = sideOf(column)
  if (isNumber && typeof value === 'number') return { value, type: Number }
  if (date && typeof value === 'string') {
    const { at, format } = date(value, { timeZone: zoneOf(column, item, timeZone) })
    // NaN of what is no date compares false.
    if (at.getUTCFullYear() > FIRST_YEAR) return { value: at, type: Date, format }
  }
  return { value: cellText(column, item, timeZone).slice(0, MAX_CELL), type: String }
}

type SheetCell =
  | { value: number; type: typeof Number }
  | { value: Date; type: typeof Date; format: string }
  | { value: string; type: typeof String }
/** Characters that a cell of a spreadsheet takes. */
const MAX_CELL = 32_000

function zoneOf({ clock }: ExportColumn, item: Record<string, unknown>, profile: string): string {
  if (!clock) return profile
  let found: unknown = item
  for (const step of clock) found = (found as Record<string, unknown> | null | undefined)?.[step]
  return zoneFor(profile, found as string | undefined)
}
