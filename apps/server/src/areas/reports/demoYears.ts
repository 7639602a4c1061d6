/**
 * The demo clinic's two years before its own weeks: shifts, visits and their money, a week per batch and from the latest
 * back, after the server is ready. They take what the clinic leaves: backends of low priority, and a batch begins only
 * while nobody is at work and the machine is not busy. After an interruption the earliest day marks where to continue.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { payForVisits } from '#areas/money/index.ts'
import { demoEarlierVisits, demoPast } from '#areas/visits/index.ts'
import { createDb } from '#platform/db.ts'
import { watchLoad } from '#platform/load.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

const DEMO_YEARS = 'reports.demoYears'
const DAYS = 730
const AT_ONCE = 7
/** Delay after the start, for the first users. */
const START_MS = 20_000
/** Ratio of the pause to the duration of a batch. */
const RESTS = 3
/** Nobody is at work when no request of a signed-in person came for this time. */
const QUIET_MS = 5_000
/** The longest wait before a batch: where somebody is always at work, the years still come. */
const LONGEST_WAIT_MS = 30_000
const LOOK_MS = 500

export function startDemoYears(app: AppContext): void {
  if (!app.config.demoYears) return
  let askedAt = Number.NEGATIVE_INFINITY
  app.server.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization) askedAt = performance.now()
    done()
  })
  const handler = async (_: unknown, { signal }: { signal: AbortSignal }): Promise<void> => {
    const load = watchLoad()
    const { url, isOurs } = app.db
    const db = createDb({
      ...{ url, isOurs, log: app.log, secret: app.config.secret },
      ...{ max: 1, lowPriority: true, applicationName: 'ordinator-demo' },
    })
    const isCalm = () => load.factor() === 1 && performance.now() - askedAt > QUIET_MS
    try {
      await makeYears(
        { ...app, db, engine: app.engine.on(db) },
        { signal, before: (ms) => untilCalm(isCalm, ms, signal) },
      )
    } finally {
      load.stop()
      await db.end()
    }
  }
  app.jobs.register(DEMO_YEARS, { handler, timeout: 4 * 3_600 })
  app.onWorking(() => {
    const timer = setTimeout(async () => {
      try {
        if (await isWanting(app)) await app.jobs.send(DEMO_YEARS, {}, { key: 'years' })
      } catch (error) {
        app.log.warn({ err: error }, 'demo years: not begun')
      }
    }, START_MS)
    app.onClose(() => clearTimeout(timer))
  })
}

/** Rests after a batch that took `ms`, and then waits for calm. */
async function untilCalm(isCalm: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS
  await sleep(Math.min(RESTS * ms, LONGEST_WAIT_MS))
  while (!signal.aborted && !isCalm() && performance.now() < until) await sleep(LOOK_MS)
}

const isWanting = async (app: Pick<AppContext, 'db'>): Promise<boolean> =>
  (await app.db.one(sql`select 1 from demo_clinic where not "years"`)) !== undefined

interface Making {
  days?: number
  signal?: AbortSignal
  /** Resolves when the next batch may begin. @param ms duration of the former one; 0: none */
  before?(ms: number): Promise<void>
}

/** Makes the years that are still missing, batch by batch. @param app with the connections to use */
export async function makeYears(
  app: Pick<AppContext, 'db' | 'engine'>,
  { days = DAYS, signal, before }: Making = {},
): Promise<void> {
  let took = 0
  while (!signal?.aborted && (await isWanting(app))) {
    await before?.(took)
    const began = performance.now()
    await makePiece(app, days)
    took = performance.now() - began
  }
}

/** In a demo clinic without the two years, patients who come in its first days have come before them too. */
export async function demoWithoutYears(records: Records, { config }: Pick<AppContext, 'config'>): Promise<void> {
  if (!config.demoYears) await demoEarlierVisits(records, sql`(select min("localDate") from staff_events)`)
}

/** Makes one batch, completely or not at all. */
async function makePiece(app: Pick<AppContext, 'engine'>, days: number): Promise<void> {
  await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query(sql`set local statement_timeout = 0`)
    if (!(await tx.one(sql`select 1 from demo_clinic where not "years" for update skip locked`))) return
    const at = await tx.one<{ first: string; last: string; isLast: boolean }>(sql`
      select d.last::text as last, greatest(d.last - ${AT_ONCE - 1}::int, current_date - ${days}::int)::text as first,
        d.last - ${AT_ONCE}::int < current_date - ${days}::int as "isLast"
      from (select coalesce("yearsFrom", (select min("localDate") from staff_events)) - 1 as last from demo_clinic) d`)
    if (!at) return
    await demoPast(records, tx, [sql`${at.first}::date`, sql`${at.last}::date`])
    if (at.isLast) await demoEarlierVisits(records, sql`${at.first}::date`)
    await payForVisits(records, tx, { isPast: true })
    await tx.query(sql`update demo_clinic set "yearsFrom" = ${at.first}::date, "years" = ${at.isLast}`)
  })
}
