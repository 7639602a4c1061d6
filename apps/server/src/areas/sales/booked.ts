/** Links booked visits to the offers of deals. */
import { ACCEPTED, OfferService } from '@ordinator/model/areas/sales/offer'
import sql from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { CANCELLED } from './offers.ts'

interface Pair {
  id: number
  idCouponService: number
}

/**
 * Links the services of a new visit to offers in the patient's open deals: each to one line, accepted ones first. A
 * line whose service was declined or cancelled can be linked again.
 */
export async function linkOffered(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  // Concurrent bookings skip locked lines and take others, without waiting.
  const lines = await tx.query<{ id: number; idService: number }>(sql`
    select os."id", os."idService" from sales_management_offer_services os
    join sales_management_offers o on o."id" = os."idOffer" and not o."deleted"
    join sales_management_leads d on d."id" = o."idLead" and not d."deleted" and d."dateClosed" is null
    where not os."deleted" and os."idStatus" <> ${CANCELLED}
      and exists (select 1 from sales_management_contacts k join appointments a on a."idCustomer" = k."idCustomer"
        where k."idLead" = d."id" and not k."deleted" and a."id" = ${idAppointment})
      and os."idService" in (select l."idService" from coupon_services l join coupons c on c."id" = l."idCoupon"
        where c."idAppointment" = ${idAppointment})
      and (os."idCouponService" is null or exists (select 1 from ${visitLinesSql}
        where l."id" = os."idCouponService" and not (${isCountedSql})))
    order by os."idStatus" <> ${ACCEPTED}, os."id" limit 200 for update of os skip locked`)
  if (lines.length === 0) return
  const given = await tx.query<{
    id: number
    idService: number
  }>(sql`select l."id", l."idService" from coupon_services l
    join coupons c on c."id" = l."idCoupon" where c."idAppointment" = ${idAppointment} order by l."id"`)
  const pairs = given.flatMap(({ id: idCouponService, idService }): Pair[] => {
    const at = lines.findIndex((line) => line.idService === idService)
    return at < 0 ? [] : [{ id: (lines.splice(at, 1)[0] as { id: number }).id, idCouponService }]
  })
  for (const { id, idCouponService } of pairs)
    await records.asSystem.updateWhere(
      OfferService,
      ({ row }) => sql`${row}."id" = ${id}`,
      { idCouponService },
      { pastHooks: 'What it costs and its state stay as they are' },
    )
}
