/** COPY … FROM STDIN over `pg`, which has no API for it. */
import { once } from 'node:events'
import type pg from 'pg'

/** One row: strings, numbers, booleans; null and undefined are NULL; an array becomes a PostgreSQL array of text. */
export type CopyRow = readonly unknown[]

/** Bytes accumulated before sending. */
const CHUNK = 256 * 1024

/**
 * Writes rows into a table with one COPY.
 * @param columns names of the fields, as in the table
 * @returns number of rows written
 */
export async function copyInto(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: Iterable<CopyRow>,
): Promise<number> {
  const statement = new CopyIn(`copy "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) from stdin`)
  // pg accepts any object with a submit method.
  client.query(statement as never)
  const connection = await statement.open
  let chunk = ''
  let count = 0
  for (const row of rows) {
    chunk += `${row.map(cell).join('\t')}\n`
    count++
    if (chunk.length >= CHUNK) {
      await send(connection, chunk)
      chunk = ''
    }
  }
  if (chunk) await send(connection, chunk)
  connection.endCopyFrom()
  await statement.done
  return count
}

/** The part of pg's connection in use; missing in its types. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: NodeJS.WritableStream & { writableNeedDrain: boolean }
}

class CopyIn {
  readonly open: Promise<Wire>
  readonly done: Promise<void>
  readonly #text: string
  #opened!: (connection: Wire) => void
  #refused!: (error: Error) => void
  #finished!: () => void
  #failed!: (error: Error) => void

  constructor(text: string) {
    this.#text = text
    this.open = new Promise((resolve, reject) => {
      this.#opened = resolve
      this.#refused = reject
    })
    this.done = new Promise((resolve, reject) => {
      this.#finished = resolve
      this.#failed = reject
    })
    this.done.catch(() => {})
  }

  submit(connection: Wire): void {
    connection.query(this.#text)
  }
  handleCopyInResponse(connection: Wire): void {
    this.#opened(connection)
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.#finished()
  }
  handleError(error: Error): void {
    this.#refused(error)
    this.#failed(error)
  }
}

async function send(connection: Wire, chunk: string): Promise<void> {
  connection.sendCopyFromChunk(Buffer.from(chunk))
  if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function cell(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (Array.isArray(value)) {
    return cell(`{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`)
  }
  return String(value).replace(/[\\\n\r\t]/g, (c) => ESCAPES[c] as string)
}
