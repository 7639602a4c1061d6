import { BookingChannel, OutsideBooking } from '@ordinator/model/areas/outside/channel'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

/** Two sellers of the first branch: bookings that came through one of them, a question, and a refusal. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const filial = await tx.one<{ id: number }>(
    sql`select "id"::int as id from filials where not "deleted" order by "id" limit 1`,
  )
  if (!filial) return
  const flex = await system.create(BookingChannel, { name: 'ПроДокторов', kind: 'medflex', idFilial: filial.id })
  await system.create(BookingChannel, { name: 'Запись с сайта партнёра', idFilial: filial.id, horizonDays: 14 })
  const visits = await tx.query<{ id: number; idCustomer: number }>(sql`
    select a."id"::int as id, a."idCustomer"::int as "idCustomer" from appointments a
    where a."idFilial" = ${filial.id} and a."channel" = 'site' and a."visitStatus" = 'booked' and not a."deleted"
      and a."dateFrom" > now() order by a."dateFrom", a."id" limit 4`)
  await tx.query(
    sql`update appointments set "channel" = 'aggregator' where "id" = any (${visits.map(({ id }) => id)}::bigint[])`,
  )
  for (const [at, { id: idAppointment, idCustomer }] of visits.entries())
    await system.create(OutsideBooking, {
      ...{ idChannel: flex.id, outerId: `${480_117 + at * 13}`, idCustomer, idAppointment, isConfirmed: at % 2 === 1 },
      ...(at === 0 && { question: 'На этом телефоне есть другая карта: сверьте, кто придёт' }),
    })
  await system.create(OutsideBooking, { idChannel: flex.id, outerId: '480211', reason: 'Это время уже заняли' })
}
