/**
 * DBF tables (dBASE III and its kin, Visual FoxPro), which insurers and accounting programs exchange.
 * Layout: dBASE «Table File Structure»: a head of 32 bytes, a descriptor of 32 bytes per field up to 0x0D, records.
 */
import type { FileEncoding } from '@ordinator/model/areas/imports/encodings'
import { decodeText } from './textEncoding.ts'

const CP866 = new Map<string, number>()
for (let byte = 0x80; byte < 0x100; byte += 1) CP866.set(new TextDecoder('ibm866').decode(Uint8Array.of(byte)), byte)

/** Text as CP866; a sign that it lacks becomes «?». */
const cp866 = (text: string): Buffer =>
  Buffer.from([...text].map((sign) => (sign < '\x80' ? sign.charCodeAt(0) : (CP866.get(sign) ?? 0x3f))))

/** Bytes of a text field at most. */
const MOST = 254
const HEAD = 32

/**
 * A DBF of text fields.
 * @param fields with names of at most 10 Latin letters
 * @param day `YYYY-MM-DD` of the header
 */
export function dbfOf(
  fields: readonly { name: string; label: string }[],
  rows: readonly (readonly string[])[],
  day: string,
): Buffer {
  const cells = rows.map((row) => fields.map((_, at) => cp866(row[at] ?? '').subarray(0, MOST)))
  const widths = fields.map((_, at) => Math.max(1, ...cells.map((row) => row[at]?.length ?? 0)))
  const size = 1 + widths.reduce((all, width) => all + width, 0)
  const start = HEAD + fields.length * HEAD + 1
  const out = Buffer.alloc(start + size * rows.length + 1, 0x20)
  out.fill(0, 0, start)
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  out.set([0x03, year - 1900, month, date])
  out.writeUInt32LE(rows.length, 4)
  out.writeUInt16LE(start, 8)
  out.writeUInt16LE(size, 10)
  // Language driver: Russian, MS-DOS (CP866).
  out[29] = 0x65
  for (const [at, { name }] of fields.entries()) {
    const from = HEAD + at * HEAD
    out.write(name.slice(0, 10).toUpperCase(), from, 'latin1')
    out.write('C', from + 11, 'latin1')
    out[from + 16] = widths[at] as number
  }
  out[start - 1] = 0x0d
  for (const [at, row] of cells.entries()) {
    let from = start + at * size + 1
    for (const [column, cell] of row.entries()) {
      cell.copy(out, from)
      from += widths[column] as number
    }
  }
  out[out.length - 1] = 0x1a
  return out
}

/** First bytes of tables without and with memos. */
const VERSIONS = new Set([0x02, 0x03, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0xcb, 0xf5, 0xfb])
/** Language drivers with an encoding; others leave it to the text. */
const DRIVERS: Readonly<Record<number, FileEncoding>> = {
  38: 'ibm866',
  100: 'ibm866',
  101: 'ibm866',
  87: 'windows-1251',
  200: 'windows-1251',
  201: 'windows-1251',
}
const END = 0x0d
const DELETED = 0x2a
const DAY_MS = 86_400_000
/** The Julian day of 1 January 1970. */
const EPOCH = 2_440_588

interface DbfField {
  name: string
  type: string
  from: number
  width: number
}

/** True for a file that is a DBF by its head, whatever its name. */
export function isDbf(file: Buffer): boolean {
  if (file.length < HEAD * 2 + 1 || !VERSIONS.has(file[0] as number)) return false
  const [start, size] = [file.readUInt16LE(8), file.readUInt16LE(10)]
  return start > HEAD * 2 && size > 1 && start <= file.length && fieldsOf(file).length > 0
}

/** Descriptors up to the mark of their end. */
function fieldsOf(file: Buffer): DbfField[] {
  const fields: DbfField[] = []
  const end = file.readUInt16LE(8)
  let from = 1
  for (let at = HEAD; at + HEAD < end && file[at] !== END; at += HEAD) {
    const name = file.toString('latin1', at, at + 11).replace(/\0.*$/s, '')
    const type = String.fromCharCode(file[at + 11] as number)
    // A long text field of Clipper has the upper byte of its width where others have decimals.
    const width = (file[at + 16] as number) + (type === 'C' ? (file[at + 17] as number) * 256 : 0)
    fields.push({ name, type, from, width })
    from += width
  }
  return from === file.readUInt16LE(10) ? fields : []
}

/**
 * The names of the fields, then each record that is not deleted, as texts: days as «ДД.ММ.ГГГГ», flags as «Да» and «Нет»,
 * memos (which lie in another file) empty. A file that ends early gives the whole records it has.
 * @param encoding chosen by a person; absent: that of the head, else the likeliest
 */
export function readDbf(
  file: Buffer,
  maxLines: number,
  encoding?: FileEncoding,
): { lines: string[][]; encoding: FileEncoding } {
  const fields = fieldsOf(file)
  const [count, start, size] = [file.readUInt32LE(4), file.readUInt16LE(8), file.readUInt16LE(10)]
  const records = file.subarray(start)
  const used = encoding ?? DRIVERS[file[29] as number] ?? decodeText(records).encoding
  const decoder = new TextDecoder(used)
  const lines = [fields.map(({ name }) => name)]
  for (let at = 0; at < count && (at + 1) * size <= records.length && lines.length < maxLines; at++) {
    const record = records.subarray(at * size, (at + 1) * size)
    if (record[0] === DELETED) continue
    lines.push(
      fields.map((field) => cellOf(record.subarray(field.from, field.from + field.width), field.type, decoder)),
    )
  }
  return { lines, encoding: used }
}

function cellOf(bytes: Buffer, type: string, decoder: TextDecoder): string {
  const text = () => decoder.decode(bytes).replaceAll('\0', ' ').trim()
  switch (type) {
    case 'C':
    case 'N':
    case 'F':
      return text()
    case 'D': {
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text()) ?? []
      return year ? `${day}.${month}.${year}` : ''
    }
    case 'L':
      return /^[TtYy]$/.test(text()) ? 'Да' : /^[FfNn]$/.test(text()) ? 'Нет' : ''
    case 'I':
    case '+':
      return bytes.length === 4 ? String(bytes.readInt32LE()) : ''
    case 'B':
    case 'O':
      return bytes.length === 8 ? String(bytes.readDoubleLE()) : ''
    case 'Y':
      return bytes.length === 8 ? (Number(bytes.readBigInt64LE()) / 10_000).toFixed(2) : ''
    case 'T':
    case '@': {
      if (bytes.length !== 8 || bytes.readInt32LE() === 0) return ''
      const at = new Date((bytes.readInt32LE() - EPOCH) * DAY_MS + bytes.readInt32LE(4))
      return at
        .toISOString()
        .slice(0, 16)
        .replace('T', ' ')
        .replace(/ 00:00$/, '')
    }
    default:
      return ''
  }
}
