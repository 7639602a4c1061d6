import { zoneFor } from '@ordinator/model/zone'
import { sideOf } from './fields/registry.ts'

/** Column of an exported table. */
export interface ExportColumn {
  field: string
  label: string
  kind: string
  labels?: Record<string, string>
  /** For a reference: key of the other record in the row, and its title field. */
  as?: string
  title?: string
  /** Path from the record to the time zone of its times. */
  clock?: readonly string[]
  /** For a field of other records: the relations that lead to it; values of a list are joined. */
  path?: readonly string[]
}

/** Text of a cell as people read it: titles instead of ids, labels instead of codes, times in the branch's or user's zone. */
export function cellText(column: ExportColumn, item: Record<string, unknown>, timeZone: string): string {
  if (!column.path) return ownText(column, item, timeZone)
  let reached = [item]
  for (const step of column.path) reached = reached.flatMap((one) => (one[step] ?? []) as Record<string, unknown>[])
  if (reached.length < 2) return reached.map((one) => ownText(column, one, timeZone)).join('')
  return reached.map((one) => listed(ownText(column, one, timeZone))).join(', ')
}

/** Quotes a list value that contains a comma. */
const listed = (text: string) => (text.includes(',') ? `"${text.replaceAll('"', '""')}"` : text)

/** A CSV cell. A text that a spreadsheet would treat as a formula gets a leading apostrophe. */
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

/** The first year supported by spreadsheet dates. */
const FIRST_YEAR = 1900

/** A spreadsheet cell: numbers and dates typed, else text. */
export function sheetCell(column: ExportColumn, item: Record<string, unknown>, timeZone: string): SheetCell {
  const value = column.path ? undefined : item[column.field]
  const { isNumber, date } = sideOf(column)
  if (isNumber && typeof value === 'number') return { value, type: Number }
  if (date && typeof value === 'string') {
    const { at, format } = date(value, { timeZone: zoneOf(column, item, timeZone) })
    // For an invalid date NaN compares false.
    if (at.getUTCFullYear() > FIRST_YEAR) return { value: at, type: Date, format }
  }
  return { value: cellText(column, item, timeZone).slice(0, MAX_CELL), type: String }
}

type SheetCell =
  | { value: number; type: typeof Number }
  | { value: Date; type: typeof Date; format: string }
  | { value: string; type: typeof String }
/** Maximum characters of a spreadsheet cell. */
const MAX_CELL = 32_000

function zoneOf({ clock }: ExportColumn, item: Record<string, unknown>, profile: string): string {
  if (!clock) return profile
  let found: unknown = item
  for (const step of clock) found = (found as Record<string, unknown> | null | undefined)?.[step]
  return zoneFor(profile, found as string | undefined)
}
