/** Reads a table in a process of its own: bytes in, `{ read }` or `{ error }` out. Every cell comes as text. */
import { CsvError, parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { answerReading, ReadRefusal } from '../../platform/answerReading.ts'
import { checkedZip, packed } from '../../platform/zip.ts'

/** Bytes that a spreadsheet may take when unpacked. */
const MAX_UNPACKED = 200 * 1024 * 1024
const MAX_ENTRIES = 2_000
const MAX_CELL = 200_000
const MAX_COLUMNS = 200

answerReading(linesOf)

async function linesOf(
  file: Buffer,
  { maxLines, name = '' }: { maxLines: number; name?: string },
): Promise<string[][]> {
  if (file.subarray(0, 2).toString('latin1') === 'PK') {
    const zip = checkedZip(file, { maxBytes: MAX_UNPACKED, maxEntries: MAX_ENTRIES })
    if (!zip.has('xl/workbook.xml')) throw new ReadRefusal('Файл не похож на таблицу: нужен CSV или XLSX')
    const sheet = await readSheet(packed(zip))
    return sheet.slice(0, maxLines).map((row) => row.slice(0, MAX_COLUMNS).map(cellText))
  }
  if (file.length > 4 && file.readUInt32BE(0) === 0xd0cf11e0)
    throw new ReadRefusal('Это таблица старого Excel (XLS). Сохраните её как XLSX или CSV')
  if (/\.xlsx$/i.test(name))
    throw new ReadRefusal('Это не XLSX: внутри другое. Сохраните таблицу из Excel заново или назовите файл .csv')
  return csvLines(textOf(file), maxLines)
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  // A spreadsheet's date has no zone: its own clock reading stands in UTC here, a fraction of a day and so a little off.
  if (value instanceof Date)
    return new Date(Math.round(value.getTime() / 60_000) * 60_000)
      .toISOString()
      .slice(0, 16)
      .replace('T', ' ')
      .replace(/ 00:00$/, '')
  if (typeof value === 'boolean') return value ? 'Да' : 'Нет'
  return String(value).slice(0, MAX_CELL)
}

function textOf(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file)
  if (file[0] === 0xfe && file[1] === 0xff) return new TextDecoder('utf-16be').decode(file)
  if (file.includes(0)) throw new ReadRefusal('Файл не похож на таблицу: нужен CSV или XLSX')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return new TextDecoder('windows-1251').decode(file)
  }
}

function csvLines(text: string, maxLines: number): string[][] {
  const told = /^sep=(.)\r?\n/.exec(text)
  const body = told ? text.slice(told[0].length) : text
  try {
    const lines: string[][] = parse(body, {
      delimiter: told?.[1] ?? delimiterOf(body),
      relax_column_count: true,
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

/** Our export puts an apostrophe before what a spreadsheet would take for a formula. */
function unquoted(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

/** The one of `; , tab` that the first line has most of, quoted parts aside. */
function delimiterOf(text: string): string {
  const counts = new Map([
    [';', 0],
    [',', 0],
    ['\t', 0],
  ])
  let quoted = false
  for (const char of text.slice(0, 100_000)) {
    if (char === '"') quoted = !quoted
    else if (quoted) continue
    else if (char === '\n' && [...counts.values()].some((count) => count > 0)) break
    else if (counts.has(char)) counts.set(char, (counts.get(char) as number) + 1)
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best?.[0] ?? ';'
}
