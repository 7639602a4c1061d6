/**
 * Prices of visit lines before discounts. The price of the booking day is promised for a number of days set by the
 * clinic: until then a line costs the lower of that and the list price of the visit's day, afterwards the list price.
 */
import { fixedPriceOf, type PromisedLine, priceOfLine } from '@ordinator/model/areas/visits/promise'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import { formatDay, formatMoney } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { lineCountsSql } from '#areas/counted/index.ts'
import { lineDueSql, linePaidSql } from '#areas/money/index.ts'
import { settingSql } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { zoneSql } from './times.ts'

const promiseDays = settingSql('pricePromiseDays')

/** SQL of today's promised price for a visit on the day; null if it is too far ahead, or past. */
const promisedSql = (row: Sql, { day, idFilial }: { day: Sql; idFilial: Sql }): Sql => sql`(select
    ${priceSql(row, sql`${row}."id"`, { day: raw('t.today'), idFilial })}
  from (select (now() at time zone ${zoneSql(raw('tf'))})::date as today from filials tf where tf."id" = ${idFilial}) t
  where ${day} between t.today and t.today + ${promiseDays})`

/** SQL of the price of a service booked today for a visit on the day. @param row of the service */
export const bookedPriceSql = (row: Sql, at: { day: Sql; idFilial: Sql }): Sql =>
  sql`least(${priceSql(row, sql`${row}."id"`, at)}, ${promisedSql(row, at)})`

interface ListPrice {
  id: number
  listed: number | null
  /** Today's list price, and the last day for which it is promised; null for a past visit. */
  promised: number | null
  until: string | null
}

/** The price of the visit's day for each service, and today's promised price. */
export const pricesFor = (
  db: Queryable,
  idServices: readonly number[],
  { idFilial, localDate }: { idFilial: number; localDate: string },
): Promise<ListPrice[]> =>
  db.query<ListPrice>(sql`select s."id", (${priceSql(raw('s'), raw('s."id"'), {
    day: sql`${localDate}::date`,
    idFilial: sql`${idFilial}::bigint`,
  })})::float8 as listed, case when t.until is not null then (${priceSql(raw('s'), raw('s."id"'), {
    day: raw('t.today'),
    idFilial: sql`${idFilial}::bigint`,
  })})::float8 end as promised, t.until::text as until
  from services s cross join (select n.today, case when ${localDate}::date >= n.today then n.today + ${promiseDays} end as until
    from (select (now() at time zone ${zoneSql(raw('f'))})::date as today from filials f where f."id" = ${idFilial}) n) t
  where s."id" = any (${idServices}::bigint[])`)

/** Lines of a visit booked at a promised price, with the current list price of its day. */
export const promisedLines = (
  db: Queryable,
  idAppointment: number,
): Promise<(PromisedLine & { id: number; completed: boolean; byHand: boolean })[]> =>
  db.query(sql`select l."id", l."completed", l."byHand", l."price"::float8 as price, l."promised"::float8 as promised,
      l."priceUntil"::text as until, c."localDate"::text as day,
      coalesce((${priceSql(raw('s'), raw('s."id"'), {
        day: raw('c."localDate"'),
        idFilial: raw('c."idFilial"'),
      })})::float8, 0) as listed,
      ${lineDueSql(raw('l'))} > 0 and ${linePaidSql(raw('l'))} >= ${lineDueSql(raw('l'))} as prepaid
    from coupon_services l join coupons c on c."id" = l."idCoupon" join services s on s."id" = l."idService"
    where c."idAppointment" = ${idAppointment} and l."priceUntil" is not null and l."promised" is not null
      and not l."isFixed" and ${lineCountsSql()} order by l."id"`)

/**
 * Takes back the prices and the discounts quoted to the patient for some lines, which are repriced afterwards.
 * @param price rubles by line; absent: the price stays
 */
export async function takeBack(
  records: Records,
  tx: Tx,
  lines: readonly { id: number; price?: number }[],
  reason: string,
): Promise<void> {
  for (const { id, price } of lines)
    await records.asSystem.updateWhere(
      CouponService,
      ({ row }) => sql`${row}."id" = ${id}`,
      {
        ...(price !== undefined && { price }),
        ...{ promised: null, priceUntil: null, byHand: false, promiseTaken: reason },
      },
      { pastHooks: 'The visit is billed after it' },
    )
  await tx.query(sql`delete from visit_promises where "idCouponService" = any (${lines.map(({ id }) => id)}::bigint[])`)
}

/** Message for a price above the one that was quoted to the patient and still holds; undefined: it is not above. */
export async function abovePromise(
  db: Queryable,
  { id, idCoupon }: { id: number; idCoupon: number },
  price: number,
): Promise<string | undefined> {
  const visit = await db.one<{ id: number }>(sql`select "idAppointment" as id from coupons where "id" = ${idCoupon}`)
  const line = visit && (await promisedLines(db, visit.id)).find((one) => one.id === id)
  const promised = line ? fixedPriceOf(line) : null
  if (!line || promised === null || price <= promised) return undefined
  return line.prepaid
    ? `Услуга оплачена по ${formatMoney(promised)}: чтобы поднять цену, укажите причину`
    : `Пациенту обещано ${formatMoney(promised)} по ${formatDay(line.until)}: чтобы поднять цену, укажите причину`
}

/** Reprices the lines of a visit by its day, before they are given; the caller bills the visit afterwards. */
export async function repriceVisit(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  const rows = (await promisedLines(tx, idAppointment)).flatMap((line) => {
    const price = priceOfLine(line)
    return line.completed || line.byHand || price === line.price ? [] : [{ id: line.id, price }]
  })
  if (rows.length === 0) return
  await records.asSystem.updateWhere(
    CouponService,
    {
      rows: sql`select r."id", r."price" from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("id" bigint, "price" numeric)`,
    },
    ({ picked }) => ({ price: sql`${picked}."price"` }),
    { pastHooks: 'The visit is billed after it' },
  )
}
