/**
 * Delivery of webhook messages over the outbox: in order per record, at least once, retried after 1, 5, 15, 60 and 360
 * minutes, then stopped for a person. Each webhook is a lane; the body of a message is stored beside its journal line.
 */
import { MAX_RESPONSE } from '@ordinator/model/areas/exchange/exchangeMessage'
import { FAILING_DAYS, Webhook } from '@ordinator/model/areas/exchange/webhook'
import sql, { raw, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { clean } from '#platform/exchange.ts'
import type { Posted } from '#platform/outbound.ts'
import type { OutboxAdapter } from '#platform/outbox.ts'
import { stopLane } from '#platform/outboxSql.ts'
import { openSecret, signedHeaders } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext, Work } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'

/** Concurrent messages to one webhook, after a fully successful pass. */
const MOST_AT_ONCE = 16
/** Maximum number of pending messages of a webhook: above it is switched off. */
const MOST_WAITING = 50_000
const SWEPT = 500

export const laneOf = (idWebhook: number): string => `webhooks:${idWebhook}`

export function startDelivering(app: AppContext): void {
  app.outbox.register(webhookQueue(app))
  app.jobs.register('webhooks.watch', { cron: '*/10 * * * *', handler: () => switchOffFailing(app) })
}

/** Queues messages of webhooks by their journal lines. @returns how many */
export const queueLines = (app: AppContext, tx: Tx, ids: readonly number[]): Promise<number> =>
  app.outbox.addLines(tx, ids, {
    lane: sql`'webhooks:' || m."idWebhook"`,
    subject: sql`m."idWebhook" || ':' || m."entityType" || ':' || m."idEntity"`,
    payload: sql`jsonb_build_object('idWebhook', m."idWebhook")`,
  })

/** SQL condition: message `m` is still to be delivered. */
export const isWaiting = (m: Sql): Sql => sql`${m}."dateNext" is not null`

const webhookQueue = (app: AppContext): OutboxAdapter<Work, { idWebhook: number }> => ({
  code: 'webhooks',
  mostAtOnce: MOST_AT_ONCE,
  isRepeatable: () => true,
  async send({ id, payload: { idWebhook }, attempts }) {
    const to = await app.db.one<{ url: string; retries: number; secret: string; request: string }>(sql`
      select w."url", w."retries", s."secret", b."request" from webhooks w
      join webhook_secrets s on s."idWebhook" = w."id" join exchange_bodies b on b."idMessage" = ${id}
      where w."id" = ${idWebhook} and w."active" and not w."deleted"`)
    if (!to) return { kind: 'refused', reasons: [{ message: OFF }] }
    const secret = openSecret(app.db, 'webhook_secrets', idWebhook, to.secret) as string
    const result = await post(app, { ...to, secret })
    const { isTaken, isDown, code, error } = result
    const reply = { code: code ?? undefined, result }
    if (isTaken) return { kind: 'done', ...reply }
    const failure = { isAnswered: code !== null, isAlone: !isDown, isLast: attempts >= to.retries }
    return { kind: 'failed', error: error ?? '', ...failure, ...reply }
  },
  async settledMany({ tx }, ended) {
    const tried = ended.flatMap(({ message: { id, payload }, fate: { result } }) =>
      result ? [{ id, idWebhook: payload.idWebhook, ...(result as Tried) }] : [],
    )
    await tx.query(sql`update exchange_bodies b set "response" = f.answer
      from jsonb_to_recordset(${JSON.stringify(tried)}::jsonb) as f(id bigint, answer text) where b."idMessage" = f.id`)
    // Of one webhook, as is its lane.
    for (const one of tried) if (!one.isTaken) await keepState(tx, one.idWebhook, one)
    const taken = tried.find(({ isTaken }) => isTaken)
    if (taken) await keepState(tx, taken.idWebhook, taken)
  },
})

/** Result of one attempt. */
export interface Tried {
  isTaken: boolean
  /** The receiver as a whole fails, not only this message. */
  isDown: boolean
  code: string | null
  error: string | null
  answer: string | null
  durationMs: number
}

/** @returns the result; never fails */
export async function post(app: AppContext, to: { url: string; secret: string; request: string }): Promise<Tried> {
  const start = performance.now()
  const posted = await app.outbound
    .post(to.url, to.request, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...signedHeaders(to.secret, to.request),
      },
      maxAnswer: MAX_RESPONSE,
    })
    .catch((error: unknown) => error as Error)
  const durationMs = Math.round(performance.now() - start)
  if (posted instanceof Error) {
    const error = posted instanceof ValidationError ? posted.message : 'Не удалось соединиться'
    if (!(posted instanceof ValidationError)) app.log.warn({ err: posted }, 'webhooks: a message was not sent')
    return { isTaken: false, isDown: true, code: null, error, answer: null, durationMs }
  }
  return { ...judge(posted), durationMs }
}

function judge({ status, answer }: Posted): Omit<Tried, 'durationMs'> {
  const isTaken = status >= 200 && status < 300
  const isMoved = status >= 300 && status < 400
  return {
    isTaken,
    isDown: status >= 500 || status === 429,
    code: String(status),
    error: isTaken ? null : isMoved ? `Ответ ${status}: переадресации не выполняются` : `Ответ ${status}`,
    answer: clean(answer, MAX_RESPONSE),
  }
}

/** Hours without a failed attempt that restart the failure period: longer than between two attempts of a message. */
const QUIET_HOURS = 12
/** SQL condition on the state `s`. */
const failedLately = sql`coalesce(s."dateFailed" > now() - make_interval(hours => ${QUIET_HOURS}), false)`

/** Updates the webhook's state by a reply. */
export async function keepState(db: Queryable, idWebhook: number, { isTaken }: Tried): Promise<void> {
  if (isTaken)
    await db.query(sql`insert into webhook_states ("idWebhook", "dateSuccess") values (${idWebhook}, now())
      on conflict ("idWebhook") do update set "dateSuccess" = now(), "dateFailing" = null`)
  // A failure after a long quiet time begins a new failure period.
  else
    await db.query(sql`insert into webhook_states as s ("idWebhook", "dateFailing", "dateFailed") values (${idWebhook}, now(), now())
      on conflict ("idWebhook") do update set "dateFailed" = now(),
        "dateFailing" = case when ${failedLately} then coalesce(s."dateFailing", now()) else now() end`)
}

/** Switches off webhooks that failed for days or have too many pending messages, and notifies administrators. */
export async function switchOffFailing(app: AppContext): Promise<void> {
  const failsLong = sql`(s."dateFailing" < now() - make_interval(days => ${FAILING_DAYS}) and ${failedLately})`
  const failing = await app.db.query<{ id: number; name: string; isLong: boolean }>(sql`
    select w."id"::int as id, w."name", coalesce(${failsLong}, false) as "isLong"
    from webhooks w left join webhook_states s on s."idWebhook" = w."id"
    where w."active" and not w."deleted" and (${failsLong}
      or (select count(*) from (select from exchange_messages m where m."idWebhook" = w."id" and ${isWaiting(raw('m'))}
        limit ${MOST_WAITING + 1}) q) > ${MOST_WAITING})
    limit ${SWEPT}`)
  await oneByOne(app, 'webhooks.watch', failing, ({ id, name, isLong }) =>
    app.engine.for(systemActor).tx(async (own, tx) => {
      const still = await tx.one(sql`select 1 from webhooks where "id" = ${id} and "active" for update skip locked`)
      if (!still) return
      const reason = isLong ? `Не принимал события дольше ${FAILING_DAYS} дней` : 'Накопилось слишком много событий'
      await own.asSystem.update(Webhook, id, { active: false })
      await tx.query(sql`insert into webhook_states ("idWebhook", "offReason") values (${id}, ${reason})
        on conflict ("idWebhook") do update set "offReason" = ${reason}, "dateFailing" = null`)
      await notify({ actor: systemActor, tx, records: own }, await administrators(tx), {
        kind: 'integrations.off',
        title: `Вебхук «${name}» выключен`,
        text: reason,
        path: Webhook.path,
        idEntity: id,
        link: `/settings/webhooks?open=${id}`,
      })
    }),
  )
}

/** Reason of messages of a disabled webhook. */
export const OFF = 'Вебхук выключен'

/** Stops all pending messages of the webhook. */
export const stopWaiting = (db: Queryable, idWebhook: number, reason: string) => stopLane(db, laneOf(idWebhook), reason)

const MAX_RECIPIENTS = 50
/** Recipients of connection problems. */
export const administrators = async (db: Queryable): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`select u."id"::int as id from users u where not u."deleted" and not u."isBlocked"
      and ${holdsSql(raw('u."id"'), 'mainSettings')} order by u."id" limit ${MAX_RECIPIENTS}`)
  ).map(({ id }) => id)
