/** Tables of a handover as CSV that the moving-in reads: the heads are the columns of its own tables. */
import {
  MAX_MOVE_ROWS,
  MAX_MOVE_TABLE,
  type MoveTableKey,
  moveTableKeys,
  moveTables,
} from '@ordinator/model/areas/moving/tables'
import type { Cells } from '#areas/imports/index.ts'
import { movingTable } from '#areas/moving/index.ts'
import type { StreamedFile } from '#platform/zipStream.ts'
import type { AppContext } from '#records/context.ts'
import { csvCell } from '#records/exportCells.ts'

const BOM = '\uFEFF'
/** Below MAX_MOVE_TABLE by one group of rows. */
const MAX_BYTES = MAX_MOVE_TABLE * 0.9

/** Rows of one record, which stay in one file. */
export type Group = readonly Cells[]

export interface Written {
  rows: number
  files: number
}

/** Lines of a table. @throws Error for a cell of no column, so that writer and reader cannot drift apart */
export function linesOf(app: AppContext, key: MoveTableKey): { head: string; line(cells: Cells): string } {
  const columns = movingTable(app, key).columns.map(({ name }) => name)
  const known = new Set(columns)
  return {
    head: `${columns.map(csvCell).join(';')}\r\n`,
    line(cells) {
      const alien = Object.keys(cells).find((name) => !known.has(name))
      if (alien) throw new Error(`${key} has no column ${alien}`)
      return `${columns.map((name) => csvCell(cells[name] ?? '')).join(';')}\r\n`
    },
  }
}

/** «04 Пациенты»: the order of the moving-in. */
export const titleOf = (key: MoveTableKey): string => {
  const at = moveTableKeys.indexOf(key)
  return `${String(at + 1).padStart(2, '0')} ${moveTables[at]?.title}`
}

/** The files of a table: none where it has no rows, several where it is longer than the moving-in takes. */
export async function* tableFiles(
  app: AppContext,
  key: MoveTableKey,
  groups: AsyncGenerator<Group>,
  written: Written,
): AsyncGenerator<StreamedFile> {
  const { head, line } = linesOf(app, key)
  let next = await groups.next()
  while (!next.done) {
    written.files++
    const name = `переезд/${titleOf(key)}${written.files > 1 ? ` ${written.files}` : ''}.csv`
    yield { name, content: part() }
  }
  /** As many groups as one file takes, at least one. */
  async function* part(): AsyncGenerator<string> {
    yield BOM + head
    for (let rows = 0, bytes = 0; !next.done; next = await groups.next()) {
      const group = next.value
      if (rows > 0 && (rows + group.length > MAX_MOVE_ROWS || bytes > MAX_BYTES)) return
      const text = group.map(line).join('')
      rows += group.length
      bytes += Buffer.byteLength(text)
      written.rows += group.length
      yield text
    }
  }
}
