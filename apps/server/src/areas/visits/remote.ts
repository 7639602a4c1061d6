/** Remotely given services: they are among the visits and the money, and take no doctor's time. */
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import { queueOffsets } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { billVisit } from './bill.ts'
import { wallTimeAt } from './times.ts'

/** Minutes shown; the length of a remote service means nothing. */
const MINUTES = 15

interface Given {
  idCustomer: number
  idUser: number
  idFilial: number
  idService: number
  /** Agreed rubles; unaffected by price lists and discounts. */
  sum: number
  /** ISO. */
  at: string
  note: string
}

/** Writes a remote service: completed at once, charged, and paid from the prepayment. */
export async function giveRemotely(
  app: AppContext,
  records: Records,
  tx: Tx,
  { idCustomer, idUser, idFilial, idService, sum, at, note }: Given,
): Promise<{ id: number }> {
  const system = records.asSystem
  const wall = await wallTimeAt(tx, { idFilial, minutes: MINUTES, at })
  if (!wall) throw new Error(`There is no branch ${idFilial}`)
  const { minutes, ...when } = wall
  const visit = await system.create(Appointment, {
    ...{ idCustomer, idFilial, idUser, note, ...when },
    visitStatus: 'completed',
    channel: 'messenger',
    dateStarted: at,
    dateCompleted: at,
  })
  const coupon = await system.create(Coupon, {
    ...{ idAppointment: visit.id, idService, idUser, idFilial, minutes, ...when },
    overbooked: true,
  })
  await system.create(CouponService, {
    ...{ idCoupon: coupon.id, idService, price: sum },
    completed: true,
    dateCompleted: at,
    isFixed: true,
  })
  await billVisit(records, tx, visit.id)
  await queueOffsets(app, records, tx, { idCustomer })
  return { id: visit.id }
}
