/** Reads the table of a file into rows of the base. */
import { Readable } from 'node:stream'
import { Move } from '@ordinator/model/areas/moving/move'
import { MAX_MOVE_ROWS } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { guessMapping, readTable, rememberedMapping } from '#areas/imports/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { tableOfArchive } from './archive.ts'
import { type FileRow, forgetStored, putFile } from './file.ts'
import { type HeadColumn, knownProfiles, matchColumns } from './matching.ts'
import { movingTable } from './tables/index.ts'

/** Rows written in one statement while a file is read. */
const STAGED = 5_000

const SAMPLES = 3
const SAMPLE_LENGTH = 80
const MAX_CELL = 4_000

/** Reads the table and keeps its rows, so that no later step reads the file again. */
export async function readFile(app: AppContext, file: FileRow): Promise<void> {
  const table = movingTable(app, file.table)
  const key = file.key as string
  const isArchive = file.table === 'files'
  let name = file.fileName
  let bytes: Buffer | undefined
  if (isArchive) {
    const found = await tableOfArchive(app.files, key)
    name = found.name
    bytes = found.bytes
  }
  const content = await readTable(
    async () => (bytes ? Readable.from([bytes], { objectMode: false }) : app.files.get(key)),
    file.idUser,
    {
      maxRows: MAX_MOVE_ROWS,
      knownHeads: (line) => Object.keys(guessMapping(table.columns, line)).length,
      fileName: name,
      columns: table.columns,
      ...(file.reading?.sheet && { reading: { sheet: file.reading.sheet } }),
    },
  )
  const head = content.head.map(
    (title, at): HeadColumn => ({
      name: title,
      samples: content.table
        .slice(0, 200)
        .map(({ cells }) => (cells[at] ?? '').trim().slice(0, SAMPLE_LENGTH))
        .filter(Boolean)
        .slice(0, SAMPLES),
    }),
  )
  await app.db.query(sql`delete from moving_rows where "idFile" = ${file.id}`)
  for (let at = 0; at < content.table.length; at += STAGED) {
    const part = content.table.slice(at, at + STAGED)
    const rows = part.map(({ row, cells }, i) => ({
      row,
      place: at + i + 1,
      cells: cells.map((cell) => cell.trim().slice(0, MAX_CELL)),
    }))
    await app.db.query(sql`insert into moving_rows ("idFile", "row", "place", "cells")
      select ${file.id}, r."row", r.place, r.cells
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("row" integer, place integer, cells jsonb)`)
  }
  // The steps that follow come before autovacuum: without statistics their joins would go row by row.
  await app.db.query(sql`analyze moving_rows`)
  const move = await moveOf(app, file.idMove)
  const profiles = await knownProfiles(app)
  const profile = profiles.find(
    ({ program, columns }) => program === move.program && program !== 'other' && columns[file.table],
  )
  await putFile(app, file, {
    state: 'ready',
    total: content.table.length,
    done: 0,
    head,
    reading: { ...content.reading, ...(content.sheets && { sheets: content.sheets }) },
    mapping:
      (await rememberedMapping(app.db, `moving:${file.table}`, table.columns, content.head)) ??
      matchColumns(file.table, table.columns, head, profile?.columns),
    message: null,
  })
  // Another sheet of a workbook may be chosen instead: the file stays until it is loaded.
  if (!isArchive && (content.sheets?.length ?? 0) < 2) {
    await forgetStored(app, file.id, key)
  }
}

const moveOf = async (app: AppContext, id: number): Promise<Row<typeof Move>> =>
  app.engine.for(systemActor).asSystem.row(Move, id)
