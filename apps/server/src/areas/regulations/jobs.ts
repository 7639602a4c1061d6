/** Scheduled changes: approved versions come into force on their day, and reviews are reminded of. */
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { formatDay } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { notifyOfRegulation } from './notices.ts'
import { activate, hasCome, lockVersion } from './transitions.ts'

/** Days before a periodic review at which it is reminded of. */
const REVIEW_DAYS = 14

/**
 * The jobs `regulations.effective` and `regulations.review`. Safe in any number of processes: each change is made once.
 */
export function startRegulationJobs(app: AppContext): void {
  app.jobs.register('regulations.effective', {
    cron: '*/10 * * * *',
    handler: (_, { signal }) => comeIntoForce(app, signal),
  })
  app.jobs.register('regulations.review', {
    cron: '0 9 * * *',
    handler: (_, { signal }) => remindOfReviews(app, signal),
  })
}

async function comeIntoForce(app: AppContext, signal: AbortSignal): Promise<void> {
  const { db, engine } = app
  const due = await db.query<{ id: number }>(sql`
    select "id" from regulations where "status" = 'approved' and "dateEffective" <= ${clinicToday} and not "deleted"
    order by "dateEffective", "id"`)
  const activateDue = ({ id }: { id: number }) =>
    engine.for(systemActor).tx(async (records, tx) => {
      const now = await lockVersion(records, tx, id)
      // Another process or a person may have changed it before the lock.
      const isDue = now.status === 'approved' && now.dateEffective !== null && (await hasCome(tx, now.dateEffective))
      if (isDue) await activate({ actor: systemActor, tx, records }, now)
    })
  await oneByOne(app, 'regulations.effective', due, activateDue, signal)
}

/** SQL of the regulations `r` with a near review without a reminder. */
const reviewNear = sql`r."status" = 'active' and not r."deleted" and r."dateReview" <= ${clinicToday} + ${REVIEW_DAYS}::integer
  and r."dateReviewReminded" is distinct from r."dateReview"`

/** Reminds of near reviews, each once. */
async function remindOfReviews(app: AppContext, signal: AbortSignal): Promise<void> {
  const near = await app.db.query<{ id: number }>(
    sql`select r."id" from regulations r where ${reviewNear} order by r."dateReview", r."id"`,
  )
  const remind = ({ id }: { id: number }) =>
    app.engine.for(systemActor).tx(async (records, tx) => {
      const [regulation] = await records.asSystem.updateWhere(
        Regulation,
        { rows: sql`select r."id" from regulations r where ${reviewNear} and r."id" = ${id} for update skip locked` },
        ({ row }) => ({ dateReviewReminded: sql`${row}."dateReview"` }),
        {
          fields: ['id', 'name', 'idUser', 'idResponsibleUser', 'dateReview'],
          pastHooks: 'what is remembered of a reminder is no content',
        },
      )
      if (regulation)
        await notifyOfRegulation({ actor: systemActor, tx, records }, regulation, {
          event: 'periodic',
          title: `Пора пересмотреть регламент: до ${formatDay(regulation.dateReview)}`,
        })
    })
  await oneByOne(app, 'regulations.review', near, remind, signal)
}
