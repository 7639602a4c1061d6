import sql, { join, type Sql } from 'sql-template-tag'

/** SQL of the label of a value from a fixed set. */
export const labelSql = (value: Sql, labels: Readonly<Record<string | number, string>>): Sql =>
  sql`case (${value})::text ${join(
    Object.entries(labels).map(([key, label]) => sql`when ${key} then ${label}`),
    ' ',
  )} end`
