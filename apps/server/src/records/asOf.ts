/** What records held at an earlier moment, by the house's history. */
import sql, { join, raw, type Sql } from 'sql-template-tag'

export interface AsOf {
  /** A `left join lateral … on true` of the record's first changes after the moment. */
  join: Sql
  /** SQL of a field as text, as it was at the moment. */
  value(field: string): Sql
  /** SQL of whether the record was in the trash at the moment. */
  gone: Sql
}

/**
 * SQL of fields of a record as they were at a moment: what the first later change replaced, else what the row says now.
 * History is read only for rows that have changed since.
 * @param alias of the row; its table has `dateChange` and `deleted`
 * @param fields columns that history keeps
 * @param at SQL of the moment; one that is yet to come gives the row of now
 */
export function asOf(path: string, alias: string, fields: readonly string[], at: Sql): AsOf {
  const row = raw(alias)
  const then = raw(`"${alias}_then"`)
  const first = (field: string) => sql`(array_agg(h."changes" -> ${field} -> 0 order by h."id")
    filter (where h."changes" ? ${field}))[1] as ${raw(`"${field}"`)}`
  return {
    join: sql`left join lateral (
      select ${join(fields.map(first))}, (array_agg(h."action" order by h."id")
        filter (where h."action" in ('delete', 'restore')))[1] as "action"
      from history h where (${row}."dateChange" >= ${at} or ${row}."deleted") and h."path" = ${path}
        and h."idEntity" = ${row}."id" and h."dateCreate" >= ${at} and h."action" <> 'create') ${then} on true`,
    value: (field) => sql`coalesce(${then}.${raw(`"${field}"`)}, to_jsonb(${row}.${raw(`"${field}"`)})) #>> '{}'`,
    gone: sql`case ${then}."action" when 'delete' then false when 'restore' then true else ${row}."deleted" end`,
  }
}
