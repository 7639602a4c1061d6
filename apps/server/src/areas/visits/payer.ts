/** The payer of a service of a visit: the patient, or the payer by the programme. */
import { rubles } from '@ordinator/model/areas/money/rules'
import { payerCalls } from '@ordinator/model/areas/payers/calls'
import { Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { lineDueSql, lockCustomers, queueOffsets } from '#areas/money/index.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { billVisit } from './bill.ts'
import { heldVisit } from './held.ts'

/** @throws HttpError 409 `transition` if the visit is over, or a service is given */
export const choosePayer = operation(payerCalls.ownPay, ({ app, records, params, body }) =>
  records.tx(async (inside, tx) => {
    const line = await inside.row(CouponService, params.id)
    const { idAppointment } = await inside.row(Coupon, line.idCoupon)
    const { visit } = await heldVisit({ records: inside, tx }, idAppointment, undefined)
    if (visit.visitStatus === 'completed' || line.completed)
      throw new HttpError(409, 'Услуга уже оказана: сначала снимите отметку или возобновите визит', {
        code: 'transition',
      })
    await lockCustomers(tx, [visit.idCustomer])
    await inside.asSystem.updateWhere(
      CouponService,
      ({ row }) => sql`${row}."id" = ${line.id}`,
      { isOwnPay: body.isOwn },
      { pastHooks: 'The visit is billed after it' },
    )
    await billVisit(inside, tx, idAppointment, { isQuoted: true })
    await queueOffsets(app, inside, tx, { idCustomer: visit.idCustomer })
    const now = await tx.one<{ insurer: number; patient: number }>(sql`select (l."insurer" * 100)::float8 as insurer,
      (${lineDueSql(raw('l'))} * 100)::float8 as patient from coupon_services l where l."id" = ${line.id}`)
    return { insurer: rubles(now?.insurer ?? 0), patient: rubles(now?.patient ?? 0) }
  }),
)
