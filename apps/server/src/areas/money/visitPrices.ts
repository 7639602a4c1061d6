/**
 * Prices of services that are not given yet: their discounts are a forecast, which follows the rules of the day until the
 * first of them is given. The area of visits knows it; money is asked and taken for what it is now.
 */
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

export interface VisitPrices {
  /** Rubles off each line of a visit, by its id; lines that are missing keep what is stored. */
  discountsOf(records: Records, db: Queryable, idAppointment: number): Promise<ReadonlyMap<number, number>>
  /** Writes them to the lines. */
  refresh(records: Records, tx: Tx, idAppointment: number): Promise<void>
}

let known: VisitPrices | undefined

/** Called once, by the area of visits. */
export const registerVisitPrices = (prices: VisitPrices): void => {
  known = prices
}

/** What a line stores: the inputs of `dueNow`. */
export interface StoredPrice {
  /** Rubles before discounts. */
  cost: number
  discount: number
  /** Rubles that a payer or bonuses pay. */
  others: number
}

/** SQL of the fields of `StoredPrice`. @param l row of the line */
export const storedPriceSql = (l: Sql): Sql => sql`round(${l}."price" * ${l}."qty", 2)::float8 as cost,
  ${l}."discount"::float8 as discount, (${l}."insurer" + ${l}."bonus")::float8 as others`

/** Rubles that the patient pays for a line. @param discount of now; absent: the stored one */
export const dueNow = ({ cost, discount: stored, others }: StoredPrice, discount = stored): number =>
  Math.max(0, rubles(kopecks(Math.max(0, cost - discount)) - kopecks(others)))

/** Rubles off each line of a visit now. */
export const discountsNow = async (
  records: Records,
  db: Queryable,
  idAppointment: number | null,
): Promise<ReadonlyMap<number, number>> =>
  idAppointment === null || !known ? new Map() : known.discountsOf(records, db, idAppointment)

/** Brings the stored prices of chosen services that are not given yet up to date, before money is asked or taken for them. */
export async function refreshPrices(
  records: Records,
  tx: Tx,
  chosen: readonly { idCouponService: number }[] = [],
): Promise<void> {
  if (!known || chosen.length === 0) return
  const ids = chosen.map(({ idCouponService }) => idCouponService)
  const visits = await tx.query<{ id: number }>(sql`select distinct c."idAppointment" as id
    from coupon_services l join coupons c on c."id" = l."idCoupon"
    where l."id" = any (${ids}::bigint[]) and not l."completed" order by 1`)
  for (const { id } of visits) await known.refresh(records, tx, id)
}
