/** The table of a registry: XLSX, and DBF (dBASE III, CP866), which accounting programs of insurers read. */

const CP866 = new Map<string, number>()
for (let byte = 0x80; byte < 0x100; byte += 1) CP866.set(new TextDecoder('ibm866').decode(Uint8Array.of(byte)), byte)

/** Text as CP866; a sign that it lacks becomes «?». */
export const cp866 = (text: string): Buffer =>
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
