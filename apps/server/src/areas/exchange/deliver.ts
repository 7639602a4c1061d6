/**
 * Delivery of webhook messages: in order per record, at least once, retried after 1, 5, 15, 60 and 360 minutes, then
 * stopped for a person. A sender claims a message for a limited time: of two servers one sends it, and a killed
 * server's claim expires.
 */

import { MAX_RESPONSE, RETRY_MINUTES } from '@ordinator/model/areas/exchange/exchangeMessage'
import { FAILING_DAYS, Webhook } from '@ordinator/model/areas/exchange/webhook'
import sql, { raw, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { clean } from '#platform/exchange.ts'
import type { Posted } from '#platform/outbound.ts'
import { openSecret, signedHeaders } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'

const JOB = 'webhooks.deliver'
/** Concurrent messages to one webhook: increased after a fully successful round. */
const AT_ONCE = 4
const MOST_AT_ONCE = 16
/** Rounds per run; the next run continues. */
const MOST_ROUNDS = 50
/** Seconds of a claim: longer than a receiver's timeout. */
const HELD_S = 60
/** Seconds of the pause for a failing receiver: doubled by each failure, up to the maximum. */
const PAUSE_S = [5, 300] as const
/** Maximum number of pending messages of a webhook: above it is switched off. */
const MOST_WAITING = 50_000
const SWEPT = 500

/** Triggers the delivery of a webhook after the transaction commits. */
export const wakeWebhook = (app: AppContext, idWebhook: number, tx?: Queryable, startAfter = 0) =>
  app.jobs.send(
    JOB,
    { idWebhook },
    { key: `webhook${idWebhook}:${startAfter > 0}`, ...(startAfter > 0 && { startAfter }), ...(tx && { tx }) },
  )

export function startDelivering(app: AppContext): void {
  app.jobs.register<{ idWebhook: number }>(JOB, { concurrency: 4, handler: ({ idWebhook }) => deliver(app, idWebhook) })
  app.jobs.register('webhooks.due', {
    cron: '* * * * *',
    handler: async () => {
      const due = await app.db.query<{ idWebhook: number }>(sql`
        select w."id"::int as "idWebhook" from webhooks w where w."active" and not w."deleted" and exists (
          select from exchange_messages m where m."idWebhook" = w."id" and m."dateNext" <= now())`)
      for (const { idWebhook } of due) await wakeWebhook(app, idWebhook)
    },
  })
  app.jobs.register('webhooks.watch', { cron: '*/10 * * * *', handler: () => switchOffFailing(app) })
}

/** SQL condition: message `m` is still to be delivered. */
export const isWaiting = (m: Sql): Sql => sql`${m}."dateNext" is not null`

interface Claimed {
  id: number
  url: string
  retries: number
  secret: string
  attempts: number
  request: string
}

async function deliver(app: AppContext, idWebhook: number): Promise<void> {
  let atOnce = AT_ONCE
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const pause = await app.db.one<{ seconds: number }>(sql`
      select ceil(extract(epoch from "datePaused" - now()))::int as seconds from webhook_states
      where "idWebhook" = ${idWebhook} and "datePaused" > now()`)
    if (pause) return void (await wakeWebhook(app, idWebhook, undefined, Math.max(1, pause.seconds)))
    const claimed = await claim(app.db, idWebhook, atOnce)
    if (claimed.length === 0) return
    const tried = await Promise.all(claimed.map((one) => post(app, one)))
    await settle(app, idWebhook, claimed, tried)
    atOnce = tried.every(({ isTaken }) => isTaken) ? MOST_AT_ONCE : AT_ONCE
  }
  await wakeWebhook(app, idWebhook)
}

/** Claims the first pending message of each record. */
async function claim(db: Queryable, idWebhook: number, atOnce: number): Promise<Claimed[]> {
  const claimed = await db.query<Claimed>(sql`
    with mine as (
      update exchange_messages set "status" = 'sent', "attempts" = "attempts" + 1, "dateLast" = now(),
        "dateNext" = now() + make_interval(secs => ${HELD_S}), "_version" = "_version" + 1
      where "id" in (
        select m."id" from exchange_messages m join webhooks w on w."id" = m."idWebhook"
        where m."idWebhook" = ${idWebhook} and w."active" and not w."deleted" and m."dateNext" <= now()
          and not exists (select from exchange_messages b where b."idWebhook" = m."idWebhook"
            and b."entityType" = m."entityType" and b."idEntity" = m."idEntity" and b."id" < m."id" and ${isWaiting(raw('b'))})
        order by m."id" limit ${atOnce} for update of m skip locked)
      returning "id", "idWebhook", "attempts"
    )
    select mine."id"::int as id, mine."attempts", w."url", w."retries", s."secret", b."request"
    from mine join webhooks w on w."id" = mine."idWebhook"
    join webhook_secrets s on s."idWebhook" = w."id" join exchange_bodies b on b."idMessage" = mine."id"
    order by mine."id"`)
  return claimed.map((one) => ({
    ...one,
    secret: openSecret(db, 'webhook_secrets', idWebhook, one.secret) as string,
  }))
}

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
export async function post(app: AppContext, to: Pick<Claimed, 'url' | 'secret' | 'request'>): Promise<Tried> {
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

/** Stores the results of a round in one statement: with many webhooks these writes are the bottleneck. */
async function settle(
  app: AppContext,
  idWebhook: number,
  claimed: readonly Claimed[],
  tried: readonly Tried[],
): Promise<void> {
  const fates = claimed.map((one, at) => fateOf(one, tried[at] as Tried))
  await app.db.tx(async (tx) => {
    // Messages claimed by another process meanwhile are skipped.
    await tx.query(sql`
      with fates as (select * from jsonb_to_recordset(${JSON.stringify(fates)}::jsonb) as f(id bigint, attempts int,
          status text, code text, error text, answer text, "durationMs" int, wait int)),
        kept as (
          update exchange_messages m set "status" = f.status, "errorCode" = f.code, "errorText" = f.error,
            "durationMs" = f."durationMs", "_version" = m."_version" + 1,
            "dateNext" = now() + make_interval(mins => f.wait)
          from fates f where m."id" = f.id and m."attempts" = f.attempts and m."status" = 'sent' returning m."id")
      update exchange_bodies b set "response" = f.answer from fates f join kept on kept."id" = f.id
      where b."idMessage" = f.id`)
    for (const one of tried) if (!one.isTaken) await keepState(tx, idWebhook, one)
    const taken = tried.find(({ isTaken }) => isTaken)
    if (taken) await keepState(tx, idWebhook, taken)
  })
}

/** Next state of a message after an attempt: delivered, retried after some minutes, or stopped. */
function fateOf({ id, attempts, retries }: Claimed, { isTaken, code, error, answer, durationMs }: Tried) {
  const next = RETRY_MINUTES[attempts - 1]
  const isOver = isTaken || attempts > retries || next === undefined
  const status = isTaken ? 'done' : isOver ? 'dead' : code === null ? 'network_error' : 'rejected'
  return { id, attempts, status, code, error: clean(error, 500), answer, durationMs, wait: isOver ? null : next }
}

/** Hours without a failed attempt that restart the failure period: longer than between two attempts of a message. */
const QUIET_HOURS = 12
/** SQL condition on the state `s`. */
const failedLately = sql`coalesce(s."dateFailed" > now() - make_interval(hours => ${QUIET_HOURS}), false)`

/** Updates the webhook's state by the replies. */
export async function keepState(db: Queryable, idWebhook: number, { isTaken, isDown }: Tried): Promise<void> {
  if (isTaken)
    await db.query(sql`insert into webhook_states ("idWebhook", "dateSuccess") values (${idWebhook}, now())
      on conflict ("idWebhook") do update set "dateSuccess" = now(), "dateFailing" = null, "datePaused" = null, "failures" = 0`)
  // A failure after a long quiet time begins a new failure period.
  else
    await db.query(sql`insert into webhook_states as s ("idWebhook", "dateFailing", "dateFailed", "failures", "datePaused")
      values (${idWebhook}, now(), now(), 1, case when ${isDown} then now() + make_interval(secs => ${PAUSE_S[0]}) end)
      on conflict ("idWebhook") do update set "dateFailed" = now(),
        "dateFailing" = case when ${failedLately} then coalesce(s."dateFailing", now()) else now() end,
        "failures" = least(s."failures" + 1, 30),
        "datePaused" = case when ${isDown} then now() + make_interval(secs => least(${PAUSE_S[1]}, ${PAUSE_S[0]} * 2 ^ least(s."failures", 10))) end`)
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
        on conflict ("idWebhook") do update set "offReason" = ${reason}, "dateFailing" = null, "datePaused" = null, "failures" = 0`)
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

/** Stops all pending messages of the webhook. */
export const stopWaiting = (db: Queryable, idWebhook: number, reason: string) =>
  db.query(sql`update exchange_messages m set "status" = 'dead', "dateNext" = null, "errorText" = ${reason}, "_version" = "_version" + 1
    where m."idWebhook" = ${idWebhook} and ${isWaiting(raw('m'))}`)

const MOST_TOLD = 50
/** Recipients of connection problems. */
export const administrators = async (db: Queryable): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`select u."id"::int as id from users u where not u."deleted" and not u."isBlocked"
      and ${holdsSql(raw('u."id"'), 'mainSettings')} order by u."id" limit ${MOST_TOLD}`)
  ).map(({ id }) => id)
