/** Pays a service of a visit by a membership that the desk chose, or takes it off. */
import { membershipCalls } from '@ordinator/model/areas/memberships/calls'
import { Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import { chooseMembership } from '#areas/memberships/index.ts'
import { lockCustomers, queueOffsets } from '#areas/money/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { billVisit } from './bill.ts'
import { heldVisit } from './held.ts'

/** @throws HttpError 409 `transition` if the visit is over, ValidationError of `idMembership` */
export const coverByMembership = operation(membershipCalls.cover, ({ app, records, params, body }) =>
  records.tx(async (inside, tx) => {
    const { idCoupon } = await inside.row(CouponService, params.id)
    const { idAppointment } = await inside.row(Coupon, idCoupon)
    const { visit } = await heldVisit({ records: inside, tx }, idAppointment, undefined)
    if (visit.visitStatus === 'completed')
      throw new HttpError(409, 'Визит завершён: чтобы изменить оплату, возобновите его', { code: 'transition' })
    await lockCustomers(tx, [visit.idCustomer])
    const { idMembership } = body
    const refusal = await chooseMembership(inside, tx, { idAppointment, idLine: params.id, idMembership })
    if (refusal) throw new ValidationError([{ field: 'idMembership', message: refusal }])
    await billVisit(inside, tx, idAppointment, { isQuoted: true })
    await queueOffsets(app, inside, tx, { idCustomer: visit.idCustomer })
    return inside.row(CouponService, params.id)
  }),
)
