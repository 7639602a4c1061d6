/** SQL: what of the clinic visitors of the site and patients see, and book by themselves. */
import sql, { type Sql } from 'sql-template-tag'

export const publicService = (s: Sql): Sql =>
  sql`${s}."active" and ${s}."activeShop" and ${s}."serviceCategory" = 0 and not ${s}."deleted"`
export const publicFilial = (f: Sql): Sql => sql`${f}."active" and ${f}."activeForShop" and not ${f}."deleted"`
export const publicDoctor = (u: Sql): Sql => sql`${u}."isOnSite" and not ${u}."isBlocked" and not ${u}."deleted"`
