/** What happens to regulations by itself: approved ones come into force on their day, and reviews are reminded of. */
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { formatDay } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { tellRegulation } from './notices.ts'
import { activate, hasCome, lockVersion, today } from './transitions.ts'

/** Days before a periodic review that it is reminded of. */
const REVIEW_DAYS = 14
/** Rows of one transaction. */
const AT_ONCE = 50

/** The jobs `regulations.effective` and `regulations.review`. Any number of processes may run them: a thing is done once. */
export function startRegulationJobs(app: AppContext): void {
  app.jobs.register('regulations.effective', {
    cron: '*/10 * * * *',
    handler: (_, { signal }) => comeIntoForce(app, signal),
  })
  app.jobs.register('regulations.review', {
    cron: '0 9 * * *',
    async handler(_, { signal }) {
      while (!signal.aborted && (await remind(app)) > 0);
    },
  })
}

async function comeIntoForce({ db, engine }: AppContext, signal: AbortSignal): Promise<void> {
  const due = await db.query<{ id: number }>(sql`
    select "id" from regulations where "status" = 'approved' and "dateEffective" <= ${today} and not "deleted"
    order by "dateEffective", "id"`)
  for (const { id } of due) {
    if (signal.aborted) return
    await engine.for(systemActor).tx(async (records, tx) => {
      const now = await lockVersion(records, tx, id)
      // Another process, or a person, may have been here before the lock.
      const isDue = now.status === 'approved' && now.dateEffective !== null && (await hasCome(tx, now.dateEffective))
      if (isDue) await activate({ actor: systemActor, tx, records }, now)
    })
  }
}

/** Reminds of the reviews that are near; each of them once. Answers how many. */
function remind({ engine }: AppContext): Promise<number> {
  return engine.for(systemActor).tx(async (records, tx) => {
    const near = await records.asSystem.updateWhere(
      Regulation,
      {
        rows: sql`select "id" from regulations
          where "status" = 'active' and not "deleted" and "dateReview" <= ${today} + ${REVIEW_DAYS}::integer
            and "dateReviewReminded" is distinct from "dateReview"
          order by "dateReview", "id" limit ${AT_ONCE} for update skip locked`,
      },
      ({ row }) => ({ dateReviewReminded: sql`${row}."dateReview"` }),
      {
        fields: ['id', 'name', 'idUser', 'idResponsibleUser', 'dateReview'],
        pastHooks: 'what is remembered of a reminder is no content',
      },
    )
    for (const regulation of near)
      await tellRegulation({ actor: systemActor, tx, records }, regulation, {
        event: 'periodic',
        title: `Пора пересмотреть регламент: до ${formatDay(regulation.dateReview)}`,
      })
    return near.length
  })
}
