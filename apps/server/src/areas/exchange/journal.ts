/** The journal of exchange: its lines, their bodies, the actions on them, and the retention. */
import { exchangeCalls } from '@ordinator/model/areas/exchange/calls'
import { ExchangeMessage } from '@ordinator/model/areas/exchange/exchangeMessage'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { OFF, queueLines } from './deliver.ts'

/** Reason of a message stopped by a person. */
export const CANCELLED = 'Отменено'
/** Rows deleted per statement. */
const AT_ONCE = 5_000

export const messages = records(ExchangeMessage, {
  scope: { unless: 'mainSettings', view: ({ row }) => sql`${row}."adapter" in ('egisz', 'nsi')` },
  computed: {
    queue: ({ row }) => sql`(select o."state" from outbox o where o."id" = ${row}."id")`,
    hasBody: ({ row }) => sql`(exists (select 1 from exchange_bodies b where b."idMessage" = ${row}."id")
      or exists (select 1 from exchange_contents c where c."idMessage" = ${row}."id"))`,
  },
})

/**
 * Sends messages of active webhooks again, delivered ones too.
 *
 * @throws HttpError 409 if there are only ones of disabled webhooks
 */
export async function requeue(app: AppContext, ids: readonly number[]): Promise<number> {
  return app.db.tx(async (tx) => {
    const over = await tx.query<{ id: number; isOff: boolean }>(sql`
      select m."id"::float8 as id, not w."active" as "isOff" from exchange_messages m join webhooks w on w."id" = m."idWebhook"
      where m."id" = any (${ids}::bigint[]) and not w."deleted" and m."dateNext" is null and m."operation" <> 'Проверка'`)
    const active = over.filter(({ isOff }) => !isOff)
    if (active.length < over.length && active.length === 0) throw new HttpError(409, OFF)
    return queueLines(
      app,
      tx,
      active.map(({ id }) => id),
    )
  })
}

const repeat = operation(exchangeCalls.repeat, async ({ app, body }) => {
  const ids = [...new Set(body.ids)]
  const others = await app.db.query<{ id: number }>(
    sql`select "id"::float8 as id from exchange_messages where "id" = any (${ids}::bigint[]) and "idWebhook" is null`,
  )
  const changed = (await requeue(app, ids)) + (await app.outbox.repeat(others.map(({ id }) => id)))
  return { changed, left: ids.length - changed }
})

const settle = operation(exchangeCalls.settle, async ({ app, body }) => {
  const ids = [...new Set(body.ids)]
  const changed = await app.outbox.settleAsDone(ids)
  return { changed, left: ids.length - changed }
})

const cancel = operation(exchangeCalls.cancel, async ({ app, body }) => {
  const ids = [...new Set(body.ids)]
  const changed = await app.outbox.cancel(ids, CANCELLED)
  return { changed, left: ids.length - changed }
})

const open = operation(exchangeCalls.open, async ({ app, actor, records: engine, params, body }) => {
  const { id } = await engine.row(ExchangeMessage, params.id)
  await app.journal({
    ...journalActor(actor),
    action: 'view',
    entityType: ExchangeMessage.path,
    idEntity: id,
    fields: ['request', 'response'],
    basis: body.reason,
  })
  const bodies = await app.db.one<{ request: string | null; response: string | null }>(
    sql`select "request", "response" from exchange_bodies where "idMessage" = ${id}`,
  )
  if (bodies) return bodies
  const last = (
    part: string,
  ) => sql`(select c."body" from exchange_contents c where c."idMessage" = ${id} and c."part" = ${part}
    order by c."at" desc limit 1)`
  return (await app.db.one<{ request: string | null; response: string | null }>(
    sql`select ${last('request')} as request, ${last('response')} as response`,
  )) as { request: string | null; response: string | null }
})

export const messageCalls = [repeat, cancel, settle, open]

/**
 * Deletes lines older than the clinic's retention period, except pending ones; bodies go with their lines, or by month.
 */
export async function forget(app: AppContext, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const { exchangeDays } = await readCommonSettings(app.db)
  while (!signal.aborted) {
    const gone = await app.db.query(sql`
      delete from exchange_messages where "id" in (
        select "id" from exchange_messages where "dateCreate" < now() - make_interval(days => ${exchangeDays})
          and "dateNext" is null and not exists (select from outbox o where o."id" = exchange_messages."id"
            and o."state" <> 'dead') order by "dateCreate" limit ${AT_ONCE}) returning 1`)
    if (gone.length < AT_ONCE) break
  }
  await app.db.query(
    sql`select exchange_contents_months(), exchange_contents_forget((now() - make_interval(days => ${exchangeDays}))::date)`,
  )
}
