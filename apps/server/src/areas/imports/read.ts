import type { Readable } from 'node:stream'
import { type FileEncoding, HEAD_LINES } from '@ordinator/model/areas/imports/encodings'
import type { ImportMapping, TableReading } from '@ordinator/model/areas/imports/wire'
import { ValidationError } from '#platform/errors.ts'
import { JsonLimit, readJson } from '#platform/json.ts'
import { readInProcess } from '#platform/readInProcess.ts'
import type { Storage } from '#platform/storage.ts'
import { type AnyImporter, type Cells, guessMapping, type ImporterColumn } from './importer.ts'

/** Maximum number of rows of a file, without the header, by default. */
const MAX_ROWS = 10_000
/** Maximum number of JSON values: boards of other programs contain their whole history. */
const MAX_JSON_PARTS = 5_000_000
const READING_MEMORY_MB = 1_024

/** A table's row with its number in the file. */
interface TableRow {
  row: number
  cells: string[]
}
interface Table {
  head: string[]
  table: TableRow[]
  /** How it was parsed. */
  reading: TableReading
  /** The first lines unchanged, including those above the header. */
  top: string[][]
  /** Sheets of a workbook that are not empty. */
  sheets?: readonly { name: string; rows: number }[]
}
/** Contents of a file: `rows` as its importer takes them, after `mapped`. */
export type Content = Table | { head?: undefined; rows: unknown[] }

/** Response of the reading process. */
export interface ReadLines {
  lines: string[][]
  /** Absent: the file is a spreadsheet. */
  encoding?: FileEncoding
  /** Of a spreadsheet: the sheet that was read, and those that are not empty. */
  sheet?: string
  sheets?: readonly { name: string; rows: number }[]
}

/** @param idUser the requesting user @throws ValidationError on the field `file` */
export async function readUpload(
  files: Storage,
  key: string,
  importer: AnyImporter,
  idUser: number,
  reading: TableReading = {},
  fileName?: string,
): Promise<Content> {
  const open = () => files.get(key)
  if (!importer.rowsOf)
    return readTable(open, idUser, {
      maxRows: importer.maxRows ?? MAX_ROWS,
      knownHeads: (line) => Object.keys(guessMapping(importer.columns, line)).length,
      reading,
      fileName,
      columns: importer.columns,
    })
  return readRows(Buffer.concat(await (await open()).toArray()), importer)
}

/** The rows with their numbers, as the importer's `check` takes them. */
export function mapped(
  content: Content,
  importer: AnyImporter,
  mapping: ImportMapping,
): { row: number; raw: unknown }[] {
  if (!content.head) return content.rows.map((raw, i) => ({ row: i + 1, raw }))
  const places = importer.columns.flatMap(({ name }) => {
    const at = mapping[name]
    return at === undefined ? [] : [[name, at] as const]
  })
  return content.table.map(({ row, cells }) => ({
    row,
    raw: Object.fromEntries(places.map(([name, at]) => [name, (cells[at] ?? '').trim()])) satisfies Cells,
  }))
}

export const refuse = (message: string): ValidationError => new ValidationError([{ field: 'file', message }])

function readRows(bytes: Buffer, importer: AnyImporter): Content {
  let content: unknown
  try {
    content = readJson(bytes.toString('utf8').replace(/^\uFEFF/, ''), MAX_JSON_PARTS)
  } catch (error) {
    if (error instanceof JsonLimit) throw refuse(error.message)
    throw refuse('Файл не читается: нужен JSON')
  }
  const rows = importer.rowsOf?.(content) ?? []
  checkCount(rows.length, MAX_ROWS)
  return { rows }
}

interface TableOptions {
  maxRows: number
  /** Number of known headers in a line. */
  knownHeads(line: readonly string[]): number
  reading?: TableReading
  /** Original file name. */
  fileName?: string
  /** Columns of the importer: one with `section` takes group rows. */
  columns?: readonly ImporterColumn[]
}

/** The header and the rows of a table, CSV or XLSX. @throws ValidationError on the field `file` */
export async function readTable(
  open: () => Promise<Readable>,
  idUser: number,
  { maxRows, knownHeads, reading = {}, fileName, columns = [] }: TableOptions,
): Promise<Table> {
  const { lines, encoding, sheet, sheets } = await linesOf(open, idUser, maxRows, {
    encoding: reading.encoding,
    name: fileName,
    sheet: reading.sheet,
  })
  const top = lines.slice(0, HEAD_LINES)
  if (!top.some((line) => filled(line) > 0)) throw refuse('В файле нет строк')
  const at = reading.headLine === undefined ? headOf(top, knownHeads) : reading.headLine - 1
  const named = lines[at]
  if (!named || filled(named) === 0) throw refuse(`Строка ${at + 1} файла пуста: выберите строку с названиями колонок`)
  const head = named.map((cell) => cell.trim())
  const rows = lines
    .slice(at + 1)
    .map((cells, i) => ({ row: i + 1, cells }))
    .filter(({ cells }) => filled(cells) > 0 && !isTotal(cells))
  const { head: heads, table } = withSections(head, rows, columns)
  checkCount(table.length, maxRows)
  return {
    head: heads,
    table,
    top,
    reading: { ...(encoding && { encoding }), ...(sheet && { sheet }), headLine: at + 1 },
    ...(sheets && { sheets }),
  }
}

/** Rows of a price list that hold nothing but the name of a group become a column of the rows below them. */
function withSections(
  head: string[],
  rows: TableRow[],
  columns: readonly ImporterColumn[],
): { head: string[]; table: TableRow[] } {
  const section = columns.find((column) => column.section)
  const alone = rows.filter(({ cells }) => filled(cells) === 1)
  const isOther = section === undefined || guessMapping(columns, head)[section.name] !== undefined
  if (isOther || alone.length === 0 || alone.length * 2 > rows.length || head.length < 2) return { head, table: rows }
  const table: TableRow[] = []
  let names: string[] = []
  let isOpen = false
  for (const { row, cells } of rows) {
    if (filled(cells) === 1) {
      const name = cells.find((cell) => cell.trim() !== '')?.trim() ?? ''
      // Two such rows one after another are a group within a group.
      names = isOpen ? [names[0] ?? '', name].filter(Boolean) : [name]
      isOpen = true
      continue
    }
    isOpen = false
    table.push({ row, cells: [...head.map((_, at) => cells[at] ?? ''), names.join(' / ')] })
  }
  return { head: [...head, section.name], table }
}

const filled = (line: readonly string[]): number => line.filter((cell) => cell.trim() !== '').length

/** The line of a total below a table: «Итого: 15», with at most one cell more. */
const isTotal = (line: readonly string[]): boolean =>
  filled(line) <= 2 && /^(?:итого|всего)(?:\s|:|$)/i.test(line.find((cell) => cell.trim() !== '')?.trim() ?? '')

/**
 * The most likely header line: with the most known headers; without any, the first that is at least half as full as the
 * fullest, so that a title above the table is skipped.
 */
function headOf(lines: readonly string[][], knownHeads: (line: readonly string[]) => number): number {
  const known = lines.map((line) => knownHeads(line))
  const most = Math.max(...known)
  if (most > 0) return known.indexOf(most)
  const full = lines.map(filled)
  return full.findIndex((count) => count > 0 && count >= Math.max(...full) / 2)
}

function checkCount(count: number, maxRows: number): void {
  if (count === 0) throw refuse('В файле нет ни одной строки под заголовком')
  if (count > maxRows) throw refuse(`В файле больше ${maxRows.toLocaleString('ru')} строк: разделите его`)
}

const linesOf = (
  open: () => Promise<Readable>,
  idUser: number,
  maxRows: number,
  { encoding, name, sheet }: { encoding?: FileEncoding; name?: string; sheet?: string },
): Promise<ReadLines> =>
  readInProcess({
    code: new URL('./readProcess.ts', import.meta.url),
    open,
    options: { maxLines: maxRows + 100, ...(encoding && { encoding }), ...(name && { name }), ...(sheet && { sheet }) },
    who: String(idUser),
    memoryMb: READING_MEMORY_MB,
    refuse,
    tooHard: 'Файл слишком сложен: сохраните таблицу как CSV',
  })
