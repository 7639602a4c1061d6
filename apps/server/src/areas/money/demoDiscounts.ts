/** Discounts of the demo clinic's visits: a few percent of the lines, by the clinic's own programs. */
import { DiscountUse } from '@ordinator/model/areas/discounts/discountUse'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

const pastHooks = { pastHooks: 'Discounts of the demo clinic are those that were given then' }
/** Percent of the lines. */
const SHARE = 7
/** Percent; larger discounts are for staff and by approval. */
const LARGEST = 25

/** Gives discounts to lines of past days that are not charged yet. */
export async function demoDiscountedLines(records: Records, tx: Tx): Promise<void> {
  await tx.query(sql`create temp table demo_discounted on commit drop as
    select l."id" as "idLine", l."idService", l."qty", c."id" as "idCoupon", c."idFilial", a."idCustomer", d."id" as "idDiscount", d."name",
      round(l."price" * l."qty", 2) as base, round(l."price" * l."qty" * d."value" / 100) as amount, coalesce(l."dateCompleted", c."dateTo") as at
    from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
      join (select d."id", d."name", d."value", row_number() over (order by d."id") - 1 as n, count(*) over () as total from discounts d
        where d."unit" = 'percent' and d."value" <= ${LARGEST} and d."status" = 'active' and d."kind" in ('percent', 'card')
          and d."dateFrom" is null and not d."needApproval" and not d."deleted") d
        on d.n = (hashint8(l."id" * 41 + 3) & 2147483647) % d.total
    where l."completed" and l."price" > 0 and l."discount" = 0 and c."localDate" < current_date
      and (hashint8(l."id" * 37 + 17) & 2147483647) % 100 < ${SHARE}
      and not exists (select from ledger_lines x where x."idLine" = l."id")
      and not exists (select from discounts_uses u where u."idCouponService" = l."id")`)
  const system = records.asSystem
  await system.createFrom(
    DiscountUse,
    sql`demo_discounted p where p.amount > 0 order by p.at, p."idLine"`,
    {
      idDiscount: raw('p."idDiscount"'),
      order: raw(`'demo-' || p."idCoupon"`),
      idCoupon: raw('p."idCoupon"'),
      idCouponService: raw('p."idLine"'),
      idService: raw('p."idService"'),
      idCustomer: raw('p."idCustomer"'),
      idFilial: raw('p."idFilial"'),
      quantity: raw('p."qty"'),
      base: raw('p.base'),
      amount: raw('p.amount'),
      reason: raw('p."name"'),
      dateCreate: raw('p.at'),
      idUser: raw(`(select "id" from users where "login" = 'registrar')`),
    },
    pastHooks,
  )
  await system.updateWhere(
    CouponService,
    { rows: sql`select "idLine" as "id", amount from demo_discounted` },
    ({ picked }) => ({ discount: sql`${picked}.amount` }),
    pastHooks,
  )
}
