/** SQL: what of the clinic visitors of the site and patients see, and what they book by themselves. */
import { PRODUCT, SERVICE } from '@ordinator/model/areas/catalogue/service'
import sql, { type Sql } from 'sql-template-tag'

const onSite = (s: Sql): Sql => sql`${s}."active" and ${s}."activeShop" and not ${s}."deleted"`

/** What may be booked. */
export const publicService = (s: Sql): Sql => sql`${onSite(s)} and ${s}."serviceCategory" = ${SERVICE}`
/** What is sold and never booked; goods under quantitative record (ПКУ) are not offered to the public. */
export const publicGood = (s: Sql): Sql =>
  sql`${onSite(s)} and ${s}."serviceCategory" = ${PRODUCT} and not ${s}."isPku"`
export const publicFilial = (f: Sql): Sql => sql`${f}."active" and ${f}."activeForShop" and not ${f}."deleted"`
export const publicDoctor = (u: Sql): Sql => sql`${u}."isOnSite" and not ${u}."isBlocked" and not ${u}."deleted"`
