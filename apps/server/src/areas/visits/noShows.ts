/** Asks the desk of a branch about past visits without an outcome. */
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { counted, formatDay } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { zoneSql } from './times.ts'

const JOB = 'visits.noShows'
/** Number of past days that are still asked about, to catch up after a downtime. */
const DAYS = raw('7')

/** A no-show is only proposed: a person confirms it, because a missing mark is no proof. */
export function askWhoCame(app: AppContext): void {
  app.jobs.register(JOB, { cron: '*/15 * * * *', handler: () => endDays(app) })
}

interface Day {
  /** Of a branch and a day. */
  id: string
  idFilial: number
  localDate: string
  count: number
}

export async function endDays(app: AppContext): Promise<void> {
  const today = sql`(now() at time zone ${zoneSql(raw('f'))})::date`
  const over = await app.db.query<Day>(sql`
    select f."id" || ' ' || v."localDate" as id, f."id" as "idFilial", v."localDate"::text as "localDate", v.count
    from filials f cross join lateral (
      select a."localDate", count(*)::int as count from appointments a
      where a."idFilial" = f."id" and a."localDate" >= ${today} - ${DAYS} and a."localDate" < ${today}
        and a."visitStatus" in ('booked', 'confirmed') and not a."deleted" and a."dateTo" < now()
      group by 1) v
    where not f."deleted" and not exists (select from visit_days_over t
      where t."idFilial" = f."id" and t."localDate" = v."localDate")
    order by 2, 3`)
  await oneByOne(app, JOB, over, (day) => askOf(app, day))
}

/** Asks once per branch and day, with any number of servers. */
const askOf = (app: AppContext, { idFilial, localDate, count }: Day) =>
  app.engine.for(systemActor).tx(async (records, tx) => {
    const branch = await tx.one<{ desks: number[] }>(sql`
      insert into visit_days_over ("idFilial", "localDate") values (${idFilial}, ${localDate}) on conflict do nothing
      returning array(select distinct d."idUser" from filials_desks d
        where d."idFilial" = ${idFilial} and not d."deleted") as desks`)
    if (!branch) return
    await notify({ actor: systemActor, tx, records }, branch.desks, {
      kind: 'visits.unmarked',
      title: 'Не отмечено, кто пришёл',
      text: `${formatDay(localDate)}: ${counted(count, ['запись', 'записи', 'записей'])}`,
      path: Appointment.path,
      link: `/calendar/day-sheet?filial=${idFilial}&day=${localDate}&show=late`,
    })
  })
