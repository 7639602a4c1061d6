/**
 * The demo clinic's two years before its own weeks: shifts, visits and their money, two weeks per batch and from the
 * latest back, after the server is ready. After an interruption the earliest day marks where to continue.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { payForVisits } from '#areas/money/index.ts'
import { demoEarlierVisits, demoPast } from '#areas/visits/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

const DEMO_YEARS = 'reports.demoYears'
const DAYS = 730
const AT_ONCE = 14
/** Delay after the start, for the first users. */
const START_MS = 20_000
/** Ratio of the pause to the duration of a batch, and its maximum in milliseconds. */
const RESTS = 1
const LONGEST_REST_MS = 3_000

export function startDemoYears(app: AppContext): void {
  if (!app.config.demoYears) return
  app.jobs.register(DEMO_YEARS, { handler: (_, { signal }) => makeYears(app, signal), timeout: 3_600 })
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

const isWanting = async (app: AppContext): Promise<boolean> =>
  (await app.db.one(sql`select 1 from demo_clinic where not "years"`)) !== undefined

export async function makeYears(app: AppContext, signal?: AbortSignal, days = DAYS): Promise<void> {
  while (!signal?.aborted && (await isWanting(app))) {
    const began = performance.now()
    await makePiece(app, days)
    await sleep(Math.min(LONGEST_REST_MS, RESTS * (performance.now() - began)))
  }
}

/** In a demo clinic without the two years, patients who come in its first days have come before them too. */
export async function demoWithoutYears(records: Records, { config }: Pick<AppContext, 'config'>): Promise<void> {
  if (!config.demoYears) await demoEarlierVisits(records, sql`(select min("localDate") from staff_events)`)
}

/** Makes one batch, completely or not at all. */
async function makePiece(app: AppContext, days: number): Promise<void> {
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
