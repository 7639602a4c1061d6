import sql, { type Sql } from 'sql-template-tag'

/**
 * SQL of a moment moved by the distance from `since` to `until` on the wall clock of the zone: a time of nine in the
 * morning stays at nine across a clock change. Null if one of the moments is.
 */
export const shifted = (moment: Sql, since: Sql, until: Sql, timeZone: string): Sql => {
  const local = (of: Sql) => sql`(${of} at time zone ${timeZone}::text)`
  return sql`((${local(moment)} + (${local(until)} - ${local(since)})) at time zone ${timeZone}::text)`
}
