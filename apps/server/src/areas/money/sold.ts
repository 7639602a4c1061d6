/**
 * What a line was sold as: the name, the subject and the VAT of its service on the day when it was given or prepaid
 * (`ledger_lines.sold`). A return and a correction take the rate of the sale (НК РФ, ст. 164; 54-ФЗ, ст. 4.7).
 */
import type { Service } from '@ordinator/model/areas/catalogue/service'
import sql, { join, raw, type Sql } from 'sql-template-tag'

/** Fields of a service that documents of a sold line name, besides those of its receipts. */
const named = [
  'shortNameService',
  'code',
  'medicalCode',
  'article',
  'unit',
] as const satisfies (keyof typeof Service.fields)[]

/** SQL of what a service is sold as on a day. @param s its row */
export const soldNowSql = (s: Sql, day: Sql): Sql => sql`jsonb_build_object('name', ${s}."nameService",
  'subject', ${s}."paymentSubject", 'tax', ${s}."vatCode", 'day', ${day}::text, 'service', jsonb_build_object(${join(
    named.map((field) => sql`${raw(`'${field}'`)}, ${s}.${raw(`"${field}"`)}`),
  )}))`

/** SQL of the fields of its service as a line was sold, by field (jsonb); null before. @param l the line */
export const soldServiceSql = (l: Sql): Sql => sql`(select coalesce(z."sold"->'service', '{}') || jsonb_build_object(
    'nameService', z."sold"->'name', 'paymentSubject', z."sold"->'subject', 'vatCode', z."sold"->'tax', 'priceService', ${l}."price")
  from ledger_lines z where z."idLine" = ${l}."id" and z."sold" is not null)`

/**
 * SQL of a field of its service as a line was sold; until then, and where the service had none, that of today.
 * @param l the line; `s` its service
 */
export const soldFieldSql = (l: Sql, s: Sql, field: (typeof named)[number] | 'nameService'): Sql =>
  sql`coalesce(${soldServiceSql(l)}->>${raw(`'${field}'`)}, ${s}.${raw(`"${field}"`)})`

/**
 * SQL of the columns `name`, `subject`, `tax` and `day` of a line's receipts: as it was sold, whatever its service is now.
 * @param p the row of `ledger_lines`, which may be missing; `s` is the service
 */
export const soldSql = (p: Sql, s: Sql): Sql => sql`coalesce(${p}."sold"->>'name', ${s}."nameService") as name,
  coalesce((${p}."sold"->>'subject')::int, ${s}."paymentSubject") as subject,
  coalesce(${p}."sold"->>'tax', ${s}."vatCode") as tax, ${p}."sold"->>'day' as day`
