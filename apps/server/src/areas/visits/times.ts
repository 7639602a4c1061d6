/** Wall times of a branch and their moments, computed by PostgreSQL: Node has another time zone database. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'

/** SQL of a branch's time zone. @param filial alias of the branch; it may be a row of nulls */
export const zoneSql = (filial: Sql): Sql => sql`coalesce(nullif(${filial}."timeZone", ''), ${clinicZone})`

/** SQL of the moment of a wall time on the day in the time zone; `24:00` is the midnight after it. */
export const momentSql = (day: Sql, clock: Sql, zone: Sql): Sql =>
  sql`((${day}::date + ${clock}::interval) at time zone ${zone})`

/** SQL of the end moment: an end that is not after the beginning falls on the next day. */
export const endSql = (day: Sql, from: Sql, to: Sql, zone: Sql): Sql =>
  sql`((${day}::date + case when ${to} <= ${from} then 1 else 0 end + ${to}::interval) at time zone ${zone})`

/** A time of a visit by the wall clock of its branch, and its moments. */
export interface WallTime {
  localDate: string
  localStart: string
  dateFrom: string
  dateTo: string
  minutes: number
}

/**
 * The time at a branch, in whole minutes, for as long as is wanted, but no longer than its day.
 * @param at ISO; absent: now
 * @returns undefined if there is no such branch
 */
export const wallTimeAt = (
  db: Queryable,
  { idFilial, minutes, at }: { idFilial: number; minutes: number; at?: string },
): Promise<WallTime | undefined> => {
  const zone = zoneSql(raw('f'))
  return db.one<WallTime>(sql`
    select to_char(t.at, 'YYYY-MM-DD') as "localDate", to_char(t.at, 'HH24:MI') as "localStart",
      t.at at time zone ${zone} as "dateFrom", (t.at + make_interval(mins => t.minutes)) at time zone ${zone} as "dateTo", t.minutes
    from filials f cross join lateral (select w.at, least(${minutes}::int,
        greatest(1, (extract(epoch from date_trunc('day', w.at) + interval '1 day' - w.at) / 60)::int)) as minutes
      from (select date_trunc('minute', ${at === undefined ? sql`now()` : sql`${at}::timestamptz`} at time zone ${zone}) as at) w) t
    where f."id" = ${idFilial}`)
}
