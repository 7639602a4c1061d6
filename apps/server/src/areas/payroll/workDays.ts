/** Days of the timesheet, as payroll counts them. */

import type { WorkDay } from '@ordinator/model/areas/payroll/facts'
import { workOf } from '@ordinator/model/areas/payroll/timesheet'
import type { EventType } from '@ordinator/model/areas/visits/shift'
import { dayKindOf } from '@ordinator/model/workingTime'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { readCalendar } from '#areas/filials/index.ts'
import type { Queryable } from '#platform/db.ts'

/** Days off of a month, and its norm by the production calendar. */
export async function monthCalendar(db: Queryable, from: string, to: string) {
  const calendar = await readCalendar(db, from)
  const off = new Set<string>()
  let normHours = 0
  let normDays = 0
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    const kind = dayKindOf(day, calendar)
    if (kind === 'off') off.add(day)
    else {
      normDays++
      normHours += kind === 'short' ? 7 : 8
    }
  }
  return { off, norm: { normHours, normDays } }
}

export interface TimesheetDayFacts extends Omit<WorkDay, 'isHoliday'> {
  absence: EventType | null
  idCorrection: number | null
  reason: string | null
}

/** The timesheet of a branch: days by person; manual corrections replace the shifts. */
export async function workDays(
  db: Queryable,
  idFilial: number,
  from: string,
  to: string,
): Promise<Map<number, Map<string, TimesheetDayFacts>>> {
  const events = await db.query<{
    idUser: number
    day: string
    type: EventType
    localFrom: string
    localTo: string
  }>(sql`
    select e."idUser", to_char(e."localDate", 'YYYY-MM-DD') as day, e."type", e."localFrom", e."localTo"
    from staff_events e where not e."deleted" and e."localDate" between ${from} and ${to}
      and (e."idFilial" = ${idFilial} or (e."idFilial" is null and e."type" <> 'shift')) order by 1, 2`)
  const all = new Map<number, Map<string, TimesheetDayFacts>>()
  for (const [idUser, own] of Map.groupBy(events, (one) => one.idUser)) {
    const days = new Map<string, TimesheetDayFacts>()
    for (const [day, some] of Map.groupBy(own, (one) => one.day)) {
      const absence = some.find(({ type }) => type !== 'shift' && type !== 'block')?.type ?? null
      days.set(day, { day, ...workOf(some), absence, idCorrection: null, reason: null })
    }
    all.set(idUser, days)
  }
  const corrected = await db.query<{
    id: number
    idUser: number
    day: string
    hours: number
    nightHours: number
    reason: string
  }>(sql`
    select "id", "idUser", to_char("localDate", 'YYYY-MM-DD') as day, "hours"::float8 as hours,
      "nightHours"::float8 as "nightHours", "reason"
    from payroll_days where not "deleted" and "idFilial" = ${idFilial} and "localDate" between ${from} and ${to}`)
  for (const { id, idUser, day, hours, nightHours, reason } of corrected) {
    const days = all.get(idUser) ?? new Map<string, TimesheetDayFacts>()
    all.set(idUser, days)
    const absence = days.get(day)?.absence ?? null
    days.set(day, { day, hours, nightHours, isShift: hours > 0, absence, idCorrection: id, reason })
  }
  return all
}
