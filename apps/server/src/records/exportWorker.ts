/** Packs an XLSX file beside the server's own thread: rows in, chunks of the file out, null at the end of either. */
import { parentPort, workerData } from 'node:worker_threads'
import writeXlsxFile from 'write-excel-file/node'
import { cellText, type ExportColumn } from './exportCells.ts'
import { sideOf } from './fields/registry.ts'

const { columns, timeZone } = workerData as { columns: ExportColumn[]; timeZone: string }
const MAX_CELL = 32_000
const rows: object[][] = [columns.map((c) => ({ value: c.label, fontWeight: 'bold' }))]

parentPort?.on('message', async (page: Record<string, unknown>[] | null) => {
  if (page) {
    for (const item of page) rows.push(columns.map((column) => cell(column, item)))
    return
  }
  const file = await writeXlsxFile(
    rows as never,
    { columns: columns.map((c) => ({ width: Math.max(12, c.label.length + 2) })), stickyRowsCount: 1 } as never,
  )
  parentPort?.postMessage(new Uint8Array(await file.toBuffer()))
  parentPort?.postMessage(null)
})

function cell(column: ExportColumn, item: Record<string, unknown>): object {
  const value = column.path ? undefined : item[column.field]
  if (sideOf(column).isNumber && typeof value === 'number') return { value, type: Number }
  return { value: cellText(column, item, timeZone).slice(0, MAX_CELL), type: String }
}
