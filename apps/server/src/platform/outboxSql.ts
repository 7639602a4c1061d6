/** SQL of the outbox: its table, the journal line of each message, and the texts of the exchange. */
import type { AdapterCode, ExchangeStatus } from '@ordinator/model/areas/exchange/exchangeMessage'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from './db.ts'
import { clean } from './exchange.ts'
import type { Answer, Fate, Lines, Message, Outgoing } from './outboxMessage.ts'
import { currentRequestId } from './requestId.ts'

/** Characters of one body that are stored. */
const MAX_BODY = 2_000_000
const MAX_ERROR = 500
/** Seconds to pause a failing receiver: doubled after each failed pass, from the first to the last value. */
const PAUSE_S = [5, 300] as const
/** Minutes for which an answer waits for an unknown message. */
const MATCH_MINUTES = 10
const LANES = 500

/** A message claimed by a worker. */
export interface Claimed extends Message {
  adapter: AdapterCode
  lane: string
  claim: string
  mustAsk: boolean
  /** It was accepted, and its answer is late. */
  isAwaiting: boolean
  /** The column `told`: state and error last passed to the area, as `reportedAs` writes them. */
  told: string | null
}

/** Values stored when an attempt is over. */
export interface Settled extends Omit<Fate, 'result'> {
  attempts: number
  mustAsk: boolean
  /** The area knows this state and error already: they are not passed again. */
  isUnchanged: boolean
  /** Seconds until it is due again; null: never by itself. */
  dueSeconds: number | null
  code: string | null
  sent: string | null
  received: string | null
  correlationId: string | null
  isAnswered: boolean
}

/** An outcome to be stored. */
export interface Ended extends Settled {
  id: number
  durationMs: number | null
}

/** The state last passed to the area: shows that an attempt has changed nothing. */
export const reportedAs = ({ state, error }: Pick<Settled, 'state' | 'error'>): string => `${state}|${error ?? ''}`

const statuses = {
  waiting: 'network_error',
  awaiting: 'accepted',
  unknown: 'network_error',
  done: 'done',
  refused: 'rejected',
  dead: 'dead',
} as const satisfies Record<Fate['state'], ExchangeStatus>

/** Columns of `o` and `m` as a worker needs them. */
const held = (
  isAwaiting: Sql,
) => sql`o."id"::float8 as id, o."adapter", o."lane", o."claim", o."mustAsk", ${isAwaiting} as "isAwaiting",
  o."told", o."operation", m."operation" as title, m."idempotencyKey" as key, o."subject", o."payload", o."correlationId",
  o."attempts", o."memo", case when m."entityType" is not null
    then json_build_object('path', m."entityType", 'id', m."idEntity") end as about`

export async function addMessage(tx: Tx, message: Outgoing): Promise<{ id: number; isNew: boolean }> {
  const { adapter, operation, title, key, subject, about, payload, correlationId, dateDue } = message
  // Serialises additions to one subject, so that ids and commits have the same order.
  if (subject !== undefined)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`outbox ${adapter} ${subject}`}, 0))`)
  const due = dateDue?.toISOString() ?? null
  const added = await tx.one<{ id: number }>(sql`
    with line as (
      insert into exchange_messages ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity",
        "correlationId", "idempotencyKey", "status", "attempts", "dateNext")
      values (clock_timestamp(), ${adapter}, 'out', ${clean(title, 200)}, ${about?.path ?? null}, ${about?.id ?? null},
        ${correlationId ?? currentRequestId() ?? null}, ${key}, 'queued', 0, coalesce(${due}::timestamptz, now()))
      on conflict ("adapter", "idempotencyKey") where "idempotencyKey" is not null do nothing returning "id"
    )
    insert into outbox ("id", "adapter", "lane", "subject", "operation", "payload", "correlationId", "dateDue")
    select "id", ${adapter}, ${message.lane ?? adapter}, ${subject ?? null}, ${operation}, ${JSON.stringify(payload)}::jsonb,
      ${correlationId ?? null}, coalesce(${due}::timestamptz, now()) from line returning "id"::float8 as id`)
  if (added) return { id: added.id, isNew: true }
  const known = await tx.one<{ id: number }>(sql`select "id"::float8 as id from exchange_messages
    where "adapter" = ${adapter} and "idempotencyKey" = ${key}`)
  return { id: (known as { id: number }).id, isNew: false }
}

/**
 * Queues messages with journal lines inserted by the caller, or finished ones to be sent again.
 * @returns their lanes; each message once
 */
export async function addLines(
  tx: Pick<Tx, 'query'>,
  ids: readonly number[],
  { lane, subject, payload }: Lines,
): Promise<string[]> {
  const added = await tx.query<{ lane: string }>(sql`
    with q as (
      insert into outbox ("id", "adapter", "lane", "subject", "operation", "payload", "dateDue")
      select m."id", m."adapter", ${lane}, ${subject}, m."operation", ${payload}, now()
      from exchange_messages m where m."id" = any (${ids as number[]}::bigint[]) order by m."id"
      on conflict ("id") do update set "state" = 'waiting', "attempts" = 0, "dateDue" = now(), "told" = null, "reasons" = '[]',
          "mustAsk" = outbox."mustAsk" and outbox."state" = 'dead'
        where outbox."state" in ('dead', 'unknown')
      returning "id", "lane"
    ), line as (
      update exchange_messages m set "status" = 'queued', "attempts" = 0, "dateNext" = now(), "errorText" = null,
        "errorCode" = null, "_version" = m."_version" + 1 from q where m."id" = q."id" and m."status" <> 'queued'
    )
    select "lane" from q`)
  return added.map((one) => one.lane)
}

/** SQL: no earlier message of the subject of `q` is still being sent, or accepted and not answered yet. */
const isFirst = (
  overtakes: readonly string[],
): Sql => sql`not exists (select from outbox b where b."adapter" = q."adapter"
  and b."subject" = q."subject" and b."id" < q."id" and b."state" <> 'dead'
  and not (b."state" = 'awaiting' and q."operation" = any (${overtakes as string[]}::text[])))`

/** Claims the due messages of a lane. A message left by an expired claim may have been sent: it must be queried. */
export const claim = (
  db: Queryable,
  {
    lane,
    claim: token,
    life,
    seconds,
    limit,
    overtakes,
  }: { lane: string; claim: string; life: string; seconds: number; limit: number; overtakes: readonly string[] },
): Promise<Claimed[]> =>
  db.query<Claimed>(sql`
    with due as (
      select q."id", q."state" from outbox q
      where q."lane" = ${lane} and q."dateDue" <= now() and ${isFirst(overtakes)}
      order by q."id" limit ${limit} for update of q skip locked
    ), mine as (
      update outbox o set "state" = 'claimed', "claim" = ${token}::uuid, "life" = ${life}::uuid,
        "mustAsk" = o."mustAsk" or due."state" = 'claimed',
        "dateDue" = now() + make_interval(secs => ${seconds})
      from due where o."id" = due."id" returning o.*, due."state" as was
    )
    select ${held(sql`o.was = 'awaiting'`)} from mine o join exchange_messages m on m."id" = o."id" order by o."id"`)

const isMine = ({ id, claim: token }: Pick<Claimed, 'id' | 'claim'>) =>
  sql`"id" = ${id} and "claim" = ${token}::uuid and "state" = 'claimed'`

/** Ends the claims of a killed process: its messages are due, and queried first. */
export const releaseClaims = (db: Queryable, life: string): Promise<unknown> =>
  db.query(sql`update outbox set "dateDue" = now() where "state" = 'claimed' and "life" = ${life}::uuid`)

/** @returns false if the claim is lost */
export const extend = async (db: Queryable, one: Claimed, seconds: number): Promise<boolean> =>
  (await db.one(
    sql`update outbox set "dateDue" = now() + make_interval(secs => ${seconds}) where ${isMine(one)} returning 1`,
  )) !== undefined

export async function remember(db: Queryable, one: Claimed, memo: unknown): Promise<void> {
  const kept = await db.one(
    sql`update outbox set "memo" = ${JSON.stringify(memo)}::jsonb where ${isMine(one)} returning 1`,
  )
  if (!kept) throw new Error('the claim of a message is lost')
  one.memo = memo
}

/**
 * Stores the outcomes of attempts in one statement.
 * @param mine the claim of the attempts; null: an answer, which counts whatever the state of the attempt
 * @returns the ids of those that were not settled already
 */
export async function settle(tx: Tx, ended: readonly Ended[], mine: string | null): Promise<Set<number>> {
  const fates = ended.map(({ sent: _sent, received: _received, ...one }) => ({
    ...one,
    state: one.state === 'refused' ? 'dead' : one.state,
    status:
      one.state !== 'waiting'
        ? statuses[one.state]
        : one.error === null
          ? 'queued'
          : one.isAnswered
            ? 'rejected'
            : 'network_error',
    told: reportedAs(one),
    error: clean(one.error, MAX_ERROR),
    code: clean(one.code ?? one.reasons[0]?.code, 64),
  }))
  const own =
    mine === null ? sql`o."id" = f.id` : sql`o."id" = f.id and o."claim" = ${mine}::uuid and o."state" = 'claimed'`
  const kept = await tx.query<{ id: number }>(sql`
    with f as (select * from jsonb_to_recordset(${JSON.stringify(fates)}::jsonb) as f(id bigint, state text, status text, attempts int,
        "mustAsk" boolean, told text, reasons jsonb, "dueSeconds" float8, error text, code text, "durationMs" int, "correlationId" text)),
      gone as (delete from outbox o using f where ${own} and f.state = 'done' returning o."id"),
      kept as (update outbox o set "state" = f.state, "claim" = null, "attempts" = f.attempts, "mustAsk" = f."mustAsk",
        "told" = f.told, "reasons" = f.reasons, "correlationId" = coalesce(f."correlationId", o."correlationId"),
        "dateDue" = now() + make_interval(secs => f."dueSeconds") from f where ${own} and f.state <> 'done' returning o."id")
    update exchange_messages m set "status" = f.status, "errorText" = f.error, "errorCode" = f.code,
      "attempts" = m."attempts" + ${mine === null ? 0 : 1}, "dateLast" = now(), "durationMs" = coalesce(f."durationMs", m."durationMs"),
      "correlationId" = coalesce(f."correlationId", m."correlationId"),
      "dateNext" = case when f.state = 'waiting' then now() + make_interval(secs => f."dueSeconds") end, "_version" = m."_version" + 1
    from f where m."id" = f.id and m."id" in (select "id" from gone union all select "id" from kept)
    returning m."id"::float8 as id`)
  for (const { id, isUnchanged, sent, received } of ended)
    if (!isUnchanged && kept.some((one) => one.id === id)) {
      await keepBody(tx, id, 'request', sent)
      await keepBody(tx, id, 'response', received)
    }
  return new Set(kept.map(({ id }) => id))
}

const keepBody = async (
  db: Queryable,
  id: number,
  part: 'request' | 'response',
  body: string | null,
): Promise<void> => {
  const kept = clean(body, MAX_BODY)
  if (kept === null) return
  await db.query(sql`insert into exchange_contents ("idMessage", "part", "body") values (${id}, ${part}, ${kept})`)
}

/**
 * Pauses a lane after a pass that sent nothing successfully, longer each time. Passes at the same time count once. The
 * time varies by a fifth, so that tries do not keep step with an outage that comes and goes.
 */
export async function pauseLane(db: Queryable, lane: string, hasGot: boolean): Promise<void> {
  if (hasGot) await endPause(db, lane)
  else
    await db.query(sql`insert into outbox_lanes as l ("lane", "failures", "datePaused")
      values (${lane}, 1, now() + make_interval(secs => ${PAUSE_S[0]}))
      on conflict ("lane") do update set "failures" = least(l."failures" + 1, 30),
        "datePaused" = now() + make_interval(secs =>
          least(${PAUSE_S[1]}, ${PAUSE_S[0]} * 2 ^ least(l."failures", 10)) * (0.8 + 0.4 * random()))
        where l."datePaused" is null or l."datePaused" <= now()`)
}

export async function secondsPaused(db: Queryable, lane: string): Promise<number> {
  const row = await db.one<{
    seconds: number
  }>(sql`select ceil(extract(epoch from "datePaused" - now()))::int as seconds
    from outbox_lanes where "lane" = ${lane} and "datePaused" > now()`)
  return row ? Math.max(1, row.seconds) : 0
}

export const endPause = (db: Queryable, lane: string) => db.query(sql`delete from outbox_lanes where "lane" = ${lane}`)

/** Stops all messages of a lane, those being sent included; their areas are not informed. */
export const stopLane = (db: Queryable, lane: string, reason: string) =>
  db.query(sql`
    with o as (update outbox set "state" = 'dead', "claim" = null, "dateDue" = null, "told" = ${`dead|${reason}`}
      where "lane" = ${lane} and "state" <> 'dead' returning "id")
    update exchange_messages m set "status" = 'dead', "dateNext" = null, "errorText" = ${clean(reason, MAX_ERROR)},
      "_version" = m."_version" + 1 from o where m."id" = o."id"`)

/** Messages that wait for their next attempt are due now, and no lane is paused. @returns their lanes */
export async function resume(db: Queryable): Promise<string[]> {
  await db.query(sql`delete from outbox_lanes`)
  const resumed = await db.query<{ lane: string }>(sql`
    with o as (update outbox set "dateDue" = now() where "state" = 'waiting' and "told" is not null and "dateDue" > now()
        returning "id", "lane"),
      m as (update exchange_messages m set "dateNext" = now(), "_version" = m."_version" + 1 from o where m."id" = o."id")
    select distinct "lane" from o`)
  return resumed.map(({ lane }) => lane)
}

export const lanesDue = async (db: Queryable): Promise<string[]> =>
  (
    await db.query<{ lane: string }>(sql`select distinct o."lane" from outbox o where o."dateDue" <= now()
      and not exists (select from outbox_lanes l where l."lane" = o."lane" and l."datePaused" > now()) limit ${LANES}`)
  ).map(({ lane }) => lane)

/** Updates stopped or queued messages of these ids, and returns them as a worker would get them. */
const changeWhere = (tx: Tx, ids: readonly number[], which: Sql, set: Sql, line: Sql): Promise<Claimed[]> =>
  tx.query<Claimed>(sql`
    with o as (update outbox o set "claim" = null, ${set} where o."id" = any (${ids as number[]}::bigint[]) and ${which} returning o.*),
      m as (update exchange_messages m set "_version" = m."_version" + 1, ${line} from o where m."id" = o."id" returning m.*)
    select ${held(raw('false'))} from o join m on m."id" = o."id" order by o."id"`)

/** Accepted messages without an answer. */
export const awaitingOf = (tx: Tx, ids: readonly number[]): Promise<Claimed[]> =>
  tx.query<Claimed>(sql`select ${held(raw('false'))} from outbox o join exchange_messages m on m."id" = o."id"
    where o."id" = any (${ids as number[]}::bigint[]) and o."state" = 'awaiting' for update of o`)

/** @param awaiting accepted ones that may be sent again */
export async function requeue(tx: Tx, ids: readonly number[], awaiting: readonly number[]): Promise<Claimed[]> {
  const changed = await changeWhere(
    tx,
    ids,
    sql`(o."state" in ('dead', 'unknown') or o."state" = 'awaiting' and o."id" = any (${awaiting as number[]}::bigint[]))`,
    sql`"state" = 'waiting', "attempts" = 0, "dateDue" = now(), "told" = 'waiting|', "reasons" = '[]',
      "mustAsk" = o."mustAsk" and o."state" = 'dead'`,
    sql`"status" = 'queued', "dateNext" = now(), "errorText" = null, "errorCode" = null`,
  )
  for (const { lane } of changed) await endPause(tx, lane)
  return changed
}

export const stop = (tx: Tx, ids: readonly number[], reason: string): Promise<Claimed[]> =>
  changeWhere(
    tx,
    ids,
    sql`o."state" in ('waiting', 'unknown', 'awaiting')`,
    sql`"state" = 'dead', "dateDue" = null, "told" = ${`dead|${reason}`}`,
    sql`"status" = 'dead', "dateNext" = null, "errorText" = ${clean(reason, MAX_ERROR)}`,
  )

/** Forgets stopped messages that are of no use any more, so that they are not sent again; their journal lines stay. */
export const forget = (tx: Tx, adapters: readonly string[], subject: string): Promise<unknown> =>
  tx.query(sql`delete from outbox
    where "adapter" = any (${adapters as string[]}::text[]) and "subject" = ${subject} and "state" = 'dead'`)

export async function finish(tx: Tx, ids: readonly number[]): Promise<Claimed[]> {
  const done = await changeWhere(
    tx,
    ids,
    sql`o."state" = 'unknown'`,
    sql`"dateDue" = null`,
    sql`"status" = 'done', "dateNext" = null, "errorText" = null, "errorCode" = null`,
  )
  await tx.query(sql`delete from outbox where "id" = any (${done.map(({ id }) => id)}::bigint[])`)
  return done
}

/** @returns false if an answer with this key is stored already */
export async function addAnswer(db: Pick<Queryable, 'one'>, answer: Answer): Promise<boolean> {
  const { adapter, title, key, relatesTo, body } = answer
  const added = await db.one(sql`
    with line as (
      insert into exchange_messages ("dateCreate", "dateLast", "adapter", "direction", "operation", "correlationId",
        "idempotencyKey", "status", "attempts")
      values (now(), now(), ${adapter}, 'in', ${clean(title, 200)}, ${clean(relatesTo, 200)}, ${`in:${key}`.slice(0, 200)},
        'accepted', 1)
      on conflict ("adapter", "idempotencyKey") where "idempotencyKey" is not null do nothing returning "id"
    ), said as (
      insert into exchange_contents ("idMessage", "part", "body") select "id", 'request', ${clean(body, MAX_BODY) ?? ''} from line
    )
    insert into outbox_answers ("id", "adapter", "relatesTo") select "id", ${adapter}, ${clean(relatesTo, 200) ?? ''} from line
    returning 1`)
  return added !== undefined
}

export const answersToApply = (db: Queryable, limit: number): Promise<{ id: number }[]> =>
  db.query(sql`select "id"::float8 as id from outbox_answers where "state" = 'new' order by "id" limit ${limit}`)

interface HeldAnswer {
  answer: Answer
  /** The message it answers; absent: not known yet, or never (see `reason`). */
  message?: Claimed
  reason?: string
}

/** Locks an answer and its message for this transaction; undefined: locked by another, or finished. */
export async function holdForAnswer(tx: Tx, id: number): Promise<HeldAnswer | undefined> {
  const row = await tx.one<Answer & { isOld: boolean }>(sql`
    select a."adapter", m."operation" as title, m."idempotencyKey" as key, a."relatesTo",
      coalesce((select c."body" from exchange_contents c where c."idMessage" = a."id" and c."part" = 'request' limit 1), '') as body,
      a."dateCreate" < now() - make_interval(mins => ${MATCH_MINUTES}) as "isOld"
    from outbox_answers a join exchange_messages m on m."id" = a."id"
    where a."id" = ${id} and a."state" = 'new' for update of a skip locked`)
  if (!row) return undefined
  const { isOld, ...answer } = row
  const message = await tx.one<Claimed & { isFinal: boolean }>(sql`
    with o as (select * from outbox where "adapter" = ${answer.adapter} and "correlationId" = ${answer.relatesTo} for update)
    select ${held(raw('false'))}, o."state" = 'dead' and o."told" like 'refused|%' as "isFinal"
    from o join exchange_messages m on m."id" = o."id"`)
  if (message) return message.isFinal ? { answer, reason: 'На это сообщение уже был ответ' } : { answer, message }
  const isOver = await tx.one(sql`select 1 from exchange_messages where "adapter" = ${answer.adapter}
    and "correlationId" = ${answer.relatesTo} and "direction" = 'out' limit 1`)
  if (isOver) return { answer, reason: 'На это сообщение уже был ответ' }
  return isOld ? { answer, reason: 'Такого сообщения мы не отправляли' } : { answer }
}

export async function leaveAnswer(
  tx: Tx,
  id: number,
  state: 'applied' | 'unmatched' | 'unread',
  reason: string | null,
  idMessage?: number,
): Promise<void> {
  const words = clean(reason, MAX_ERROR)
  await tx.query(sql`with left_so as (update outbox_answers set "state" = ${state}, "reason" = ${words},
      "idMessage" = ${idMessage ?? null} where "id" = ${id} returning "id")
    update exchange_messages m set "status" = ${state === 'applied' ? 'done' : 'rejected'}, "errorText" = ${words},
      "_version" = m."_version" + 1 from left_so where m."id" = left_so."id"`)
}
