import sql, { type Sql } from 'sql-template-tag'

/**
 * SQL of a moment moved as far as from `since` to `until` on the clock of the zone: what was at nine in the morning
 * stays at nine over a change of the clocks. Null where one of the moments is.
 */
export const shifted = (moment: Sql, since: Sql, until: Sql, timeZone: string): Sql => {
  const local = (of: Sql) => sql`(${of} at time zone ${timeZone}::text)`
  return sql`((${local(moment)} + (${local(until)} - ${local(since)})) at time zone ${timeZone}::text)`
}
