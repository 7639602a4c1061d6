/**
 * The steps of a file as jobs of one process at a time. A step whose server was killed, or whose job was lost, is found
 * by
 * `runs.resume` and goes on from its last portion.
 */
import type { MoveFileState } from '@ordinator/model/areas/moving/move'
import sql from 'sql-template-tag'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { type BackgroundRun, exclusively, isIdleSql } from '#records/run.ts'
import { readFile } from './readFile.ts'
import { revertFiles } from './revert.ts'
import { step, workOn } from './work.ts'

/** Seconds after which a step that hands on nothing counts as lost; far above a slice. */
const LOST_AFTER = 240

type Run = Pick<BackgroundRun, 'register' | 'resume'>

/** @param work returns `more` when the rest is to be done by the next job */
const stepRun = (
  job: string,
  state: MoveFileState,
  work: (app: AppContext, id: number, signal: AbortSignal) => Promise<unknown>,
): Run => ({
  register(app) {
    app.jobs.register<{ id: number }>(job, {
      async handler({ id }, { signal }) {
        let isMore = false
        await exclusively(app, job, id, LOST_AFTER, async () => {
          isMore = (await work(app, id, signal)) === 'more'
        })
        if (isMore) await app.jobs.send(job, { id })
      },
      timeout: LOST_AFTER,
    })
  },
  async resume(app) {
    const left = await app.db.query<{ id: number }>(sql`select f."id"::int as id from moving_files f
      where f."state" = ${state} and not f."deleted" and ${isIdleSql(job, sql`f."id"`)} order by f."id" limit 100`)
    await oneByOne(app, job, left, ({ id }) => app.jobs.send(job, { id }, { key: `${id}` }))
  },
})

const REVERT = 'moving.revert'

/** Files of one move are taken back in one job, the last one first. */
const revertRun: Run = {
  register(app) {
    app.jobs.register<{ ids: readonly number[] }>(REVERT, {
      async handler({ ids }, { signal }) {
        const [first] = ids
        const move = await app.db.one<{ id: number }>(
          sql`select "idMove"::int as id from moving_files where "id" = ${first ?? 0}`,
        )
        if (!move) return
        let rest: readonly number[] = []
        await exclusively(app, REVERT, move.id, LOST_AFTER, async () => {
          rest = await revertFiles(app, ids, signal)
        })
        if (rest.length > 0) await app.jobs.send(REVERT, { ids: rest })
        // Another file of this move may have been asked back meanwhile: its job found this one at work.
        else await revertRun.resume(app)
      },
      timeout: LOST_AFTER,
    })
  },
  async resume(app) {
    const left = await app.db.query<{ id: number; ids: number[] }>(sql`select f."idMove"::int as id,
        array_agg(f."id"::int order by f."dateEnd" desc nulls last, f."id" desc) as ids
      from moving_files f where f."state" = 'reverting' and not f."deleted" and ${isIdleSql(REVERT, sql`f."idMove"`)}
      group by 1 limit 100`)
    await oneByOne(app, REVERT, left, ({ id, ids }) => app.jobs.send(REVERT, { ids }, { key: `${id}` }))
  },
}

export const movingRuns: readonly Run[] = [
  stepRun('moving.read', 'reading', (app, id) => step(app, id, 'reading', (file) => readFile(app, file))),
  stepRun('moving.rehearse', 'checking', (app, id, signal) =>
    step(app, id, 'checking', (file) => workOn(app, file, true, signal)),
  ),
  stepRun('moving.run', 'running', (app, id, signal) =>
    step(app, id, 'running', (file) => workOn(app, file, false, signal)),
  ),
  revertRun,
]
