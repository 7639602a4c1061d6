/**
 * Collects touches and conversions from other records: calls, requests of the site, deals, promo codes, sources of
 * cards, appeals and bookings. Each record is processed once, whatever its state: the attribution of a conversion is
 * fixed then, and the report (`reports.ts`) decides by the record as it is whether it counts.
 */
import {
  attribute,
  type CampaignMarks,
  campaignOf,
  cleanUtm,
  type Touch,
  type TouchWay,
} from '@ordinator/model/areas/advertising/attribution'
import { advertisingCalls } from '@ordinator/model/areas/advertising/calls'
import sql, { type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Db, Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

/** Records read per batch of a source. */
const PORTION = 2_000
/** Batches per run: the rest waits for the next. */
const MAX_ROUNDS = 500
/** Ids before the last one that are read again: an earlier id may be committed later. */
const OVERLAP = 300

export function startCollecting(app: AppContext): void {
  app.jobs.register('advertising.collect', { cron: '*/5 * * * *', retries: 1, handler: () => collectAll(app.db) })
}

export const collect = operation(advertisingCalls.collect, ({ app }) => collectAll(app.db))

/** @returns the number of new ones */
export async function collectAll(db: Pick<Db, 'tx'>): Promise<{ touches: number; conversions: number }> {
  let touches = 0
  for (const source of touchSources) touches += await drain(db, (tx) => takeTouches(tx, source))
  let conversions = 0
  for (const source of conversionSources) conversions += await drain(db, (tx) => takeConversions(tx, source))
  return { touches, conversions }
}

/** The same inside a transaction, for the demo. */
export async function collectWithin(tx: Tx): Promise<void> {
  await collectAll({ tx: (run) => run(tx) })
}

interface Taken {
  made: number
  more: boolean
}

async function drain(db: Pick<Db, 'tx'>, take: (tx: Tx) => Promise<Taken>): Promise<number> {
  let made = 0
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const taken = await db.tx(take)
    made += taken.made
    if (!taken.more) break
  }
  return made
}

/** Position of a source; its row is locked, so that two processes are serialized. */
async function placeOf(tx: Tx, source: string): Promise<number> {
  await tx.query(sql`insert into ad_collected ("source") values (${source}) on conflict do nothing`)
  const row = await tx.one<{ lastId: number }>(
    sql`select "lastId" from ad_collected where "source" = ${source} for update`,
  )
  return row?.lastId ?? 0
}

async function moveOn(tx: Tx, source: string, place: number, rows: readonly { id: number }[]): Promise<boolean> {
  const last = Math.max(place, ...rows.map(({ id }) => id))
  if (last > place) await tx.query(sql`update ad_collected set "lastId" = ${last} where "source" = ${source}`)
  return rows.length === PORTION && last > place
}

interface TouchRow {
  id: number
  at: string
  day: string
  phone: string | null
  idCustomer: number | null
  utm: Record<string, unknown> | null
  idCampaign: number | null
}

interface TouchSource {
  name: string
  way: TouchWay
  /** Way of records without a campaign: `direct` for calls; others are skipped. */
  otherwise?: TouchWay
  rows: (after: Sql) => Sql
}

const dayOf = (at: Sql): Sql => sql`to_char(${at} at time zone ${clinicZone}, 'YYYY-MM-DD')`
const digits = (of: Sql): Sql => sql`right(regexp_replace(${of}, '\\D', '', 'g'), 10)`

const touchSources: readonly TouchSource[] = [
  {
    name: 'calls',
    way: 'number',
    otherwise: 'direct',
    rows: (after) => sql`
      select c."id", c."dateCreate" as at, ${dayOf(sql`c."dateCreate"`)} as day, c."contactPhone" as phone, c."idCustomer",
        null::jsonb as utm, (select n."idCampaign" from advertising_numbers n join advertising_campaigns p on p."id" = n."idCampaign"
          where not n."deleted" and not p."deleted" and c."destPhone" is not null and ${digits(sql`n."phone"`)} = ${digits(sql`c."destPhone"`)}
            and n."dateFrom" <= (c."dateCreate" at time zone ${clinicZone})::date
            and (n."dateTo" is null or n."dateTo" >= (c."dateCreate" at time zone ${clinicZone})::date)
          order by n."id" limit 1) as "idCampaign"
      from calls c where c."callType" in (1, 3, 5) and not c."training" and (c."contactPhone" is not null or c."idCustomer" is not null)
        and c."id" > ${after} order by c."id" limit ${PORTION}`,
  },
  {
    name: 'sales-management/requests',
    way: 'utm',
    rows: (after) => sql`
      select r."id", r."dateCreate" as at, ${dayOf(sql`r."dateCreate"`)} as day, r."phone", null::bigint as "idCustomer",
        r."utm", null::bigint as "idCampaign"
      from sales_management_requests r where r."utm" is not null and r."utm" <> '{}' and r."phone" is not null
        and r."id" > ${after} order by r."id" limit ${PORTION}`,
  },
  {
    name: 'sales-management/leads',
    way: 'utm',
    rows: (after) => sql`
      select l."id", l."dateCreate" as at, ${dayOf(sql`l."dateCreate"`)} as day, c."phone", c."idCustomer", l."utm",
        null::bigint as "idCampaign"
      from sales_management_leads l
        join lateral (select k."phone", k."idCustomer" from sales_management_contacts k
          where k."idLead" = l."id" and not k."deleted" order by k."id" limit 1) c on true
      where l."utm" is not null and l."utm" <> '{}' and l."id" > ${after} order by l."id" limit ${PORTION}`,
  },
  {
    name: 'discounts/uses',
    way: 'promo',
    rows: (after) => sql`
      select u."id", u."dateCreate" as at, ${dayOf(sql`u."dateCreate"`)} as day, null::text as phone, u."idCustomer",
        null::jsonb as utm, (select p."id" from advertising_campaigns p where not p."deleted"
          and upper(regexp_replace(p."promoCode", '\\s', '', 'g')) = upper(k."code") order by p."id" desc limit 1) as "idCampaign"
      from discounts_uses u join discounts_promo_codes k on k."id" = u."idCode"
      where u."idCustomer" is not null and u."id" > ${after} order by u."id" limit ${PORTION}`,
  },
  {
    name: 'customers',
    way: 'answer',
    rows: (after) => sql`
      select c."id", c."dateCreate" as at, ${dayOf(sql`c."dateCreate"`)} as day, null::text as phone, c."id" as "idCustomer",
        null::jsonb as utm, (select p."id" from advertising_campaigns p where p."idSource" = c."idSource" and not p."deleted"
          and p."dateFrom" <= (c."dateCreate" at time zone ${clinicZone})::date
          and (p."dateTo" is null or p."dateTo" >= (c."dateCreate" at time zone ${clinicZone})::date)
          order by p."dateFrom" desc, p."id" desc limit 1) as "idCampaign"
      from customers c where c."idSource" is not null and c."id" > ${after} order by c."id" limit ${PORTION}`,
  },
]

async function takeTouches(tx: Tx, { name, way, otherwise, rows }: TouchSource): Promise<Taken> {
  const source = `touch:${name}`
  const place = await placeOf(tx, source)
  const found = await tx.query<TouchRow>(rows(sql`${Math.max(0, place - OVERLAP)}::bigint`))
  const campaigns = way === 'utm' ? await campaignMarks(tx) : []
  const touches = found.flatMap((row) => {
    const utm = way === 'utm' ? cleanUtm(row.utm) : {}
    if (way === 'utm' && Object.keys(utm).length === 0) return []
    const idCampaign = way === 'utm' ? campaignOf(utm, row.day, campaigns) : row.idCampaign
    const known = idCampaign !== null || way === 'utm'
    if (!known && !otherwise) return []
    return [
      {
        mark: `${name}:${row.id}`,
        dateTouch: row.at,
        way: known ? way : otherwise,
        idCampaign,
        phone: row.phone,
        idCustomer: row.idCustomer,
        utm: way === 'utm' ? utm : null,
      },
    ]
  })
  const made = await tx.query<{ id: number }>(sql`
    insert into advertising_touches ("mark", "dateTouch", "way", "idCampaign", "phone", "idCustomer", "utm")
    select t."mark", t."dateTouch", t."way", t."idCampaign", t."phone", t."idCustomer", t."utm"
    from jsonb_to_recordset(${JSON.stringify(touches)}::jsonb) as t("mark" text, "dateTouch" timestamptz, "way" text,
      "idCampaign" bigint, "phone" text, "idCustomer" bigint, "utm" jsonb)
    on conflict do nothing returning "id"`)
  return { made: made.length, more: await moveOn(tx, source, place, found) }
}

const campaignMarks = (tx: Tx) =>
  tx.query<CampaignMarks>(sql`select "id", to_char("dateFrom", 'YYYY-MM-DD') as "dateFrom",
      to_char("dateTo", 'YYYY-MM-DD') as "dateTo", "utmSource", "utmMedium", "utmCampaign"
    from advertising_campaigns where not "deleted" and "status" <> 'draft'
      and coalesce("utmSource", "utmMedium", "utmCampaign") is not null`)

interface ConversionRow {
  id: number
  at: string
  ms: number
  phone: string | null
  idCustomer: number | null
  idAppointment: number | null
  idFilial: number | null
}

interface ConversionSource {
  name: string
  kind: 'appeal' | 'booking'
  rows: (after: Sql) => Sql
}

const ms = (at: Sql): Sql => sql`(extract(epoch from ${at}) * 1000)::float8`

const conversionSources: readonly ConversionSource[] = [
  {
    name: 'appeals',
    kind: 'appeal',
    rows: (after) => sql`
      select a."id", a."dateStart" as at, ${ms(sql`a."dateStart"`)} as ms, a."customerPhone" as phone, a."idCustomer",
        null::bigint as "idAppointment", a."idFilial"
      from appeals a where a."id" > ${after} order by a."id" limit ${PORTION}`,
  },
  {
    name: 'sales-management/requests',
    kind: 'appeal',
    rows: (after) => sql`
      select r."id", r."dateCreate" as at, ${ms(sql`r."dateCreate"`)} as ms, r."phone", null::bigint as "idCustomer",
        null::bigint as "idAppointment", null::bigint as "idFilial"
      from sales_management_requests r where r."phone" is not null and r."id" > ${after} order by r."id" limit ${PORTION}`,
  },
  {
    name: 'appointments',
    kind: 'booking',
    rows: (after) => sql`
      select a."id", a."dateCreate" as at, ${ms(sql`a."dateCreate"`)} as ms, null::text as phone, a."idCustomer",
        a."id" as "idAppointment", a."idFilial"
      from appointments a where a."id" > ${after}
        -- A booking of the former program was nobody's answer to advertising here.
        and not exists (select from external_ids e where e."path" = 'appointments' and e."idEntity" = a."id") order by a."id" limit ${PORTION}`,
  },
]

async function takeConversions(tx: Tx, { name, kind, rows }: ConversionSource): Promise<Taken> {
  const source = `conversion:${name}`
  const place = await placeOf(tx, source)
  const found = await tx.query<ConversionRow>(rows(sql`${Math.max(0, place - OVERLAP)}::bigint`))
  const touches = await touchesOf(tx, found)
  const conversions = found.map((row) => {
    const { first, last } = attribute(touches.get(row.id) ?? [], row.ms)
    return {
      kind,
      mark: `${name}:${row.id}`,
      dateConversion: row.at,
      idCustomer: row.idCustomer,
      idAppointment: row.idAppointment,
      idFilial: row.idFilial,
      idFirst: first?.idCampaign ?? null,
      idLast: last?.idCampaign ?? null,
      firstWay: first?.way ?? null,
      lastWay: last?.way ?? null,
      dateFirst: first ? new Date(first.at).toISOString() : null,
      dateLast: last ? new Date(last.at).toISOString() : null,
    }
  })
  const made = await tx.query<{ id: number }>(sql`
    insert into advertising_conversions ("kind", "mark", "dateConversion", "idCustomer", "idAppointment", "idFilial",
      "idFirst", "idLast", "firstWay", "lastWay", "dateFirst", "dateLast")
    select c."kind", c."mark", c."dateConversion", c."idCustomer", c."idAppointment", c."idFilial", c."idFirst", c."idLast",
      c."firstWay", c."lastWay", c."dateFirst", c."dateLast"
    from jsonb_to_recordset(${JSON.stringify(conversions)}::jsonb) as c("kind" text, "mark" text, "dateConversion" timestamptz,
      "idCustomer" bigint, "idAppointment" bigint, "idFilial" bigint, "idFirst" bigint, "idLast" bigint, "firstWay" text,
      "lastWay" text, "dateFirst" timestamptz, "dateLast" timestamptz)
    on conflict do nothing returning "id"`)
  return { made: made.length, more: await moveOn(tx, source, place, found) }
}

/** Touches of conversions: by the card, by the phone of the conversation, by the phones of the card. */
async function touchesOf(tx: Tx, rows: readonly ConversionRow[]): Promise<Map<number, Touch[]>> {
  const asked = JSON.stringify(rows.map(({ id, phone, idCustomer }) => ({ id, phone, idCustomer })))
  const found = await tx.query<Touch & { of: number }>(sql`
    with asked as (
      select * from jsonb_to_recordset(${asked}::jsonb) as a("id" bigint, "phone" text, "idCustomer" bigint)
    ), phones as (
      select a."id", a."phone" from asked a where a."phone" is not null
      union select a."id", p.phone from asked a join customers c on c."id" = a."idCustomer"
        cross join lateral (values (c."phone"), (c."phoneExtended")) p(phone) where p.phone is not null
    ), touched as (
      select a."id" as of, t."id" from asked a join advertising_touches t on t."idCustomer" = a."idCustomer"
      union select p."id", t."id" from phones p join advertising_touches t on t."phone" = p."phone"
    )
    select d.of, t."id", ${ms(sql`t."dateTouch"`)} as at, t."way", t."idCampaign"
    from touched d join advertising_touches t on t."id" = d."id" where t."way" <> 'direct'`)
  return Map.groupBy(found, ({ of }) => of)
}
