/** Rows of files that are handed back, with the reasons: as sheets of a workbook, portion by portion. */
import sql, { type Sql } from 'sql-template-tag'
import type { StreamedSheet } from '#platform/xlsxStream.ts'
import type { AppContext } from '#records/context.ts'
import { type FileRow, titleOf } from './file.ts'

/** Rows of a file read and written at once. */
const LEFT_PORTION = 1_000

/**
 * A sheet of each file with such rows; a file has fewer rows than a sheet holds (`MAX_MOVE_ROWS`).
 * @param which condition of rows `r`
 */
export async function* leftSheets(
  app: AppContext,
  files: readonly FileRow[],
  which: Sql,
): AsyncGenerator<StreamedSheet, void> {
  let count = 0
  for (const file of files) {
    const parts = leftRows(app, file, which)
    const { value: first, done } = await parts.next()
    if (done) continue
    const head = file.head ?? []
    yield {
      name: `${++count} ${titleOf(file.table)}`,
      widths: [8, 50, ...head.map(() => 20)],
      head: ['Строка', 'Почему', ...head.map(({ name }) => name)],
      rows: (async function* () {
        yield first
        yield* parts
      })(),
    }
  }
  if (count === 0) yield { name: 'Пусто', widths: [40], head: ['Таких строк нет'], rows: none() }
}

async function* none(): AsyncGenerator<never, void> {}

async function* leftRows(app: AppContext, { id, head }: FileRow, which: Sql): AsyncGenerator<string[][], void> {
  for (let after = -1; ; ) {
    const rows = await app.db.reads.query<{
      row: number
      cells: string[]
      notes: { field: string; message: string }[] | null
    }>(sql`select "row", "cells", "notes" from moving_rows r
      where r."idFile" = ${id} and r."row" > ${after} and ${which} order by r."row" limit ${LEFT_PORTION}`)
    if (rows.length === 0) return
    yield rows.map(({ row, cells, notes }) => [
      String(row),
      (notes ?? []).map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '),
      ...(head ?? []).map((_, at) => cells[at] ?? ''),
    ])
    if (rows.length < LEFT_PORTION) return
    after = rows.at(-1)?.row ?? after
  }
}
