/**
 * Creates exports in a worker, with its own database connection, one after another. Rows are streamed from PostgreSQL
 * and sent as chunks of the file; while the reader has not taken the last chunks, the connection is paused.
 */
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import writeXlsxFile from 'write-excel-file/node'
import { createDb } from '#platform/db.ts'
import { connectToReplica, isOfReplica, type Ticket } from '#platform/replica.ts'
import { cellText, csvCell, sheetCell } from './exportCells.ts'
import type { ExportJob, ExportWord, WorkerOrder } from './exporter.ts'

/** Bytes of a chunk, and chunks in flight. */
const PIECE = 64 * 1024
const MAX_AFLOAT = 16
/** A spreadsheet is built in memory; a CSV is streamed and has no limit. */
const MAX_XLSX_ROWS = 100_000
const MAX_XLSX_BYTES = 100 * 1024 * 1024
/** Minimum column width in characters: enough for a date with time, instead of «#####». */
const MIN_WIDTH = 17
/** Widths of the sheet that explains the columns, in characters. */
const NOTE_NAME = 36
const NOTE_TEXT = 110
const STATEMENT_MS = 600_000

type Item = Record<string, unknown>

/** Internals of pg used beyond its types: the socket to PostgreSQL. */
interface Inside {
  connection: { stream: { pause(): void; resume(): void } }
}

const silent = { warn() {}, error() {} }
const db = createDb({ ...(workerData as { url: string; isOurs?: boolean }), log: silent })
/** To the primary; kept for the next export. */
let client: pg.Client | undefined
let afloat = 0
let onTaken: (() => void) | undefined
/** A chunk of this export has left: it cannot begin anew. */
let isBegun = false

const say = (word: ExportWord, bytes?: Uint8Array<ArrayBuffer>) => {
  if (bytes) isBegun = true
  parentPort?.postMessage(word, bytes ? [bytes.buffer] : [])
}

parentPort?.on('message', async (order: WorkerOrder) => {
  if (!('job' in order)) {
    afloat--
    return onTaken?.()
  }
  // Chunks of the previous job are not acknowledged after its end.
  afloat = 0
  isBegun = false
  try {
    await make(order.job)
    say({ done: true })
  } catch (error) {
    // The statement may still be running.
    client?.end().catch(() => {})
    client = undefined
    const { code, severity } = error as { code?: string; severity?: string }
    const message = error instanceof Error ? error.message : String(error)
    say(error instanceof Refusal ? { refused: message } : { failed: { message, code, severity } })
  }
})

class Refusal extends Error {}

/** From the replica of the job if it can be had; a failure there before the first chunk begins anew on the primary. */
async function make(job: ExportJob): Promise<void> {
  const made = job.format === 'csv' ? makeCsv : makeSpreadsheet
  const replica = job.replica && (await connectedToReplica(job.replica))
  if (replica) {
    try {
      return await made(job, replica)
    } catch (error) {
      if (isBegun || error instanceof Refusal || !isOfReplica(error)) throw error
    } finally {
      void replica.end().catch(() => {})
    }
  }
  client ??= await connected()
  await made(job, client)
}

async function makeCsv({ columns, timeZone, ...job }: ExportJob, from: pg.Client): Promise<void> {
  // The BOM and semicolons let the Russian Excel open the file directly.
  let text = `\uFEFF${columns.map((c) => csvCell(c.label)).join(';')}\r\n`
  const send = () => {
    const bytes = new Uint8Array(new TextEncoder().encode(text))
    text = ''
    afloat++
    say({ piece: bytes }, bytes)
  }
  await eachRow(from, job, (item, stream) => {
    text += `${columns.map((c) => csvCell(cellText(c, item, timeZone))).join(';')}\r\n`
    if (text.length < PIECE) return
    send()
    if (afloat >= MAX_AFLOAT) {
      stream.pause()
      onTaken = () => {
        if (afloat < MAX_AFLOAT / 2) stream.resume()
      }
    }
  })
  send()
}

async function makeSpreadsheet({ columns, timeZone, about, ...job }: ExportJob, from: pg.Client): Promise<void> {
  const bold = (value: string) => ({ value, type: String, fontWeight: 'bold' })
  const plain = (value: string) => ({ value, type: String })
  const head: object[][] = about
    ? [[bold(about.title)], ...about.facts.map(([label, value]) => [bold(label), plain(value)]), []]
    : []
  const rows: object[][] = [...head, columns.map((c) => bold(c.label))]
  const before = rows.length
  let bytes = 0
  await eachRow(from, job, (item) => {
    const cells = columns.map((column) => sheetCell(column, item, timeZone))
    for (const { value } of cells) bytes += typeof value === 'string' ? value.length : 8
    rows.push(cells)
    if (rows.length > MAX_XLSX_ROWS + before)
      throw new Refusal(`В таблице больше ${MAX_XLSX_ROWS} строк: выберите CSV или сузьте отбор`)
    if (bytes > MAX_XLSX_BYTES) throw new Refusal('Таблица слишком велика: выберите CSV или сузьте отбор')
  })
  const table = {
    data: rows,
    columns: columns.map((c) => ({ width: Math.max(MIN_WIDTH, c.label.length + 2) })),
    stickyRowsCount: before,
  }
  const file = about
    ? await writeXlsxFile([
        { ...table, sheet: 'Отчёт' },
        {
          data: about.notes.map(([name, text]) => [bold(name), { ...plain(text), wrap: true }]),
          columns: [{ width: NOTE_NAME }, { width: NOTE_TEXT }],
          sheet: 'Как считается',
        },
      ] as never)
    : await writeXlsxFile(rows as never, { columns: table.columns, stickyRowsCount: before } as never)
  const packed = new Uint8Array(await file.toBuffer())
  for (let at = 0; at < packed.length; at += PIECE) {
    const piece = packed.slice(at, at + PIECE)
    afloat++
    say({ piece }, piece)
  }
}

type OnRow = (item: Item, stream: Inside['connection']['stream']) => void

/** Rows are not accumulated: backpressure pauses the socket, and PostgreSQL waits. */
async function eachRow(
  from: pg.Client,
  { text, values }: Pick<ExportJob, 'text' | 'values'>,
  onRow: OnRow,
): Promise<void> {
  const { stream } = (from as unknown as Inside).connection
  const rows = new pg.Query(text, [...values])
  let fault: unknown
  let lost: (error: Error) => void = () => {}
  const over = new Promise<void>((resolve, reject) => {
    lost = reject
    rows.on('row', (row) => {
      if (fault) return
      try {
        onRow((row as unknown as { item: Item }).item, stream)
      } catch (error) {
        fault = error
        reject(error)
      }
    })
    rows.on('end', () => resolve())
    rows.on('error', reject)
  })
  const asked = from.on('error', lost)
  asked.query(rows)
  await over.finally(() => asked.off('error', lost))
  onTaken = undefined
  // The socket may have been paused by the last rows: resume it for the next export.
  stream.resume()
}

async function connected(): Promise<pg.Client> {
  const made = await db.connect(true)
  const lost = () => {
    if (client === made) client = undefined
  }
  made.on('error', lost).on('end', lost)
  await bounded(made)
  return made
}

const connectedToReplica = async (ticket: Ticket): Promise<pg.Client | undefined> => {
  const made = await connectToReplica(db, ticket)
  if (made) await bounded(made)
  return made
}

async function bounded(made: pg.Client): Promise<void> {
  await made.query(`set statement_timeout = ${STATEMENT_MS}`)
  // Makes PostgreSQL cancel the statement when this client is gone.
  await made.query(`set client_connection_check_interval = '1s'`).catch(() => {})
}
