/** Wall times of a branch and their moments, computed by PostgreSQL: Node has another time zone database. */
import sql, { type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'

/** SQL of a branch's time zone. @param filial alias of the branch; it may be a row of nulls */
export const zoneSql = (filial: Sql): Sql => sql`coalesce(nullif(${filial}."timeZone", ''), ${clinicZone})`

/** SQL of the moment of a wall time on the day in the time zone; `24:00` is the midnight after it. */
export const momentSql = (day: Sql, clock: Sql, zone: Sql): Sql =>
  sql`((${day}::date + ${clock}::interval) at time zone ${zone})`

/** SQL of the end moment: an end that is not after the beginning falls on the next day. */
export const endSql = (day: Sql, from: Sql, to: Sql, zone: Sql): Sql =>
  sql`((${day}::date + case when ${to} <= ${from} then 1 else 0 end + ${to}::interval) at time zone ${zone})`
