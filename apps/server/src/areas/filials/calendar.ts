import { CalendarDay } from '@ordinator/model/areas/filials/calendarDay'
import { calendarOf, type DayKind, type WorkingCalendar } from '@ordinator/model/workingTime'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { records } from '#records/define.ts'

export const calendarDays = records(CalendarDay)

/**
 * The clinic's production calendar from `from` on (YYYY-MM-DD), for terms that begin then; up to two years, which no
 * term exceeds.
 */
export const readCalendar = async (db: Queryable, from: string): Promise<WorkingCalendar> =>
  calendarOf(
    await db.query<{ day: string; kind: DayKind }>(sql`select to_char("day", 'YYYY-MM-DD') as "day", "kind"
      from calendar_days where "day" between ${from}::date and ${from}::date + 731`),
  )
