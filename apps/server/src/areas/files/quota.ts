import { formatFileSize } from '@ordinator/model/format'
import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'

const MB = 1024 * 1024
/** Days for which counters are kept. */
const KEPT_DAYS = 7

/** A sender of files, and its limit in bytes per day of the clinic. */
export interface Sender {
  /** 'user:7', 'visitor:9', 'channel:2'. */
  who: string
  most: number
  /** Advice in the error when the limit is reached. */
  instead: string
}

export const asPerson = ({ config }: Pick<AppContext, 'config'>, { id }: Pick<ServerActor, 'id'>): Sender => ({
  who: `user:${id}`,
  most: config.uploadMbPerDay * MB,
  instead: 'Отправьте его завтра или попросите администратора увеличить предел',
})

/** Size of the request by its header, before it is read. @param maxSize of the largest accepted file */
export const declaredBytes = ({ headers }: FastifyRequest, maxSize: number): number =>
  Math.min(Number(headers['content-length'] ?? maxSize), maxSize)

/**
 * Runs an upload within the daily limits of its senders, by the clinic's day; the count is reverted on failure.
 * @throws HttpError 429 `uploadQuota`
 */
export async function withinQuota<T>(
  app: Pick<AppContext, 'db'>,
  [sender, ...others]: readonly [Sender, ...Sender[]],
  bytes: number,
  run: () => Promise<T>,
): Promise<T> {
  const { who, most } = sender
  const taken = await app.db.one<{ day: string }>(sql`insert into sent_bytes as u (who, day, bytes)
    select ${who}, ${clinicToday}, ${bytes} where ${bytes}::bigint <= ${most}
    on conflict (who, day) do update set bytes = u.bytes + excluded.bytes where u.bytes + excluded.bytes <= ${most}
    returning day`)
  if (!taken) throw await used(app.db, sender)
  const [next, ...rest] = others
  try {
    return await (next ? withinQuota(app, [next, ...rest], bytes, run) : run())
  } catch (error) {
    await app.db.query(
      sql`update sent_bytes set bytes = bytes - ${bytes} where who = ${who} and day = ${taken.day}::date`,
    )
    throw error
  }
}

export const QUOTA_USED = 'uploadQuota'

async function used(db: AppContext['db'], { most, instead }: Sender): Promise<HttpError> {
  const left = await db.one<{ seconds: number }>(sql`select ceil(extract(epoch from
    date_trunc('day', z.now) + interval '1 day' - z.now))::int as seconds
    from (select now() at time zone ${clinicZone} as now) z`)
  return new HttpError(
    429,
    `За день можно отправить ${formatFileSize(most)} файлов, сегодня этот файл в них уже не входит. ${instead}`,
    { code: QUOTA_USED, headers: { 'retry-after': String(left?.seconds ?? 3_600) } },
  )
}

/** Deletes counters of past days. */
export const sweepQuota = ({ db }: Pick<AppContext, 'db'>): Promise<unknown> =>
  db.query(sql`delete from sent_bytes where day < ${clinicToday} - ${KEPT_DAYS}::int`)
