import sql, { join, type Sql } from 'sql-template-tag'

/** SQL of the label of a value from a fixed set. */
export const labelSql = (value: Sql, labels: Readonly<Record<string | number, string>>): Sql =>
  sql`case (${value})::text ${join(
    Object.entries(labels).map(([key, label]) => sql`when ${key} then ${label}`),
    ' ',
  )} end`

/** SQL of rubles as people read them: «2 400,50 ₽», without empty kopecks. */
export const moneyText = (rubles: Sql): Sql =>
  sql`regexp_replace(replace(replace(ltrim(to_char((${rubles})::numeric, '999,999,999,990.00')), ',', chr(160)), '.', ','), ',00$', '') || chr(160) || '₽'`
