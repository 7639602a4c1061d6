import { formatFileSize } from '@ordinator/model/format'
import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { HttpError } from '../../platform/errors.ts'
import type { ServerActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { clinicZone } from '../settings/index.ts'

const MB = 1024 * 1024
/** What stands for those of older days. */
const KEPT_DAYS = 7

/**
 * Carries out an upload within what its sender may send in a day of the clinic: counted by what the request says of
 * itself before any of it is read, and taken back when nothing comes of it.
 * @param maxSize bytes of the largest file that is taken here
 * @throws HttpError 429
 */
export async function withinQuota<T>(
  { app: { config, db }, actor, request }: { app: AppContext; actor: ServerActor; request: FastifyRequest },
  maxSize: number,
  run: () => Promise<T>,
): Promise<T> {
  const bytes = Math.min(Number(request.headers['content-length'] ?? maxSize), maxSize)
  const most = config.uploadMbPerDay * MB
  const today = sql`(now() at time zone ${clinicZone})::date`
  const taken = await db.one<{ day: string }>(sql`insert into upload_bytes as u ("idUser", day, bytes)
    select ${actor.id}, ${today}, ${bytes} where ${bytes}::bigint <= ${most}
    on conflict ("idUser", day) do update set bytes = u.bytes + excluded.bytes where u.bytes + excluded.bytes <= ${most}
    returning day`)
  if (!taken) throw await used(db, most)
  try {
    return await run()
  } catch (error) {
    await db.query(sql`update upload_bytes set bytes = bytes - ${bytes}
      where "idUser" = ${actor.id} and day = ${taken.day}::date`)
    throw error
  }
}

async function used(db: AppContext['db'], most: number): Promise<HttpError> {
  const left = await db.one<{ seconds: number }>(sql`select ceil(extract(epoch from
    date_trunc('day', z.now) + interval '1 day' - z.now))::int as seconds
    from (select now() at time zone ${clinicZone} as now) z`)
  return new HttpError(
    429,
    `За день можно отправить ${formatFileSize(most)} файлов, сегодня этот файл в них уже не входит. ` +
      'Отправьте его завтра или попросите администратора увеличить предел',
    { code: 'uploadQuota', headers: { 'retry-after': String(left?.seconds ?? 3_600) } },
  )
}

/** Forgets the days that have passed. */
export const sweepQuota = ({ db }: Pick<AppContext, 'db'>): Promise<unknown> =>
  db.query(sql`delete from upload_bytes where day < current_date - ${KEPT_DAYS}::int`)
