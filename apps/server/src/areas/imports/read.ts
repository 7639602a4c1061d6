import type { Readable } from 'node:stream'
import type { ImportMapping } from '@ordinator/model/areas/imports/wire'
import { ValidationError } from '../../platform/errors.ts'
import { JsonLimit, readJson } from '../../platform/json.ts'
import { readInProcess } from '../../platform/readInProcess.ts'
import type { Storage } from '../../platform/storage.ts'
import type { AnyImporter, Cells } from './importer.ts'

/** Rows of a file, the head not counted, where its importer does not take more. */
const MAX_ROWS = 10_000
/** Values of a JSON file: boards of other programs come with all that was ever done on them. */
const MAX_JSON_PARTS = 5_000_000
const READING_MEMORY_MB = 1_024

/** A table's row with its number in the file. */
interface TableRow {
  row: number
  cells: string[]
}
/** What a file holds: `rows` as its importer takes them, after `mapped`. */
export type Content = { head: string[]; table: TableRow[] } | { head?: undefined; rows: unknown[] }

/** @param idUser who has it read @throws ValidationError on the field `file` */
export async function readUpload(
  files: Storage,
  key: string,
  importer: AnyImporter,
  idUser: number,
  fileName?: string,
): Promise<Content> {
  const open = () => files.get(key)
  if (!importer.rowsOf) return readTable(open, idUser, importer.maxRows ?? MAX_ROWS, fileName)
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

/** The head and the rows of a table, CSV or XLSX. @throws ValidationError on the field `file` */
export async function readTable(
  open: () => Promise<Readable>,
  idUser: number,
  maxRows: number,
  fileName?: string,
): Promise<Content> {
  const lines = await linesOf(open, idUser, maxRows, fileName)
  const isFull = (line: readonly string[]) => line.some((cell) => cell.trim() !== '')
  const top = lines.findIndex(isFull)
  if (top < 0) throw refuse('В файле нет строк')
  const head = (lines[top] as string[]).map((cell) => cell.trim())
  const table = lines
    .slice(top + 1)
    .map((cells, i) => ({ row: i + 1, cells }))
    .filter(({ cells }) => isFull(cells))
  checkCount(table.length, maxRows)
  return { head, table }
}

function checkCount(count: number, maxRows: number): void {
  if (count === 0) throw refuse('В файле нет ни одной строки под заголовком')
  if (count > maxRows) throw refuse(`В файле больше ${maxRows.toLocaleString('ru')} строк: разделите его`)
}

const linesOf = (open: () => Promise<Readable>, idUser: number, maxRows: number, name?: string): Promise<string[][]> =>
  readInProcess({
    code: new URL('./readProcess.ts', import.meta.url),
    open,
    options: { maxLines: maxRows + 100, ...(name && { name }) },
    who: String(idUser),
    memoryMb: READING_MEMORY_MB,
    refuse,
    tooHard: 'Файл слишком сложен: сохраните таблицу как CSV',
  })
