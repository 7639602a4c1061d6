/** Visits whose day is over and of whom nobody has said whether they came: the desk of the branch is asked. */
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { counted, formatDay } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { notify } from '../notifications/index.ts'
import { zoneSql } from './times.ts'

/** Days behind that are still asked about: a server that stood still makes up for so many. */
const DAYS = raw('7')

/** Who did not come is only proposed: a person marks it, since silence is no proof of it. */
export function askWhoCame(app: AppContext): void {
  app.jobs.register('visits.noShows', { cron: '*/15 * * * *', handler: () => endDays(app) })
}

export async function endDays(app: AppContext): Promise<void> {
  const today = sql`(now() at time zone ${zoneSql(raw('f'))})::date`
  await app.engine.for(systemActor).tx(async (own, tx) => {
    // Of each day of a branch once, however many servers look at it.
    const days = await tx.query<{ idFilial: number; localDate: string; count: number; desks: number[] }>(sql`
      with over as (select f."id" as "idFilial", v."localDate", v.count from filials f cross join lateral (
          select a."localDate", count(*)::int as count from appointments a
          where a."idFilial" = f."id" and a."localDate" >= ${today} - ${DAYS} and a."localDate" < ${today}
            and a."visitStatus" in ('booked', 'confirmed') and not a."deleted" and a."dateTo" < now()
          group by 1) v
        where not f."deleted"),
      told as (insert into visit_days_over ("idFilial", "localDate") select "idFilial", "localDate" from over
        order by 1, 2 on conflict do nothing returning "idFilial", "localDate")
      select o."idFilial", o."localDate"::text as "localDate", o.count, array(select distinct d."idUser" from filials_desks d
        where d."idFilial" = o."idFilial" and not d."deleted") as desks
      from told join over o using ("idFilial", "localDate") order by 1, 2`)
    for (const { idFilial, localDate, count, desks } of days)
      await notify({ actor: systemActor, tx, records: own }, desks, {
        kind: 'visits.unmarked',
        title: 'Не отмечено, кто пришёл',
        text: `${formatDay(localDate)}: ${counted(count, ['запись', 'записи', 'записей'])}`,
        path: Appointment.path,
        link: `/calendar/day-sheet?filial=${idFilial}&day=${localDate}&show=late`,
      })
  })
}
