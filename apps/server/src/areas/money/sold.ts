/**
 * What a line was sold as: the name, the subject and the VAT of its service on the day when it was given or prepaid
 * (`ledger_lines.sold`). A return and a correction take the rate of the sale (НК РФ, ст. 164; 54-ФЗ, ст. 4.7).
 */
import sql, { type Sql } from 'sql-template-tag'

/** SQL of what a service is sold as on a day. @param s its row */
export const soldNowSql = (s: Sql, day: Sql): Sql => sql`jsonb_build_object('name', ${s}."nameService",
  'subject', ${s}."paymentSubject", 'tax', ${s}."vatCode", 'day', ${day}::text)`

/**
 * SQL of the columns `name`, `subject`, `tax` and `day` of a line's receipts: as it was sold, whatever its service is now.
 * @param p the row of `ledger_lines`, which may be missing; `s` is the service
 */
export const soldSql = (p: Sql, s: Sql): Sql => sql`coalesce(${p}."sold"->>'name', ${s}."nameService") as name,
  coalesce((${p}."sold"->>'subject')::int, ${s}."paymentSubject") as subject,
  coalesce(${p}."sold"->>'tax', ${s}."vatCode") as tax, ${p}."sold"->>'day' as day`
