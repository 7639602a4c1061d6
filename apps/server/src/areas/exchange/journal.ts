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
import { wakeWebhook } from './deliver.ts'

/** Reason of a message stopped by a person. */
export const CANCELLED = 'Отменено'
export const OFF = 'Вебхук выключен'
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
 * Restarts messages of the outbox from the first attempt, whatever their state; messages of adapters with their own
 * queue, and of disabled webhooks, are skipped.
 *
 * @throws HttpError 409 if none is left
 */
export async function requeue(app: AppContext, ids: readonly number[]): Promise<number> {
  return app.db.tx(async (tx) => {
    const changed = await tx.query<{ idWebhook: number }>(sql`
      update exchange_messages m set "status" = 'queued', "attempts" = 0, "dateNext" = now(), "errorText" = null,
        "errorCode" = null, "_version" = m."_version" + 1
      from webhooks w where w."id" = m."idWebhook" and w."active" and not w."deleted" and m."id" = any (${ids}::bigint[])
        and m."dateNext" is null and m."operation" <> 'Проверка' returning m."idWebhook"::int as "idWebhook"`)
    const isOff =
      changed.length === 0 &&
      (await tx.one(sql`select 1 from exchange_messages m join webhooks w on w."id" = m."idWebhook"
        where m."id" = any (${ids}::bigint[]) and not w."active" and not w."deleted" limit 1`))
    if (isOff) throw new HttpError(409, OFF)
    for (const idWebhook of new Set(changed.map((one) => one.idWebhook))) await wakeWebhook(app, idWebhook, tx)
    return changed.length
  })
}

const repeat = operation(exchangeCalls.repeat, async ({ app, body }) => {
  const ids = [...new Set(body.ids)]
  const changed = (await app.outbox.repeat(ids)) + (await requeue(app, ids))
  return { changed, left: ids.length - changed }
})

const settle = operation(exchangeCalls.settle, async ({ app, body }) => {
  const ids = [...new Set(body.ids)]
  const changed = await app.outbox.settleAsDone(ids)
  return { changed, left: ids.length - changed }
})

const cancel = operation(exchangeCalls.cancel, async ({ app, body }) => {
  const ids = [...new Set(body.ids)]
  const queued = await app.outbox.cancel(ids, CANCELLED)
  const told = await app.db.query(sql`
    update exchange_messages set "status" = 'dead', "dateNext" = null, "errorText" = ${CANCELLED}, "_version" = "_version" + 1
    where "id" = any (${ids}::bigint[]) and "dateNext" is not null and "idWebhook" is not null returning 1`)
  const changed = queued + told.length
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
  const said = await app.db.one<{ request: string | null; response: string | null }>(
    sql`select "request", "response" from exchange_bodies where "idMessage" = ${id}`,
  )
  if (said) return said
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
