/**
 * Reports that exceed a request's time limit: a job counts them over a separate connection, reports progress, and keeps
 * the result for three days. The author may stop it, which cancels the statement too.
 */

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import { ReportRun } from '@ordinator/model/areas/reports/mailing'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import { namesPatients, type Report } from '@ordinator/model/report'
import { type ReportQuery, reportCalls } from '@ordinator/model/reportCalls'
import { endOf, type Period, startOf } from '@ordinator/model/reportPeriod'
import { plusDays } from '@ordinator/model/zone'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { actorOfUser } from '#auth/index.ts'
import { isTimeout, type Queryable } from '#platform/db.ts'
import { disposition } from '#platform/disposition.ts'
import { badRequest, HttpError } from '#platform/errors.ts'
import { readAside } from '#platform/replica.ts'
import { mustBeFresh, type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { PageCount } from '#records/pageCount.ts'
import type { ReportFilter } from '#records/reports/reportSql.ts'
import type { ReportSource } from '#records/reports/source.ts'
import { backgroundRun, RunStopped, type RunWork } from '#records/run.ts'
import { removeFiles } from '#records/trash.ts'
import { readFigures } from './figures.ts'
import { figuresTable, reportAbout, reportPaper, rowsTable } from './file.ts'
import { journal } from './journal.ts'
import { filterOf, groupingOf } from './query.ts'
import { dropOld } from './rollups.ts'
import { sourceOf } from './widgets.ts'

/** Maximum number of concurrent runs per user. */
const MAX_RUNS = 3
/** Timeout of a background statement; far above any request, and still bounded. */
const STATEMENT_MS = 15 * 60_000
const KEPT_DAYS = 3
/** Minutes for which a finished run answers the same request. */
const SAME_MINUTES = 10

export const reportRuns = records(ReportRun, { scope: { view: ({ row, me }) => sql`${row}."idUser" = ${me}` } })

const keyOf = (id: number): string => `reports/${id}`

interface CheckedQuery {
  query: ReportQuery
  filter: ReportFilter
  by: string[]
}

/** @throws HttpError 400 that names the invalid part of `asked` */
export function checkedQuery(report: Report, asked: unknown, actor: ServerActor): CheckedQuery {
  const read = reportCalls(report).figures.query?.safeParse(asked ?? {})
  if (!read?.success) {
    const [issue] = read?.error.issues ?? []
    throw badRequest(`Отбор${issue?.path.length ? `, ${issue.path.join('.')}` : ''}: ${issue?.message ?? 'не понят'}`)
  }
  const query = read.data as ReportQuery
  return { query, filter: filterOf(report, query, actor), by: groupingOf(report, query) }
}

/** @throws HttpError 400 as `checkedQuery`, 403 without the report's right */
export function checkedAsk(
  app: Pick<AppContext, 'areas'>,
  key: string,
  asked: unknown,
  actor: ServerActor,
): CheckedQuery & { source: ReportSource } {
  const source = sourceOf(app, key)
  if (!source || pageRefusal(pageByKey(source.report.page), actor)) throw new HttpError(403, 'Нет прав на этот отчёт')
  return { source, ...checkedQuery(source.report, asked, actor) }
}

export const startRun = operation(reportCatalogueCalls.run, async ({ app, actor, body }) => {
  const { report, asked, what, format } = body
  checkedAsk(app, report, asked, actor)
  if (what === 'rows' && format !== 'csv') throw badRequest('Параметр format: строки в фоне выгружаются в CSV')
  return beginRun(app, actor, { report, asked, what, format })
})

type Run = Row<typeof ReportRun>
type Ask = Pick<Run, 'report' | 'asked' | 'what' | 'format'>

/** Parameters of figures, without those of pages and files. */
export function askOf(report: Report, query: ReportQuery, what: 'figures' | 'rows'): Record<string, unknown> {
  const names = ['from', 'until', 'filial', 'is', ...Object.keys(report.parameters ?? {})]
  const asked = what === 'figures' ? [...names, 'by', 'compare'] : names
  return Object.fromEntries(asked.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))
}

/**
 * Counts in the background what takes longer than a request. The same request, repeated while it is counted or shortly
 * after, gets the same run.
 * @returns the id of the run
 * @throws HttpError 409 if the user has too many
 */
export async function continueInBackground(app: AppContext, actor: ServerActor, ask: Ask): Promise<number> {
  const known = await app.db.one<{ id: number }>(sql`select "id" from reports_runs where "idUser" = ${actor.id}
      and not "deleted" and "report" = ${ask.report} and "asked" = ${JSON.stringify(ask.asked)}::jsonb and "what" = ${ask.what}
      and "format" = ${ask.format} and ("state" = 'running'
        or "state" = 'done' and "dateCreate" > now() - make_interval(mins => ${SAME_MINUTES}::int))
    order by "id" desc limit 1`)
  return known?.id ?? (await beginRun(app, actor, ask)).id
}

const beginRun = (app: AppContext, actor: ServerActor, { report, asked, what, format }: Ask): Promise<Run> =>
  app.engine.for(actor).tx(async (engine, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('report runs ' || ${actor.id}::text, 0))`)
    const running = await tx.one<{ count: number }>(
      sql`select count(*)::int as count from reports_runs where "idUser" = ${actor.id} and "state" = 'running'`,
    )
    if ((running?.count ?? 0) >= MAX_RUNS)
      throw new HttpError(409, `Уже считаются ${MAX_RUNS} отчёта: дождитесь их или остановите`)
    const run = await engine.asSystem.create(ReportRun, { report, asked, what, format, idUser: actor.id })
    await reportCounts.queue(app, tx, run.id)
    return run
  })

export const cancelRun = operation(reportCatalogueCalls.cancelRun, ({ app, actor, params }) =>
  app.engine.for(actor).tx(async (engine, tx) => {
    await engine.row(ReportRun, params.id)
    return reportCounts.cancel(engine, tx, params.id, { state: 'cancelled', ...ended() }, 'Расчёт уже закончен')
  }),
)

export const runFigures = operation(
  reportCatalogueCalls.runFigures,
  async ({ app, records: engine, actor, params }) => {
    const run = await engine.row(ReportRun, params.id)
    checkedAsk(app, run.report, run.asked, actor)
    if (run.state !== 'done' || run.format !== 'json') throw new HttpError(409, 'Показатели ещё не готовы')
    return JSON.parse(await text(await app.files.get(keyOf(run.id))))
  },
)

export const runFile = operation(
  reportCatalogueCalls.runFile,
  async ({ app, records: engine, actor, params, reply }) => {
    const run = await engine.row(ReportRun, params.id)
    const { source, filter, by } = checkedAsk(app, run.report, run.asked, actor)
    if (namesPatients(source.report, run.what, by)) mustBeFresh(actor)
    if (run.state !== 'done' || run.format === 'json') throw new HttpError(409, 'Файл ещё не готов')
    if (run.what === 'rows' && source.report.patient) await journal(app, actor, 'export', `reports/${run.report}`, [])
    const name = `${source.report.title} ${formatDay(filter.from)}–${formatDay(filter.until)}.${run.format}`
    return reply
      .header('content-disposition', disposition('attachment', name))
      .type('application/octet-stream')
      .send(await app.files.get(keyOf(run.id)))
  },
)

/**
 * Counts the figures of a page within the request, else in the background; a request that is repeated meanwhile, or soon
 * after, gets the same run or its result.
 * @param asked without `undefined`
 * @returns the figures, or the run that counts them
 * @throws HttpError 409 if the background could not count them, or the user has too many runs
 */
export async function countPage<Asked extends object, Figures extends object>(
  app: AppContext,
  actor: ServerActor,
  { key, count }: PageCount<Asked, Figures>,
  asked: Asked,
): Promise<{ figures: Figures; run?: undefined } | { run: number; figures?: undefined }> {
  const known = await app.db.one<
    Pick<Run, 'id' | 'state' | 'message'>
  >(sql`select "id", "state", "message" from reports_runs
    where "idUser" = ${actor.id} and not "deleted" and "report" = ${key} and "asked" = ${JSON.stringify(asked)}::jsonb
      and ("state" = 'running' or "state" in ('done', 'failed')
        and "dateEnd" > now() - make_interval(mins => ${SAME_MINUTES}::int))
    order by "id" desc limit 1`)
  if (known?.state === 'running') return { run: known.id }
  if (known?.state === 'failed')
    throw new HttpError(409, known.message ?? 'Не удалось посчитать', { code: 'background' })
  if (known) return { figures: JSON.parse(await text(await app.files.get(keyOf(known.id)))) }
  try {
    return { figures: await count(app.db.broad, asked, actor) }
  } catch (error) {
    if (!isTimeout(error)) throw error
    return {
      run: (
        await beginRun(app, actor, {
          report: key,
          asked: Object.fromEntries(Object.entries(asked)),
          what: 'figures',
          format: 'json',
        })
      ).id,
    }
  }
}

const pageAt = ({ areas }: Pick<AppContext, 'areas'>, key: string): PageCount<object> | undefined =>
  areas.flatMap(({ counts = [] }) => counts as readonly PageCount<object>[]).find((one) => one.key === key)

/** Registers the deletion of old results. */
export function startSweep(app: AppContext): void {
  app.jobs.register('reports.sweep', { cron: '40 3 * * *', handler: () => sweep(app) })
}

const ended = () => ({ dateEnd: new Date().toISOString() })

/** Counts of reports. One that was interrupted is counted again. */
export const reportCounts = backgroundRun<typeof ReportRun>(ReportRun, {
  job: 'reports.run',
  going: ['running'],
  seconds: STATEMENT_MS / 1_000 + 120,
  after: 'again',
  begun: { done: 0 },
  failed: (message) => ({ state: 'failed', message, ...ended() }),
  broken: 'Не удалось посчитать: сузьте период или филиалы',
  // A statement that runs out of time would do so again.
  words: (_, error) => (isTimeout(error) ? 'Отчёт считается слишком долго: сузьте период или филиалы' : undefined),
  tidy: (app, { id }) => app.files.remove(keyOf(id)).catch(() => undefined),
  async work(app, run) {
    const { row, signal } = run
    const actor = await actorOfUser(app.db, row.idUser)
    if (!actor) throw new HttpError(403, 'Сотрудник больше не работает')
    const page = pageAt(app, row.report)
    if (page) {
      const figures = await withConnection(app, signal, (db) => page.count(db, row.asked ?? {}, actor))
      const size = await app.files.put(keyOf(row.id), Readable.from([JSON.stringify(figures)]))
      if (signal.aborted) throw new RunStopped()
      return run.finish({ state: 'done', size, done: 1, total: 1, ...ended() })
    }
    const asked = checkedAsk(app, row.report, row.asked, actor)
    const parts = row.what === 'rows' && !asked.source.report.isNow ? monthsOf(asked.filter) : []
    const total = Math.max(parts.length, 1)
    if (row.what === 'rows') await run.step({ total })
    const size = await app.files.put(keyOf(row.id), await resultOf(app, run, asked, actor, signal))
    if (signal.aborted) throw new RunStopped()
    await run.finish({ state: 'done', size, done: total, total, ...ended() })
  },
})

/** The bytes of the result, streamed. */
async function resultOf(
  app: AppContext,
  run: RunWork<typeof ReportRun>,
  { source, query, filter, by }: ReturnType<typeof checkedAsk>,
  actor: ServerActor,
  signal: AbortSignal,
): Promise<Readable> {
  const { id, what, format } = run.row
  if (what === 'rows') {
    const parts = source.report.isNow ? [filter] : monthsOf(filter).map((period) => ({ ...filter, ...period }))
    return Readable.from(rowsInParts(app, run, source, parts, actor, signal))
  }
  const figures = await withConnection(app, signal, (db) =>
    readFigures({ db, registry: app.registry, actor, inBackground: true }, source, filter, by, query.compare),
  )
  if (format === 'json') return Readable.from([JSON.stringify(figures)])
  if (format === 'pdf') return Readable.from([Buffer.from(await reportPaper(app, { source, filter, actor, figures }))])
  const table = figuresTable(source.report, figures)
  const about = await reportAbout(app, source.report, filter, actor)
  return app.exporter.run({ ...table, timeZone: actor.timeZone, format, about }, `report-run-${id}`)
}

/** Opens a separate connection, whose statement ends with the count. */
const withConnection = async <T>(
  app: AppContext,
  signal: AbortSignal,
  run: (db: Queryable) => Promise<T>,
): Promise<T> =>
  readAside(app.db, await app.db.replica?.ticket(), (client, isReplica) => within(client, isReplica, app, signal, run))

async function within<T>(
  client: pg.Client,
  isReplica: boolean,
  app: AppContext,
  signal: AbortSignal,
  run: (db: Queryable) => Promise<T>,
): Promise<T> {
  const cancel = () => void client.end().catch(() => undefined)
  try {
    if (signal.aborted) throw new RunStopped()
    const found = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = found.rows[0]?.pid
    // A backend of the replica cannot be cancelled from here: it sees that its client is gone.
    if (isReplica) await client.query(`set client_connection_check_interval = '1s'`)
    const stop = isReplica
      ? cancel
      : () => void app.db.query(sql`select pg_cancel_backend(${pid}::int)`).catch(() => undefined)
    signal.addEventListener('abort', stop, { once: true })
    await client.query(`set statement_timeout = ${STATEMENT_MS}`)
    await client.query('begin isolation level repeatable read read only')
    // Statements run one by one: a comparison takes no second connection.
    let last: Promise<unknown> = Promise.resolve()
    const query = <R>(asked: Parameters<Queryable['query']>[0]): Promise<R[]> => {
      const next = last.then(async () => (await client.query(asked)).rows as R[])
      last = next.catch(() => undefined)
      return next
    }
    return await run({ query, cipher: app.db.cipher, one: async (asked) => (await query<never>(asked))[0] })
  } finally {
    cancel()
  }
}

/** Months of a period, the latest first, in the order of the rows. */
function monthsOf({ from, until }: Period): Period[] {
  const months: Period[] = []
  for (let start = startOf('month', until); ; start = startOf('month', plusDays(start, -1))) {
    const last = endOf('month', start)
    months.push({ from: start < from ? from : start, until: last > until ? until : last })
    if (start <= from) return months
  }
}

/** One CSV of many parts: headers only from the first. */
async function* rowsInParts(
  app: AppContext,
  run: RunWork<typeof ReportRun>,
  source: ReportSource,
  parts: readonly ReportFilter[],
  actor: ServerActor,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (const [at, filter] of parts.entries()) {
    if (signal.aborted) throw new RunStopped()
    const table = rowsTable(source, filter, {}, { actor, registry: app.registry })
    const bytes = await app.exporter.run(
      { ...table, timeZone: actor.timeZone, format: 'csv' },
      `report-run-${run.row.id}`,
    )
    let isHead = at > 0
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      if (signal.aborted) throw new RunStopped()
      if (!isHead) yield piece
      else {
        const line = piece.indexOf('\n')
        if (line < 0) continue
        isHead = false
        yield piece.subarray(line + 1)
      }
    }
    await run.step({ done: at + 1 })
  }
}

async function sweep(app: AppContext): Promise<void> {
  await dropOld(app)
  const old = await app.db.query<{ id: number }>(
    sql`select "id" from reports_runs where not "deleted" and "dateCreate" < now() - make_interval(days => ${KEPT_DAYS}) limit 1000`,
  )
  await oneByOne(app, 'reports.sweep', old, async ({ id }) => {
    await app.engine.for(systemActor).tx(async (engine, tx) => {
      await engine.asSystem.remove(ReportRun, id)
      await removeFiles(app, tx, [keyOf(id)])
    })
  })
}
