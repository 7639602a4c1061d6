/** Parses a table in a separate process: bytes in, `{ read }` or `{ error }` out. Every cell is returned as text. */
import type { FileEncoding } from '@ordinator/model/areas/imports/encodings'
import { plainSpelling } from '@ordinator/model/spelling'
import { CsvError, parse } from 'csv-parse/sync'
import readWorkbook from 'read-excel-file/node'
import { answerReading, ReadRefusal } from '#platform/answerReading.ts'
import { isDbf, readDbf } from '#platform/dbf.ts'
import { decodeText } from '#platform/textEncoding.ts'
import { checkedZip, packed } from '#platform/zip.ts'
import { sheetNumber } from './cells.ts'
import type { ReadLines } from './read.ts'

/** Maximum bytes of an unpacked spreadsheet. */
const MAX_UNPACKED = 200 * 1024 * 1024
const MAX_ENTRIES = 2_000
const MAX_CELL = 200_000
const MAX_COLUMNS = 200

answerReading(linesOf)

interface Options {
  maxLines: number
  encoding?: FileEncoding
  /** Original file name. */
  name?: string
  /** Sheet of a workbook; absent or unknown: the fullest. */
  sheet?: string
}

async function linesOf(file: Buffer, { maxLines, encoding, name = '', sheet }: Options): Promise<ReadLines> {
  if (file.subarray(0, 2).toString('latin1') === 'PK') {
    const zip = checkedZip(file, { maxBytes: MAX_UNPACKED, maxEntries: MAX_ENTRIES })
    if (!zip.has('xl/workbook.xml')) throw new ReadRefusal('Файл не похож на таблицу: нужен CSV, XLSX или DBF')
    const sheets = (await readWorkbook(packed(zip))).map((one) => ({
      name: one.sheet,
      rows: one.data,
      filled: filledOf(one.data),
    }))
    const [fullest] = sheets.toSorted((a, b) => b.filled - a.filled)
    const chosen = sheets.find((one) => one.name === sheet) ?? fullest
    if (!chosen) throw new ReadRefusal('В книге нет листов')
    return {
      lines: chosen.rows.slice(0, maxLines).map((row) => row.slice(0, MAX_COLUMNS).map(cellText)),
      sheet: chosen.name,
      sheets: sheets.filter(({ filled }) => filled > 0).map((one) => ({ name: one.name, rows: one.rows.length })),
    }
  }
  if (file.length > 4 && file.readUInt32BE(0) === 0xd0cf11e0)
    throw new ReadRefusal('Это таблица старого Excel (XLS). Сохраните её как XLSX или CSV')
  if (isDbf(file)) {
    const { lines, encoding: used } = readDbf(file, maxLines, encoding)
    return {
      lines: lines.map((line) => line.slice(0, MAX_COLUMNS).map((cell) => plainSpelling(cell.slice(0, MAX_CELL)))),
      encoding: used,
    }
  }
  const isWide = (file[0] === 0xff && file[1] === 0xfe) || (file[0] === 0xfe && file[1] === 0xff)
  if (!isWide && file.includes(0)) throw new ReadRefusal('Файл не похож на таблицу: нужен CSV, XLSX или DBF')
  if (/\.xlsx$/i.test(name))
    throw new ReadRefusal('Это не XLSX: внутри другое. Сохраните таблицу из Excel заново или назовите файл .csv')
  const { text, encoding: used } = decodeText(file, isWide ? undefined : encoding)
  return { lines: csvLines(plainSpelling(text), maxLines), encoding: used }
}

const filledOf = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce(
    (all, row) => all + row.reduce<number>((some, cell) => some + (cell === null || cell === '' ? 0 : 1), 0),
    0,
  )

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  // A spreadsheet's date has no zone: its local time is in UTC here, as a fraction of a day and so slightly inexact.
  if (value instanceof Date)
    return new Date(Math.round(value.getTime() / 60_000) * 60_000)
      .toISOString()
      .slice(0, 16)
      .replace('T', ' ')
      .replace(/ 00:00$/, '')
  if (typeof value === 'boolean') return value ? 'Да' : 'Нет'
  if (typeof value === 'number') return sheetNumber(String(value))
  return plainSpelling(String(value).slice(0, MAX_CELL))
}

function csvLines(text: string, maxLines: number): string[][] {
  const declared = /^sep=(.)\r?\n/.exec(text)
  const body = declared ? text.slice(declared[0].length) : text
  try {
    const lines: string[][] = parse(body, {
      delimiter: declared?.[1] ?? delimiterOf(body),
      relax_column_count: true,
      // A quote inside a cell that does not begin with one is a character, as spreadsheets read it.
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: 1_000_000,
      to: maxLines,
    })
    return lines.map((line) => line.slice(0, MAX_COLUMNS).map(unquoted))
  } catch (error) {
    if (error instanceof CsvError)
      throw new ReadRefusal(`Строка ${error.lines ?? '?'} файла не читается: проверьте кавычки`)
    throw error
  }
}

/** Our export prefixes texts that resemble a formula with an apostrophe. */
function unquoted(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : sheetNumber(cell)
}

const DELIMITERS = [';', ',', '\t', '|'] as const
/** Number of lines that determine the delimiter. */
const SAMPLE_LINES = 50

/**
 * The one of `; , tab |` of which most lines have the same number, quoted parts aside: a title above the table, or a text
 * within it, has commas too.
 */
function delimiterOf(text: string): string {
  const lines: Record<string, number>[] = []
  let line: Record<string, number> = {}
  let quoted = false
  let before = '\n'
  for (const char of text.slice(0, 100_000)) {
    const isStart = before === '\n' || DELIMITERS.some((one) => one === before)
    before = char
    if (char === '"' && (quoted || isStart)) quoted = !quoted
    else if (quoted) continue
    else if (char === '\n') {
      if (lines.push(line) >= SAMPLE_LINES) break
      line = {}
    } else line[char] = (line[char] ?? 0) + 1
  }
  lines.push(line)
  const scored = DELIMITERS.map((one) => {
    const counts = lines.flatMap((found) => found[one] ?? [])
    const alike = Math.max(
      0,
      ...Map.groupBy(counts, (count) => count)
        .values()
        .map(({ length }) => length),
    )
    return { one, alike, total: counts.reduce((sum, count) => sum + count, 0) }
  })
  const [best] = scored.sort((a, b) => b.alike - a.alike || b.total - a.total)
  return best?.one ?? ';'
}
