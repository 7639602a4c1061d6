/** Runs of a step of a file that made no progress: after several the file stops, and a person goes on with it. */
import type { MoveFileState } from '@ordinator/model/areas/moving/move'
import sql from 'sql-template-tag'
import type { Db } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { type FileRow, putFile } from './file.ts'

/** Runs of a step without a finished portion, after which it stops with a message. */
export const MAX_TRIES = 5

/** The server stops: the job is repeated by the next process, and the run is no try. */
export class Interrupted extends Error {}

export const countTry = async (db: Db, id: number, state: MoveFileState): Promise<number> =>
  (
    await db.one<{
      tries: number
    }>(sql`insert into moving_tries ("idFile", "state", "tries") values (${id}, ${state}, 1)
      on conflict ("idFile") do update set "state" = excluded."state",
        "tries" = case when moving_tries."state" = excluded."state" then moving_tries."tries" + 1 else 1 end
      returning "tries"`)
  )?.tries ?? 1

/** A portion is done: earlier failures count no more. */
export const noteProgress = (db: Pick<Db, 'query'>, id: number) =>
  db.query(sql`update moving_tries set "tries" = 0 where "idFile" = ${id} and "tries" <> 0`)

/** Stops a file of a step that failed repeatedly. */
export const stopFile = (app: AppContext, file: Pick<FileRow, 'id' | 'idUser'>) =>
  putFile(app, file, {
    state: 'stopped',
    message: `Работа прервалась ${MAX_TRIES} раз подряд. Сделанное сохранено: нажмите «Продолжить»; если повторится, покажите журнал сервера поддержке`,
  })
