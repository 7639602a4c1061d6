/**
 * Collects webhook events from history, which every write extends in its own transaction: no committed change is
 * missed, no write waits, and a killed reader resumes at its position. The position is a snapshot and not an id,
 * because ids and commits come in different orders; history between two snapshots is read in batches by ascending ids,
 * each in one transaction with its queued messages.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { parseSnapshot } from '#realtime/index.ts'
import type { AppContext } from '#records/context.ts'
import { queueLines } from './deliver.ts'

export const COLLECT = 'webhooks.collect'
/** History lines per transaction. */
const AT_ONCE = 2_000
/** Batches per run; the next run continues. */
const MOST_PIECES = 50
/** Ratio of the pause to the duration of a batch, and its maximum in milliseconds. */
const RESTS = 2
const LONGEST_REST_MS = 2_000
/** Minimum milliseconds between two runs of one process under any load. */
const EVERY_MS = 1_000

export function startCollecting(app: AppContext): void {
  app.jobs.register(COLLECT, { cron: '* * * * *', handler: () => collect(app) })
  // A commit wakes it; a lost wake is covered by the minute job.
  app.onWorking(() => {
    let timer: NodeJS.Timeout | undefined
    const stop = app.fanout.subscribe('records', () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void collectSoon(app).catch((error) => app.log.warn({ err: error }, 'webhooks: not woken'))
      }, EVERY_MS)
    })
    app.onClose(() => {
      stop()
      clearTimeout(timer)
    })
  })
}

async function collectSoon(app: AppContext): Promise<void> {
  const active = await app.db.one(sql`select 1 from webhooks where "active" and not "deleted" limit 1`)
  if (active) await app.jobs.send(COLLECT, {}, { key: 'collect' })
}

/** Queues the events since the last run; a concurrent run is skipped. */
export async function collect(app: AppContext): Promise<void> {
  for (let pieces = 0; pieces < MOST_PIECES; pieces++) {
    const began = performance.now()
    if (!(await app.db.tx((tx) => collectPiece(app, tx)))) return
    // Yields to heavy concurrent writes.
    await sleep(Math.min(LONGEST_REST_MS, RESTS * (performance.now() - began)))
  }
  await app.jobs.send(COLLECT, {}, { key: 'collect' })
}

interface Place {
  /** Everything committed before it is queued; empty: nothing was read yet. */
  snapshot: string
  /** Upper bound of the current batch; null: none begun. */
  target: string | null
  /** Id of the last processed history line. */
  after: number
}

/** @returns whether there is more to read */
async function collectPiece(app: AppContext, tx: Tx): Promise<boolean> {
  const place = await tx.one<Place>(sql`
    select "snapshot", "target", "after"::float8 as after from webhook_place for update skip locked`)
  if (!place) return false
  const now = (await tx.one<{ text: string }>(sql`select pg_current_snapshot()::text as text`))?.text ?? ''
  const isOther = place.snapshot !== '' && BigInt(parseSnapshot(place.snapshot).xmax) > BigInt(parseSnapshot(now).xmax)
  // Transaction ids from another server: the database was copied here.
  if (isOther) app.log.warn({ place: place.snapshot, now }, 'webhooks: history is read from now on')
  const active = await tx.one(sql`select 1 from webhooks where "active" and not "deleted" limit 1`)
  if (!active || isOther || place.snapshot === '') {
    await keepPlace(tx, { snapshot: now, target: null, after: 0 })
    return false
  }
  const target = place.target ?? now
  const { last, count, ids } = await write(tx, place.snapshot, target, place.after)
  if (ids.length > 0) await queueLines(app, tx, ids)
  const more = count === AT_ONCE
  await keepPlace(tx, more ? { ...place, target, after: last } : { snapshot: target, target: null, after: 0 })
  return more
}

const keepPlace = ({ query }: Tx, { snapshot, target, after }: Place) =>
  query(sql`update webhook_place set "snapshot" = ${snapshot}, "target" = ${target}, "after" = ${after}`)

interface Piece {
  count: number
  last: number
  /** Journal lines of the events. */
  ids: number[]
}

/** Writes the events of history lines that became visible between two snapshots: ids and field names, no values. */
async function write(tx: Tx, from: string, to: string, after: number): Promise<Piece> {
  const { xmax, running } = parseSnapshot(from)
  const piece = await tx.one<Piece>(sql`
    with read as materialized (
      select h.* from (
        select * from history where xid >= ${xmax}::xid8 and xid < pg_snapshot_xmax(${to}::pg_snapshot)
        union all
        select * from history where xid = any (${`{${running.join(',')}}`}::xid8[])
      ) h
      where h.id > ${after} and pg_visible_in_snapshot(h.xid, ${to}::pg_snapshot)
      order by h.id limit ${AT_ONCE}
    ), made as (
      insert into exchange_messages ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity",
        "idWebhook", "correlationId", "idempotencyKey", "status", "attempts", "dateNext")
      select clock_timestamp(), 'webhooks', 'out', r.path || '.' || r.action, r.path, r."idEntity", w."id", r."requestId",
        w."id" || ':' || r.id, 'queued', 0, now()
      from read r join webhooks w on w."active" and not w."deleted" and w."dateFrom" <= r."dateCreate"
        and w."events" @> array[r.path || '.' || r.action]
      order by r.id
      on conflict do nothing
      returning "id", "idempotencyKey"
    ), bodies as (
      insert into exchange_bodies ("idMessage", "request")
      select m."id", json_build_object('id', r.id::text, 'event', r.path || '.' || r.action, 'dt', r."dateCreate",
        'data', json_build_object('path', r.path, 'id', r."idEntity", 'idParent', r."idParent", 'version', r.version,
          'fields', array(select jsonb_object_keys(case jsonb_typeof(r.changes) when 'object' then r.changes else '{}' end))))::text
      from made m join read r on r.id = split_part(m."idempotencyKey", ':', 2)::bigint
    )
    select (select count(*)::int from read) as count, (select coalesce(max(id), 0)::float8 from read) as last,
      array(select "id"::float8 from made) as ids`)
  return piece as Piece
}
