/** Uploads of the clinic's conversions to a counter: visitor ids, goals and times. Each event is sent once. */
import { metrikaCalls } from '@ordinator/model/areas/metrika/calls'
import { type CrmEvent, MetrikaCounter, MetrikaUpload } from '@ordinator/model/areas/metrika/metrika'
import sql, { raw, type Sql } from 'sql-template-tag'
import { withinDays } from '#areas/settings/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Queryable } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { bookedSql, paidSql, touchesSql } from './chain.ts'
import { type IdKind, idKinds, metrikaOf, PossiblyArrived } from './client.ts'
import { tokenOf } from './counters.ts'
import { assertPeriod } from './report.ts'

const MAX_LINES = 100_000
const SHOWN = 20
/** Days after which the state of an upload is no longer polled. */
const PATIENCE_DAYS = 2
/** Time after which a file unknown to the counter counts as not received, and one still queued as given up. */
const LOST_AFTER = '1 hour'

/** Name that identifies a file at the counter. */
const markOf = (id: number): string => `ordinator-${id}`

export function startUploads(app: AppContext): void {
  app.jobs.register<{ id: number }>('metrika.upload', { handler: ({ id }) => send(app, id), retries: 3 })
  app.jobs.register('metrika.uploads', { cron: '*/10 * * * *', handler: () => askStates(app) })
}

/** SQL of the events of a counter's goals in the period: the goal, the event's key, the visitor, its time and sum. */
function eventsSql(idCounter: number, idFilial: number | null, from: string, to: string): Sql {
  const one = (event: CrmEvent, rows: Sql): Sql => sql`
    select g."id" as "idGoal", coalesce(nullif(g."target", ''), g."goalId") as target, e.key, e.at,
      case when g."sendValue" and ${event}::text = 'payment' then e.sum end as price,
      coalesce(t.client, t.yclid) as visitor, case when t.client is not null then 'client' else 'yclid' end as "idKind"
    from metrika_goals g, ${rows} e join touches t on t."id" = e.touch
    where g."idCounter" = ${idCounter} and not g."deleted" and g."active" and g."crmEvent" = ${event}`
  return sql`touches as materialized (select * from ${touchesSql} t where t."day" >= ${from}::date - 90 and t."day" <= ${to}::date),
    booked as materialized ${bookedSql(systemActor, idFilial)}, paid as materialized ${paidSql(systemActor, idFilial)},
    events as (
      ${one('appeal', sql`(select "id" as key, at, null::numeric as sum, "id" as touch from touches)`)}
      union all ${one('appointment', sql`(select 'booking:' || "id" as key, at, null::numeric as sum, touch from booked)`)}
      union all ${one('visit', sql`(select 'visit:' || "id" as key, came as at, null::numeric as sum, touch from booked where came is not null)`)}
      union all ${one('payment', sql`(select 'payment:' || "id" as key, at, sum, touch from paid where sum > 0)`)}
    ),
    fresh as (select e.* from events e
      where ${withinDays(raw('e.at'), from, to)} and e.at < now()
        and not exists (select from metrika_sent s where s."idGoal" = e."idGoal" and s."key" = e.key))`
}

interface Line {
  visitor: string
  target: string
  /** Unix seconds. */
  at: number
  price: number | null
}

/** The text of a file, with a price column if any line has a sum. */
export function csvOf(lines: readonly Line[], idKind: IdKind): string {
  const hasPrice = lines.some(({ price }) => price !== null)
  const head = [idKinds[idKind].column, 'Target', 'DateTime', ...(hasPrice ? ['Price', 'Currency'] : [])]
  const rows = lines.map(({ visitor, target, at, price }) => [
    visitor,
    target,
    String(at),
    ...(hasPrice ? [price === null ? '' : price.toFixed(2), price === null ? '' : 'RUB'] : []),
  ])
  return [head, ...rows]
    .map((cells) => cells.join(','))
    .join('\n')
    .concat('\n')
}

/** Valid visitor ids; anything else sent by a site is dropped. */
const isVisitor = sql`visitor ~ '^[0-9A-Za-z_.-]{4,64}$'`

export const sample = operation(metrikaCalls.sample, async ({ app, records, params, query }) => {
  assertPeriod(query.from, query.to)
  const counter = await records.row(MetrikaCounter, params.id)
  const events = eventsSql(counter.id, counter.idFilial, query.from, query.to)
  const counts = await app.db.reads.one<{ rows: number; unknown: number }>(sql`with ${events}
    select (count(*) filter (where ${isVisitor}))::int as rows, (count(*) filter (where (${isVisitor}) is not true))::int as unknown from fresh`)
  const first = await app.db.reads.query<Line & { idKind: IdKind }>(sql`with ${events}
    select visitor, target, extract(epoch from at)::bigint::int as at, price::float8 as price, "idKind" from fresh where ${isVisitor}
    order by at limit ${SHOWN}`)
  const kinds = [...new Set(first.map(({ idKind }) => idKind))]
  const lines = kinds.flatMap((kind) =>
    csvOf(
      first.filter(({ idKind }) => idKind === kind),
      kind,
    )
      .trimEnd()
      .split('\n'),
  )
  return { rows: counts?.rows ?? 0, unknown: counts?.unknown ?? 0, lines }
})

export const upload = operation(metrikaCalls.upload, async ({ app, records, actor, params, body }) => {
  const { from, to } = body
  assertPeriod(from, to)
  const counter = await records.row(MetrikaCounter, params.id)
  return records.tx(async (inner, tx) => {
    // Serialized: concurrent requests send each event once.
    await tx.query(sql`select 1 from metrika_counters where "id" = ${counter.id} for update`)
    const made = []
    for (const idKind of Object.keys(idKinds) as IdKind[]) {
      const facts = { idCounter: counter.id, dateFrom: from, dateTo: to, idUser: actor.id }
      const one = await inner.asSystem.create(MetrikaUpload, { ...facts, status: 'queued' })
      const kept = await tx.one<{ rows: number }>(sql`with ${eventsSql(counter.id, counter.idFilial, from, to)},
        put as (insert into metrika_sent ("idGoal", "key", "idUpload", "target", "visitor", "idKind", "at", "price")
          select "idGoal", key, ${one.id}, target, visitor, "idKind", at, price from fresh
          where "idKind" = ${idKind} and ${isVisitor} order by at limit ${MAX_LINES} returning 1)
        select count(*)::int as rows from put`)
      made.push({ id: one.id, rows: kept?.rows ?? 0 })
    }
    // An empty file of one of the two id kinds is not uploaded, unless both are empty.
    const whole = made.filter(({ rows }) => rows > 0)
    const kept = whole.length ? whole : made.slice(0, 1)
    for (const { id } of made)
      if (!kept.some((one) => one.id === id)) await tx.query(sql`delete from metrika_uploads where "id" = ${id}`)
    for (const { id, rows } of kept) {
      await inner.asSystem.update(
        MetrikaUpload,
        id,
        rows ? { rows } : { status: 'empty', dateDone: new Date().toISOString() },
      )
      if (rows) await app.jobs.send('metrika.upload', { id }, { tx, key: String(id) })
    }
    return inner.asSystem.row(MetrikaUpload, (kept[0] as { id: number }).id)
  })
})

interface Waiting {
  id: number
  status: string
  idCounter: number
  number: string
  uploadingId: string | null
  /** The counter is in use: neither deleted nor switched off. */
  isOn: boolean
}

const waitingAt = (db: Queryable, where: Sql): Promise<Waiting[]> =>
  db.query<Waiting>(sql`select u."id"::int as id, u."status", u."idCounter"::int as "idCounter", c."number", u."uploadingId",
      not c."deleted" and c."active" as "isOn"
    from metrika_uploads u join metrika_counters c on c."id" = u."idCounter" where ${where} order by u."id" limit 100`)

const set = (app: AppContext, id: number, values: Record<string, unknown>) =>
  app.engine.for(systemActor).asSystem.update(MetrikaUpload, id, values)

/** Ends an upload whose file has not arrived: its events may be sent with another. */
async function giveUp(app: AppContext, id: number, error: string): Promise<void> {
  await app.db.query(sql`delete from metrika_sent where "idUpload" = ${id}`)
  await set(app, id, { status: 'failed', error, dateDone: new Date().toISOString() })
}

/**
 * The job of one upload. The upload becomes `unknown` before its file goes out: when the process dies in between, a
 * repeat of the job sends no second file, and `findLost` looks for the first.
 */
async function send(app: AppContext, id: number): Promise<void> {
  const [found] = await waitingAt(app.db, sql`u."id" = ${id} and u."status" = 'queued'`)
  if (!found) return
  if (!found.isOn) return giveUp(app, id, 'Счётчик удалён или выключен: ничего не отправлено')
  const lines = await app.db.query<Line & { idKind: IdKind }>(sql`
    select "visitor", "target", extract(epoch from "at")::bigint::int as at, "price"::float8 as price, "idKind" from metrika_sent
    where "idUpload" = ${id} order by "at", "key" limit ${MAX_LINES}`)
  const start = performance.now()
  try {
    const metrika = await metrikaOf(app, found.number, await tokenOf(app.db, found.idCounter))
    if (!metrika) throw new AdapterFault('Метрика выключена в «Подключениях»')
    await set(app, id, { status: 'unknown', error: null })
    const uploadingId = await metrika.upload(
      csvOf(lines, lines[0]?.idKind ?? 'client'),
      lines[0]?.idKind ?? 'client',
      markOf(id),
    )
    await set(app, id, { status: 'sent', uploadingId, error: null })
    await logExchange('accepted')
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error
    if (error instanceof PossiblyArrived) {
      // The file may have arrived: its events stay reserved until the counter reports it.
      await set(app, id, { status: 'unknown', error: `${error.message}. Спросим, дошёл ли файл, и скажем здесь` })
      return logExchange('network_error', error.message)
    }
    await giveUp(app, id, error.message)
    await logExchange('rejected', error.message)
  }
  function logExchange(status: 'accepted' | 'rejected' | 'network_error', error?: string) {
    const durationMs = performance.now() - start
    const about = { path: MetrikaUpload.path, id }
    return app.exchanged({
      adapter: 'metrika',
      operation: 'Выгрузка конверсий',
      key: `upload-${id}`,
      about,
      status,
      error,
      durationMs,
    })
  }
}

/** Looks up files without a response at the counter. */
async function findLost(app: AppContext): Promise<void> {
  const unknown = await waitingAt(app.db, sql`u."status" = 'unknown'`)
  if (unknown.length === 0) return
  const late = await waitingAt(app.db, sql`u."status" = 'unknown' and u."dateCreate" < now() - ${LOST_AFTER}::interval`)
  for (const { id, idCounter, number } of unknown)
    try {
      const metrika = await metrikaOf(app, number, await tokenOf(app.db, idCounter))
      if (!metrika) continue
      const uploadingId = await metrika.find(markOf(id))
      if (uploadingId !== undefined) await set(app, id, { status: 'sent', uploadingId, error: null })
      else if (late.some((one) => one.id === id))
        await giveUp(app, id, 'Файл до Метрики не дошёл: его события уйдут со следующей выгрузкой')
    } catch (error) {
      if (!(error instanceof AdapterFault)) throw error
    }
}

/** The job `metrika.uploads`: polls the state of received files. Writes only changes. */
export async function askStates(app: AppContext): Promise<void> {
  const old = await waitingAt(app.db, sql`u."status" = 'queued' and u."dateCreate" < now() - ${LOST_AFTER}::interval`)
  for (const { id } of old) await giveUp(app, id, 'Отправить не удалось: события уйдут со следующей выгрузкой')
  await findLost(app)
  const waiting = await waitingAt(app.db, sql`u."status" = 'sent'`)
  for (const { id, idCounter, number, uploadingId } of waiting) {
    try {
      const metrika = await metrikaOf(app, number, await tokenOf(app.db, idCounter))
      const state = await metrika?.uploadState(uploadingId ?? '')
      const dateDone = new Date().toISOString()
      if (state?.is === 'done') await set(app, id, { status: 'done', taken: state.taken, dateDone })
      else if (state?.is === 'rejected') await set(app, id, { status: 'rejected', error: state.reason, dateDone })
    } catch (error) {
      if (!(error instanceof AdapterFault)) throw error
    }
  }
  const late = await waitingAt(
    app.db,
    sql`u."status" in ('sent', 'unknown') and u."dateCreate" < now() - make_interval(days => ${PATIENCE_DAYS})`,
  )
  // Its events stay reserved: the file may have been counted.
  for (const { id } of late)
    await set(app, id, {
      status: 'failed',
      error: 'Метрика так и не сказала, что стало с файлом',
      dateDone: new Date().toISOString(),
    })
}
