/** Files of a move, as every step reads them. */
import {
  type MoveClashes,
  MoveFile,
  type MoveFileState,
  type MoveStrangers,
  type MoveTwins,
} from '@ordinator/model/areas/moving/move'
import { type MoveTableKey, moveTables } from '@ordinator/model/areas/moving/tables'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { removeFiles } from '#records/trash.ts'
import type { HeadColumn } from './matching.ts'

export interface FileRow {
  id: number
  idMove: number
  table: MoveTableKey
  fileName: string
  state: MoveFileState
  key: string | null
  head: HeadColumn[] | null
  mapping: Record<string, number> | null
  /** How the table was read; before it is read, the sheet to read. */
  reading: { sheet?: string } | null
  twins: MoveTwins
  strangers: MoveStrangers
  clashes: MoveClashes
  total: number
  done: number
  idUser: number
}

/** SQL of files `f` with their stored data. */
export const filesSql = sql`select f.*, s."key" from moving_files f left join moving_stored s on s."idFile" = f."id"`

export const fileOf = (db: Queryable, id: number): Promise<FileRow | undefined> =>
  db.one<FileRow>(sql`${filesSql} where f."id" = ${id} and not f."deleted"`)

/** Ids of programs that clinics name are common to all moves; of an unnamed one they are the move's own. */
export const sourceOf = ({ id, program }: { id: number; program: string }): string =>
  program === 'other' ? `other:${id}` : program

export const putFile = (app: AppContext, { id, idUser }: { id: number; idUser: number }, values: object) =>
  app.engine.for({ ...systemActor, id: idUser }).asSystem.update(MoveFile, id, values)

export const titleOf = (key: MoveTableKey): string => moveTables.find((one) => one.key === key)?.title ?? key

/** Forgets the stored content of a file; the content follows the commit. */
export const forgetStored = (app: AppContext, idFile: number, key: string): Promise<void> =>
  app.db.tx(async (tx) => {
    await tx.query(sql`delete from moving_stored where "idFile" = ${idFile}`)
    await removeFiles(app, tx, [key])
  })
