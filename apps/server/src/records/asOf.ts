/** Values of records at an earlier moment, reconstructed from history. */
import sql, { join, raw, type Sql } from 'sql-template-tag'

export interface AsOf {
  /** A `left join lateral … on true` to the record's first changes after the moment. */
  join: Sql
  /** SQL of a field as text, at the moment. */
  value(field: string): Sql
  /** SQL: the record was in the trash at the moment. */
  gone: Sql
}

/**
 * SQL of fields of a record at a moment: the value replaced by the first later change, else the current one. History is
 * read only for rows changed since.
 * @param alias of the row; its table has `dateChange` and `deleted`
 * @param fields columns recorded in history
 * @param at SQL of the moment; a future moment gives the current row
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
