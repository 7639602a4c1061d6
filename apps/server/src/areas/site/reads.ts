/**
 * All data available to visitors: every statement names its fields and the condition of public records. Hidden prices
 * stay in the database.
 */
import { PRODUCT } from '@ordinator/model/areas/catalogue/service'
import { LeadRequest } from '@ordinator/model/areas/sales/intake'
import type { Block } from '@ordinator/model/areas/site/blocks'
import type { DocumentKind } from '@ordinator/model/areas/site/documentKinds'
import type { PolicyKind } from '@ordinator/model/areas/site/policy'
import type { SiteTheme } from '@ordinator/model/areas/site/theme'
import type { Row } from '@ordinator/model/entity'
import type { Holiday, WorkingHours } from '@ordinator/model/hours'
import { gateOf, tariffIncludes } from '@ordinator/model/tariff'
import sql, { raw, type Sql } from 'sql-template-tag'
import {
  priceSql,
  publicDoctor,
  publicFilial,
  publicGood,
  publicNameSql,
  publicService,
  publicStock,
} from '#areas/catalogue/index.ts'
import { isOfferedSql } from '#areas/money/index.ts'
import { clinicToday, clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'

export type Theme = Row<typeof SiteTheme>

/** SQL condition: visitors see the record. */
export const publicNews = (n: Sql): Sql => sql`${n}."active" and ${n}."isOnSite" and not ${n}."deleted"`
export const publicDocument = (d: Sql): Sql => sql`${d}."isPublished" and not ${d}."deleted"
  and (${d}."validTo" is null or ${d}."validTo" >= ${clinicToday})`
/** SQL condition: the version of a policy is in force. */
export const policyInForce = (
  p: Sql,
): Sql => sql`${p}."isPublished" and not ${p}."deleted" and ${p}."dateFrom" <= ${clinicToday}
  and not exists (select 1 from client_policies later where later."kind" = ${p}."kind" and later."isPublished"
    and not later."deleted" and later."dateFrom" <= ${clinicToday}
    and (later."dateFrom", later."number") > (${p}."dateFrom", ${p}."number"))`

export async function readTheme(db: Queryable): Promise<Theme> {
  const theme = await db.one<Theme>(sql`select * from client_theme order by "id" limit 1`)
  if (!theme) throw new Error('the site has no theme')
  return theme
}

export interface Link {
  title: string
  slug: string | null
  place: string
}
export interface Site {
  theme: Theme
  name: string
  timeZone: string
  today: string
  links: Link[]
  policies: { kind: PolicyKind }[]
  /** Whether the site has records of each kind. */
  has: {
    services: boolean
    goods: boolean
    memberships: boolean
    doctors: boolean
    filials: boolean
    news: boolean
    documents: boolean
  }
  /** The newest consent for visitors, required by forms. */
  consent: number | null
  hasIntake: boolean
  /** The patients' room is open. */
  isPortal: boolean
  /** Online booking is enabled. */
  isBooking: boolean
  /** Patients pay in their portal. */
  isPaying: boolean
  domains: { name: string; key: string }[]
}

const MAX_LINKS = 40

/** Fields from the settings and the theme. */
type Known = 'theme' | 'name' | 'isPortal' | 'isBooking' | 'isPaying'

/** Data shown on every page. */
export async function readSite(db: Queryable): Promise<Site> {
  const theme = await readTheme(db)
  const { clinicName, portalActive, portalActions, tariff } = await readCommonSettings(db)
  const more = await db.one<Omit<Site, Known>>(sql`select ${clinicZone} as "timeZone", ${clinicToday}::text as "today",
    coalesce((select json_agg(json_build_object('title', l."title", 'slug', l."slug", 'place', l."place") order by l."order")
      from (select v."title", v."slug", v."place", p."order" from client_versions v join client_pages p on p."id" = v."idPage"
        where v."isCurrent" and v."place" <> 'none' and not p."isHome" order by p."order" limit ${MAX_LINKS}) l), '[]') as "links",
    coalesce((select json_agg(json_build_object('kind', p."kind") order by p."kind") from client_policies p
      where ${policyInForce(raw('p'))}), '[]') as "policies",
    json_build_object(
      'services', exists (select 1 from services s where ${publicService(raw('s'))}),
      'goods', exists (select 1 from services s where ${publicGood(raw('s'))}),
      'memberships', exists (select 1 from membership_types t where ${isOfferedSql(raw('t'), 'site')}),
      'doctors', exists (select 1 from users u where ${publicDoctor(raw('u'))}),
      'filials', exists (select 1 from filials f where ${publicFilial(raw('f'))}),
      'news', exists (select 1 from news n where ${publicNews(raw('n'))}),
      'documents', exists (select 1 from client_documents d where ${publicDocument(raw('d'))})) as "has",
    (select p."id" from client_policies p where p."kind" = 'consent' and ${policyInForce(raw('p'))} limit 1) as "consent",
    exists (select 1 from sales_management_intakes i where i."kind" = 'form' and i."isActive" and not i."deleted") as "hasIntake",
    coalesce((select json_agg(json_build_object('name', d."name", 'key', d."key")) from live_assist_domains d
      where d."active" and not d."deleted"), '[]') as "domains"`)
  const isBooking = portalActive && portalActions.includes('book')
  const isPaying = portalActive && portalActions.includes('pay')
  const name = theme.name || clinicName || 'Клиника'
  const site = { theme, name, isPortal: portalActive, isBooking, isPaying, ...(more as Omit<Site, Known>) }
  // Without deals in the tariff a request would not be seen.
  return { ...site, hasIntake: site.hasIntake && tariffIncludes(tariff, gateOf(LeadRequest.path)?.tariff ?? 'basic') }
}

export interface PublishedPage {
  id: number
  title: string
  slug: string | null
  blocks: Block[]
  seoTitle: string | null
  seoDescription: string | null
  noIndex: boolean
  datePublished: string
}

/** @param slug '' is the home page */
export const readPage = (db: Queryable, slug: string): Promise<PublishedPage | undefined> =>
  db.one(sql`select v."idPage" as "id", v."title", v."slug", v."blocks", v."seoTitle", v."seoDescription", v."noIndex",
      v."dateCreate" as "datePublished"
    from client_versions v join client_pages p on p."id" = v."idPage" and not p."deleted"
    where v."isCurrent" and coalesce(v."slug", '') = ${slug}`)

export const readRedirect = (db: Queryable, from: string): Promise<{ to: string } | undefined> =>
  db.one(sql`select "to" from client_redirects where lower("from") = ${from} and not "deleted"`)

export interface Price {
  idFilial: number
  filial: string
  price: number | null
}
/** Free stock of a product in a branch, in whole units; not counted beyond the steps of `stockText`. */
export interface Stock {
  idFilial: number
  filial: string
  free: number
}
export interface ServiceLine {
  id: number
  /** A product, which is sold and not booked. */
  isGood: boolean
  name: string
  friendlyUrl: string | null
  group: string | null
  approximately: boolean
  hidePrice: boolean
  prices: Price[]
  /** Of a product tracked by the warehouse. */
  stock: Stock[]
}

const filialName = sql`coalesce(nullif(f."shortFilialName", ''), f."nameFilial")`

/** Prices of the service `s` in visible branches; empty if the clinic hides them. */
const pricesSql = sql`coalesce((select json_agg(json_build_object('idFilial', f."id",
    'filial', ${filialName},
    'price', (${priceSql(raw('s'), raw('s."id"'), { idFilial: raw('f."id"') })})::float8) order by f."nameFilial", f."id")
  from filials f where ${publicFilial(raw('f'))} and not s."hidePrice"), '[]')`

/** Requested part of the catalogue. */
type Shelf = 'services' | 'goods' | 'all'
const shelves: Record<Shelf, Sql> = {
  services: publicService(raw('s')),
  goods: publicGood(raw('s')),
  all: sql`(${publicService(raw('s'))} or ${publicGood(raw('s'))})`,
}

/** Fields of the service or product `s` of the group `g` for lists and cards. */
const lineFields = sql`s."id", s."serviceCategory" = ${PRODUCT} as "isGood", ${publicNameSql(raw('s'))} as "name", s."friendlyUrl",
  g."nameServiceGroup" as "group", s."approximately", s."hidePrice", ${pricesSql} as "prices",
  ${publicStock(raw('s'), filialName)} as "stock"`

interface ServicesAsked {
  /** Services by default. */
  of?: Shelf
  groups?: readonly number[]
  idUser?: number
  /** Within the name. */
  words?: string
  limit: number
  offset?: number
}

/** Services, then goods, in the order of their groups; `groups` include all nested ones. */
export const readServices = (
  db: Queryable,
  { of = 'services', groups = [], idUser, words, limit, offset = 0 }: ServicesAsked,
): Promise<ServiceLine[]> =>
  db.query(sql`with recursive inside as (
      select "id" from services_groups where "id" = any (${groups}::bigint[]) and not "deleted"
      union select g."id" from services_groups g join inside i on g."idParentGroup" = i."id" where not g."deleted")
    select ${lineFields}
    from services s left join services_groups g on g."id" = s."idGroup" and not g."deleted"
    where ${shelves[of]} and (cardinality(${groups}::bigint[]) = 0 or s."idGroup" in (select "id" from inside))
      and (${idUser ?? null}::bigint is null or exists (select 1 from service_doctors p where p."idService" = s."id"
        and p."idUser" = ${idUser ?? null}))
      and (${words ?? null}::text is null or concat_ws(' ', s."publicName", s."nameService") ilike ${`%${(words ?? '').replace(/[\\%_]/g, '\\$&')}%`})
    order by s."serviceCategory", g."order" nulls last, g."id", "name", s."id" limit ${limit} offset ${offset}`)

export interface ServiceCard extends ServiceLine {
  description: string | null
  preparation: string | null
  images: number[]
  doctors: DoctorLine[]
}

/** By its own address, or by its id without one. */
export const readService = (db: Queryable, address: string, of: Shelf = 'services'): Promise<ServiceCard | undefined> =>
  db.one(sql`select ${lineFields}, s."description", s."preparation",
      coalesce((select json_agg(i."idFile" order by i."order") from service_images i
        where i."idService" = s."id" and not i."deleted"), '[]') as "images",
      coalesce((select json_agg(x) from (select ${doctorFields} from users u
          left join specialities t on t."id" = u."idSpeciality" and not t."deleted"
        where ${publicDoctor(raw('u'))} and exists (select 1 from service_doctors p where p."idService" = s."id"
          and p."idUser" = u."id") order by u."surname", u."id" limit 24) x), '[]') as "doctors"
    from services s left join services_groups g on g."id" = s."idGroup" and not g."deleted"
    where ${shelves[of]} and (lower(s."friendlyUrl") = lower(${address}) or s."id" = ${numberOf(address)}::bigint)
    order by (lower(s."friendlyUrl") = lower(${address})) is true desc, s."id" limit 1`)

/** An id in an address; null if it is none. */
export const numberOf = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

export interface DoctorLine {
  id: number
  fio: string
  post: string | null
  speciality: string | null
  photo: number | null
}

const doctorFields =
  raw(`u."id", concat_ws(' ', nullif(u."surname", ''), nullif(u."name", ''), nullif(u."middleName", '')) as "fio",
  u."post", t."name" as "speciality", u."idSitePhoto" as "photo"`)

interface DoctorsAsked {
  id?: number
  specialities?: readonly number[]
  limit: number
  offset?: number
}

export const readDoctors = (
  db: Queryable,
  { id, specialities = [], limit, offset = 0 }: DoctorsAsked,
): Promise<DoctorLine[]> =>
  db.query(sql`select ${doctorFields} from users u left join specialities t on t."id" = u."idSpeciality" and not t."deleted"
    where ${publicDoctor(raw('u'))} and (${id ?? null}::bigint is null or u."id" = ${id ?? null})
      and (cardinality(${specialities}::bigint[]) = 0 or u."idSpeciality" = any (${specialities}::bigint[]))
    order by u."surname", u."name", u."id" limit ${limit} offset ${offset}`)

export interface DoctorCard extends DoctorLine {
  description: string | null
  filials: { id: number; name: string }[]
}

export const readDoctor = (db: Queryable, id: number): Promise<DoctorCard | undefined> =>
  db.one(sql`select ${doctorFields}, u."description",
      coalesce((select json_agg(json_build_object('id', f."id", 'name', f."nameFilial") order by f."nameFilial") from filials f
        where ${publicFilial(raw('f'))} and (u."filials" = '{}' or f."id" = any (u."filials"))), '[]') as "filials"
    from users u left join specialities t on t."id" = u."idSpeciality" and not t."deleted"
    where ${publicDoctor(raw('u'))} and u."id" = ${id}`)

export interface FilialLine {
  id: number
  name: string
  city: string | null
  address: string | null
  phone: string | null
  hours: WorkingHours | null
  timeZone: string | null
  latitude: number | null
  longitude: number | null
  card: number | null
  pictures: number[]
  holidays: Holiday[]
}

/** Days ahead for which differing hours are announced. */
const HOLIDAYS_AHEAD = 60

export const readFilials = (db: Queryable, limit: number, id?: number): Promise<FilialLine[]> =>
  db.query(sql`select f."id", f."nameFilial" as "name", f."cityName" as "city",
      coalesce(nullif(f."filialAddressFact", ''), f."filialAddress") as "address", f."filialPhone" as "phone",
      f."workingHours" as "hours", f."timeZone", f."latitude"::float8, f."longitude"::float8, f."cardImage" as "card",
      coalesce((select json_agg(g."idFileRegister" order by g."order") from filials_gallery g
        where g."idFilial" = f."id" and not g."deleted"), '[]') as "pictures",
      coalesce((select json_agg(json_build_object('day', h."day", 'start', h."start", 'end', h."end") order by h."day")
        from filials_holidays h where h."idFilial" = f."id" and not h."deleted"
          and h."day" between ${clinicToday} and ${clinicToday} + ${HOLIDAYS_AHEAD}::int), '[]') as "holidays"
    from filials f where ${publicFilial(raw('f'))} and (${id ?? null}::bigint is null or f."id" = ${id ?? null})
    order by f."nameFilial", f."id" limit ${limit}`)

export interface NewsLine {
  id: number
  title: string
  text: string | null
  date: string
  images: number[]
}

export const readNews = (
  db: Queryable,
  { limit, offset = 0, id }: { limit: number; offset?: number; id?: number },
): Promise<NewsLine[]> =>
  db.query(sql`select n."id", n."title", n."text", coalesce(n."dateActive", n."dateCreate") as "date",
      coalesce((select json_agg(distinct i."idFileRegister") from news_images i
        where i."idNews" = n."id" and not i."deleted"), '[]') as "images"
    from news n where ${publicNews(raw('n'))} and (${id ?? null}::bigint is null or n."id" = ${id ?? null})
    order by n."dateActive" desc nulls last, n."id" desc limit ${limit} offset ${offset}`)

export interface DocumentLine {
  id: number
  title: string
  kind: DocumentKind
  number: string | null
  date: string | null
  description: string | null
  idFile: number | null
  extension: string | null
  size: number | null
}
const MAX_DOCUMENTS = 300

export const readDocuments = (db: Queryable, kind?: DocumentKind | null): Promise<DocumentLine[]> =>
  db.query(sql`select d."id", d."title", d."kind", d."number", d."date"::text, d."description", d."idFile",
      f."extension", f."size"
    from client_documents d left join client_files f on f."id" = d."idFile" and not f."deleted"
    where ${publicDocument(raw('d'))} and (${kind ?? null}::text is null or d."kind" = ${kind ?? null})
    order by d."kind", d."order", d."id" limit ${MAX_DOCUMENTS}`)

export interface PolicyText {
  id: number
  number: number
  dateFrom: string
  text: string
}
export const readPolicy = (db: Queryable, kind: string): Promise<PolicyText | undefined> =>
  db.one(sql`select p."id", p."number", p."dateFrom"::text, p."text" from client_policies p
    where p."kind" = ${kind} and ${policyInForce(raw('p'))} limit 1`)
