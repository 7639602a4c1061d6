/** Remotely given services: they are among the visits and the money, and take no doctor's time. */
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { queueOffsets } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { billVisit } from './bill.ts'
import { zoneSql } from './times.ts'

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
  const zone = zoneSql(raw('f'))
  const wall = await tx.one<{
    localDate: string
    localStart: string
    dateFrom: string
    dateTo: string
    minutes: number
  }>(sql`
    select to_char(t.at, 'YYYY-MM-DD') as "localDate", to_char(t.at, 'HH24:MI') as "localStart",
      t.at at time zone ${zone} as "dateFrom", (t.at + make_interval(mins => t.minutes)) at time zone ${zone} as "dateTo", t.minutes
    from filials f cross join lateral (select w.at, least(${MINUTES}::int,
        greatest(1, (extract(epoch from date_trunc('day', w.at) + interval '1 day' - w.at) / 60)::int)) as minutes
      from (select date_trunc('minute', ${at}::timestamptz at time zone ${zone}) as at) w) t
    where f."id" = ${idFilial}`)
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
