/**
 * State of report rollups. History is read from snapshot to snapshot, as webhooks do: a write marks its days dirty, and
 * a dirty day is recounted as a whole. Readers do not wait for that: in their own snapshot they query the dirty days
 * and the days written since the last mark, and count those from the facts. So a figure is always right, and the pass
 * only makes it fast; a killed pass loses nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import type { Period } from '@ordinator/model/reportPeriod'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { parseSnapshot } from '#realtime/index.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { countDaysSql, makeTableSql, rollupName, tableSql } from '#records/reports/rollup.ts'
import type { ReportSource, Rollup } from '#records/reports/source.ts'

const ROLLUP = 'reports.rollup'
/** Numbers of writes since the last pass above which a reader counts all facts, and a pass marks all days. */
const MOST_READ = 2_000
const MOST_MARKED = 50_000
/** Minimum milliseconds between two passes under any load. */
const EVERY_MS = 15_000
/** Milliseconds per run; the next run continues. */
const RUN_MS = 60_000
/** Ratio of the pause to the duration of a batch, and its maximum in milliseconds. */
const RESTS = 1
const LONGEST_REST_MS = 1_000
/** Target milliseconds of one counting statement, and maximum number of its days. */
const PIECE_MS = 800
const MOST_DAYS = 64
/**
 * Older days are counted from the facts. Days here are those of UTC, where `current_date` is the last to begin: a day
 * before it is over in all zones of Russia. Days not yet known are counted from the facts.
 */
const YEARS = 20
const oldest = sql`(current_date - make_interval(years => ${YEARS}::int))::date`

export type RolledSource = ReportSource & { rollup: Rollup }

export const rolledSources = ({ areas }: Pick<AppContext, 'areas'>): RolledSource[] =>
  areas.flatMap(({ reports = [] }) => reports).filter((one): one is RolledSource => one.rollup !== undefined)

const names = new WeakMap<ReportSource, string>()
/** The table of a report's rollup. */
export function nameOf(source: ReportSource): string {
  const known = names.get(source) ?? rollupName(source)
  names.set(source, known)
  return known
}

/** Records without history, whose rows store the transaction that changed them. */
const feeds: Readonly<Record<string, { table: string; id: string }>> = {
  'ledger/lines': { table: 'ledger_lines', id: 'idLine' },
  'ledger/credits': { table: 'ledger_credits', id: 'idTx' },
  'ledger/txs': { table: 'ledger_txs', id: 'id' },
  'advertising/conversions': { table: 'ad_conversions_made', id: 'id' },
}

interface Touched {
  /** Number of lines read; above `most` all days are affected. */
  lines: number
  days: string[]
}

/** Days written since a snapshot, as seen by the current transaction. */
async function touchedSince(db: Queryable, { touched }: Rollup, snapshot: string, most: number): Promise<Touched> {
  const { xmax, running } = parseSnapshot(snapshot)
  const since = (table: Sql, what: Sql, which: Sql): Sql => sql`
    (select ${what} from ${table} where "xid" >= ${xmax}::xid8 and "xid" < pg_snapshot_xmax(pg_current_snapshot()) ${which}
      limit ${most + 1}::int)
    ${
      running.length
        ? sql`union all (select ${what} from ${table} where "xid" = any (${`{${running.join(',')}}`}::xid8[]) ${which} limit ${most + 1}::int)`
        : empty
    }`
  const paths = Object.keys(touched).filter((path) => !feeds[path])
  const read = [
    since(raw('history'), raw('"path", "idEntity" as id, "changes"'), sql`and "path" = any (${paths}::text[])`),
    ...Object.keys(touched).flatMap((path) => {
      const feed = feeds[path]
      return feed ? [since(raw(feed.table), sql`${path}::text, ${raw(`"${feed.id}"`)}, null::jsonb`, empty)] : []
    }),
  ]
  const count = await db.one<{ lines: number; all: boolean }>(sql`
    select count(*)::int as lines, coalesce(bool_or(path = any (${paths.filter((path) => touched[path] === 'all')}::text[])), false) as all
    from (${join(read, ' union all ')}) w(path, id, changes)`)
  if (!count || count.lines === 0) return { lines: 0, days: [] }
  if (count.all || count.lines > most) return { lines: most + 1, days: [] }
  const parts = Object.entries(touched).flatMap(([path, days]) =>
    days === 'all'
      ? []
      : [
          days((field) =>
            field === undefined
              ? sql`(select w.id from w where w.path = ${path})`
              : sql`(select w.id from w where w.path = ${path} and w.changes ? ${field})`,
          ),
        ],
  )
  const found = await db.query<{ day: string }>(sql`
    with w(path, id, changes) as materialized (${join(read, ' union all ')}),
    moved as (select x.day::date as day from w cross join lateral jsonb_array_elements_text(w.changes -> 'localDate') x(day)
      where jsonb_typeof(w.changes -> 'localDate') = 'array' and x.day is not null)
    select distinct d.day from (select day from moved ${join(
      ['', ...parts].map((part) => (part === '' ? empty : sql` union all (${part})`)),
      '',
    )}) d(day) where d.day is not null`)
  return { lines: count.lines, days: found.map(({ day }) => day) }
}

/**
 * Days of a period to be counted from the facts, in the current snapshot.
 * @returns undefined if the whole period is
 */
export async function liveDays(
  db: Queryable,
  source: RolledSource,
  { from, until }: Period,
): Promise<string[] | undefined> {
  const name = nameOf(source)
  // No data exists before the first known day, except beyond the years that are kept.
  const found = await db.one<{ snapshot: string; now: string; live: string[]; all: number }>(sql`
    select r."snapshot", pg_current_snapshot()::text as now, greatest(0, ${until}::date - x.first + 1) as all,
      array(select g.day::date from generate_series(x.first, ${until}::date, '1 day') g(day)
        left join report_rollup_days d on d."name" = r."name" and d."day" = g.day::date and d."dirty" is null
        where d."day" is null) as live
    from report_rollups r cross join lateral (
      select case when min("day") > ${oldest} + 1 then greatest(${from}::date, min("day")) else ${from}::date end as first
      from report_rollup_days where "name" = r."name") x
    where r."name" = ${name}`)
  if (!found || isOther(found)) return undefined
  const touched = await touchedSince(db, source.rollup, found.snapshot, MOST_READ)
  if (touched.lines > MOST_READ) return undefined
  const live = [...new Set([...found.live, ...touched.days.filter((day) => day >= from && day <= until)])]
  return live.length >= found.all && found.all > 0 ? undefined : live
}

/** Transaction ids from another server: the database was copied here. */
const isOther = ({ snapshot, now }: { snapshot: string; now: string }): boolean =>
  BigInt(parseSnapshot(snapshot).xmax) > BigInt(parseSnapshot(now).xmax)

export function startRollups(app: AppContext): void {
  app.jobs.register(ROLLUP, { cron: '*/10 * * * *', handler: (_, { signal }) => rollUp(app, signal), retries: 1 })
  // A commit wakes it; until it has run, readers count what was written of its facts. A training clinic is small, and
  // the tables of the schema `rollups` are the clinic's.
  if (app.config.training) return
  app.onWorking(() => {
    let timer: NodeJS.Timeout | undefined
    const wake = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void app.jobs
          .send(ROLLUP, {}, { key: 'rollup' })
          .catch((error) => app.log.warn({ err: error }, 'rollups: not woken'))
      }, EVERY_MS)
    }
    const stop = app.fanout.subscribe('records', wake)
    wake()
    app.onClose(() => {
      stop()
      clearTimeout(timer)
    })
  })
}

/** Creates missing rollups, marks written days and counts dirty ones, the latest days first. */
export async function rollUp(app: AppContext, signal?: AbortSignal): Promise<void> {
  if (app.config.training) return
  const sources = rolledSources(app)
  await make(app, sources)
  try {
    await app.db.tx((tx) => mark(tx, sources))
  } catch (error) {
    await noteError(app, sources, error)
    throw error
  }
  const dirty = await app.db.query<{ name: string }>(sql`select distinct "name" from report_rollup_days
    where "dirty" is not null and "day" < current_date and "name" = any(${sources.map(nameOf)}::text[])`)
  const began = performance.now()
  let failed: unknown
  for (const source of sources.filter((one) => dirty.some(({ name }) => name === nameOf(one)))) {
    try {
      if (await countAll(app, source, began + RUN_MS, signal)) continue
      if (!signal?.aborted) await app.jobs.send(ROLLUP, {}, { key: 'rollup' })
      return
    } catch (error) {
      failed = error
      await noteError(app, [source], error)
    }
  }
  if (failed) throw failed
}

async function noteError({ db, log }: AppContext, sources: readonly RolledSource[], error: unknown): Promise<void> {
  log.warn({ err: error, reports: sources.map(({ report }) => report.key) }, 'rollups')
  const message = error instanceof Error ? error.message : String(error)
  await db.query(sql`update report_rollups set "error" = ${message.slice(0, 500)}, "dateError" = now()
    where "name" = any(${sources.map(nameOf)}::text[])`)
}

/** @returns whether no dirty day is left; false when the time is over or the server stops */
async function countAll(app: AppContext, source: RolledSource, until: number, signal?: AbortSignal): Promise<boolean> {
  for (let size = 4; ; ) {
    if (signal?.aborted || performance.now() > until) return false
    const start = performance.now()
    const counted = await app.db.tx((tx) => countDays(tx, source, size))
    if (counted < size) return true
    const took = performance.now() - start
    size = Math.max(1, Math.min(MOST_DAYS, took < PIECE_MS / 2 ? size * 2 : took > PIECE_MS * 2 ? size >> 1 : size))
    // Yields to concurrent readers and writers.
    await sleep(Math.min(LONGEST_REST_MS, RESTS * took))
  }
}

/** Creates the tables of rollups with a new definition; all their days are dirty. */
async function make({ db }: AppContext, sources: readonly RolledSource[]): Promise<void> {
  const missing = async (asked: Queryable) => {
    const known = await asked.query<{ name: string }>(sql`select "name" from report_rollups`)
    return sources.filter((source) => !known.some(({ name }) => name === nameOf(source)))
  }
  if ((await missing(db)).length === 0) return
  await db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('report rollups', 0))`)
    for (const source of await missing(tx)) {
      const name = nameOf(source)
      for (const statement of makeTableSql(source, name)) await tx.query(statement)
      await tx.query(sql`insert into report_rollups ("name", "report", "snapshot")
        values (${name}, ${source.report.key}, pg_current_snapshot()::text)`)
      await dirtyAll(tx, source)
    }
  })
}

/** Drops rollups of an earlier server version, once no process of it has marked days for a week. */
export async function dropOld({ db, ...app }: AppContext): Promise<void> {
  const current = rolledSources(app).map(nameOf)
  const old = await db.query<{ name: string }>(sql`select "name" from report_rollups
    where "name" <> all(${current}::text[]) and "dateMarked" < now() - interval '7 days'`)
  for (const { name } of old)
    await db.tx(async (tx) => {
      await tx.query(sql`drop table if exists ${tableSql(name)}, ${tableSql(name, 'day')}`)
      await tx.query(sql`delete from report_rollups where "name" = ${name}`)
    })
}

/** Marks every day since the first possible fact; waits for a running count to avoid conflicts. */
export async function dirtyAll(tx: Queryable, source: RolledSource): Promise<void> {
  await tx.query(sql`select 1 from report_rollups where "name" = ${nameOf(source)} for update`)
  await markDays(
    tx,
    source,
    sql`generate_series(greatest(coalesce((${source.rollup.since}), current_date), ${oldest}), current_date, '1 day')`,
  )
}

const markDays = (tx: Queryable, source: RolledSource, days: Sql): Promise<unknown> =>
  tx.query(sql`insert into report_rollup_days ("name", "day", "dirty")
    select ${nameOf(source)}, d.day::date, now() from ${days} d(day) where d.day::date between ${oldest} + 1 and current_date
    on conflict ("name", "day") do update set "dirty" = excluded."dirty" where report_rollup_days."dirty" is null`)

/** Marks the days written since the last pass, and days that have begun since. */
async function mark(tx: Tx, sources: readonly RolledSource[]): Promise<void> {
  const held = await tx.query<{ name: string; snapshot: string }>(sql`select "name", "snapshot" from report_rollups
    where "name" = any(${sources.map(nameOf)}::text[]) order by "name" for update skip locked`)
  // Later statements may see more: changes outside this snapshot are read by the next pass.
  const now = await tx.one<{ now: string }>(sql`select pg_current_snapshot()::text as now`)
  const names = held.map(({ name }) => name)
  for (const source of sources) {
    const snapshot = held.find(({ name }) => name === nameOf(source))?.snapshot
    if (!now || snapshot === undefined) continue
    const isAll = isOther({ snapshot, ...now })
    const { lines, days } = isAll
      ? { lines: MOST_MARKED + 1, days: [] }
      : await touchedSince(tx, source.rollup, snapshot, MOST_MARKED)
    if (lines > MOST_MARKED) await dirtyAll(tx, source)
    else if (days.length) await markDays(tx, source, sql`unnest(${days}::date[])`)
  }
  // Also inserts the days between the others and one written long ago.
  await tx.query(sql`insert into report_rollup_days ("name", "day", "dirty")
    select k."name", g.day::date, now() from (select "name", min("day") as first, count(*) as known
        from report_rollup_days where "name" = any(${names}::text[]) group by 1) k
      cross join lateral generate_series(k.first, current_date, '1 day') g(day)
    where k.known <= current_date - k.first on conflict do nothing`)
  await tx.query(
    sql`update report_rollups set "snapshot" = ${now?.now}, "dateMarked" = now() where "name" = any(${names}::text[])`,
  )
}

/**
 * Recounts dirty days. Holds the rollup's row, so that no day is marked while being counted: writes after this snapshot
 * are marked later.
 */
async function countDays(tx: Tx, source: RolledSource, most: number): Promise<number> {
  const name = nameOf(source)
  const held = await tx.one(sql`select 1 from report_rollups where "name" = ${name} for update skip locked`)
  if (!held) return 0
  const dirty = await tx.query<{ day: string }>(sql`select "day" from report_rollup_days
    where "name" = ${name} and "dirty" is not null and "day" < current_date order by "day" desc limit ${most}::int`)
  if (dirty.length === 0) return 0
  const days = dirty.map(({ day }) => day)
  for (const statement of countDaysSql(source, name, days)) await tx.query(statement)
  await tx.query(
    sql`update report_rollup_days set "dirty" = null where "name" = ${name} and "day" = any(${days}::date[])`,
  )
  await tx.query(
    sql`update report_rollups set "dateCounted" = now(), "error" = null, "dateError" = null where "name" = ${name}`,
  )
  return days.length
}

interface Health {
  name: string
  days: number
  dirty: number
  oldestDay: string | null
  waitsSince: string | null
  dateMarked: string
  dateCounted: string | null
  error: string | null
  dateError: string | null
  rows: number
  size: number
}

/** Row counts come from PostgreSQL's statistics: an exact count would take as long as the rollup saves. */
async function healthOf(app: AppContext) {
  const sources = rolledSources(app)
  const found = await app.db.reads.query<Health>(sql`
    select r."name", r."dateMarked", r."dateCounted", r."error", r."dateError", d.*,
      coalesce(pg_stat_get_live_tuples(c.oid), 0)::int as rows, (coalesce(pg_total_relation_size(c.oid), 0) +
        coalesce(pg_total_relation_size(to_regclass('rollups.' || quote_ident(r."name" || '_day'))), 0))::float8 as size
    from report_rollups r left join pg_class c on c.oid = to_regclass('rollups.' || quote_ident(r."name"))
      cross join lateral (select count(*)::int as days, count(x."dirty")::int as dirty,
          min(x."day") filter (where x."dirty" is not null) as "oldestDay", min(x."dirty") as "waitsSince"
        from report_rollup_days x where x."name" = r."name" and x."day" < current_date) d
    where r."name" = any(${sources.map(nameOf)}::text[])`)
  const items = sources.flatMap((source) => {
    const one = found.find(({ name }) => name === nameOf(source))
    if (!one) return []
    const { name: _, ...health } = one
    return [{ report: source.report.key, title: source.report.title, ...health }]
  })
  return { items }
}

export const rollups = operation(reportCatalogueCalls.rollups, ({ app }) => healthOf(app))

/** Reports stay right meanwhile: pending days are counted from their facts. */
export const recount = operation(reportCatalogueCalls.recount, async ({ app, body }) => {
  const source = rolledSources(app).find(({ report }) => report.key === body.report)
  if (!source) throw badRequest('Поле report: у этого отчёта нет готовых итогов')
  await make(app, [source])
  await app.db.tx(async (tx) => {
    await dirtyAll(tx, source)
    await app.jobs.send(ROLLUP, {}, { key: 'rollup', tx })
  })
  return healthOf(app)
})
