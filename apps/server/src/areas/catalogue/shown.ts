/** SQL of the clinic's records visible to site visitors and patients, and bookable online. */
import { PRODUCT, SERVICE } from '@ordinator/model/areas/catalogue/service'
import sql, { type Sql } from 'sql-template-tag'

const onSite = (s: Sql): Sql => sql`${s}."active" and ${s}."activeShop" and not ${s}."deleted"`

/** The name of a service in words of patients: its plain one, else the official one. */
export const publicNameSql = (s: Sql): Sql => sql`coalesce(nullif(${s}."publicName", ''), ${s}."nameService")`
/** Bookable services. */
export const publicService = (s: Sql): Sql => sql`${onSite(s)} and ${s}."serviceCategory" = ${SERVICE}`
/** Products for sale, never bookable; goods under quantitative record (ПКУ) are not offered to the public. */
export const publicGood = (s: Sql): Sql =>
  sql`${onSite(s)} and ${s}."serviceCategory" = ${PRODUCT} and not ${s}."isPku"`
export const publicFilial = (f: Sql): Sql => sql`${f}."active" and ${f}."activeForShop" and not ${f}."deleted"`
export const publicDoctor = (u: Sql): Sql => sql`${u}."isOnSite" and not ${u}."isBlocked" and not ${u}."deleted"`
