/** What every part of a handover reads with: portions by key, pauses between them, the cancel. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FilialHandover } from '@ordinator/model/areas/handover/handover'
import sql from 'sql-template-tag'
import type { AppContext } from '#records/context.ts'
import { RunStopped, type RunWork } from '#records/run.ts'
import type { Handover } from './whose.ts'

/** Patients whose rows are in memory together. */
const PATIENTS = 200
/** Longest pause between two portions, in milliseconds: work of the clinic goes first. */
const MAX_PAUSE = 100
/** Milliseconds between two writes of the progress. */
const TOLD_MS = 2_000

export interface Source extends Handover {
  app: AppContext
  /** Before the ids of records: ids of two clinics that move into one never meet. */
  mark: string
  /** The moment that separates past visits from future ones, ISO 8601, and its day by the clock of the branch. */
  now: string
  day: string
  zone: string
  patients: number
  /** Called before each portion. @throws RunStopped */
  next(): Promise<void>
  /** The work has come to this part of `of`, a stage from `from` to `to` percent. */
  stage(words: string, from: number, to: number, of: number): Stage
}

export interface Stage {
  done(more: number): void
}

/** Pace, progress and cancel of a run. */
export function paceOf(run: RunWork<typeof FilialHandover>): Pick<Source, 'next' | 'stage'> {
  let now = { words: '', from: 0, to: 0, of: 1, done: 0 }
  let reported = { at: Date.now(), words: '' }
  let worked = performance.now()
  return {
    async next() {
      if (run.signal.aborted) throw new RunStopped()
      // A pause as long as the portion took.
      await sleep(Math.min(MAX_PAUSE, performance.now() - worked))
      if (now.words !== reported.words || Date.now() - reported.at > TOLD_MS) {
        reported = { at: Date.now(), words: now.words }
        const share = Math.min(1, now.done / Math.max(1, now.of))
        await run.step({ stage: now.words, progress: Math.floor(now.from + (now.to - now.from) * share) })
      }
      worked = performance.now()
    },
    stage(words, from, to, of) {
      const own = { words, from, to, of, done: 0 }
      now = own
      return {
        done: (more) => {
          own.done += more
        },
      }
    },
  }
}

/** The patients of a handover, in portions by id. @param isOnly those who were nowhere else, others, or all */
export async function* patientsOf(source: Source, isOnly?: boolean): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    await source.next()
    const rows = await source.app.db.query<{ id: number }>(sql`select "idCustomer"::int as id from handover_patients
      where "idHandover" = ${source.id} and "idCustomer" > ${after}
        and (${isOnly ?? null}::boolean is null or "isOnly" = ${isOnly ?? null}) order by "idCustomer" limit ${PATIENTS}`)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ id }) => id)
    after = last.id
  }
}
