/**
 * Visit lines without a time of their own, such as laboratory tests. They are priced, discounted, charged, paid and
 * refunded as any coupon line; a separate visit for them takes no doctor's time.
 */
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { queueOffsets } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { billVisit } from './bill.ts'
import { wallTimeAt } from './times.ts'

/** Minutes shown for a separate visit. */
const MINUTES = 15

interface Aside {
  idCustomer: number
  idFilial: number
  /** The performer on record. */
  idUser: number
  /** The visit that the lines join; absent: a separate visit. */
  idAppointment?: number | null | undefined
  /** In the order of the result. */
  idServices: readonly number[]
  note: string
}

/**
 * Adds lines at today's prices.
 * @returns the visit and the ids of its new lines, one per requested service
 * @throws ValidationError at `idAppointment` if the visit belongs to another patient, or is over
 */
export async function addAside(
  records: Records,
  tx: Tx,
  { idCustomer, idFilial, idUser, idAppointment, idServices, note }: Aside,
): Promise<{ idAppointment: number; lines: number[] }> {
  const { visit, coupon } = idAppointment
    ? await openVisit(tx, idAppointment, idCustomer)
    : await ownVisit(records, tx, { idCustomer, idFilial, idUser, idService: idServices[0] as number, note })
  const prices = await tx.query<{ id: number; price: number | null }>(sql`
    select v."id", (${priceSql(raw('v'), raw('v."id"'), { idFilial: sql`${idFilial}::bigint` })})::float8 as price
    from services v where v."id" = any (${idServices}::bigint[])`)
  const priceOf = new Map(prices.map(({ id, price }) => [id, price ?? 0]))
  const lines: number[] = []
  for (const idService of idServices)
    lines.push(
      (
        await records.asSystem.create(CouponService, {
          idCoupon: coupon,
          idService,
          price: priceOf.get(idService) ?? 0,
        })
      ).id,
    )
  // As any added service: memberships and payers of the patient are asked.
  await billVisit(records, tx, visit, { isQuoted: true })
  return { idAppointment: visit, lines }
}

async function openVisit(tx: Tx, id: number, idCustomer: number): Promise<{ visit: number; coupon: number }> {
  const found = await tx.one<{ idCustomer: number; status: string; coupon: number | null }>(sql`
    select a."idCustomer", a."visitStatus" as status, (select min(c."id") from coupons c where c."idAppointment" = a."id"
      and ${couponCountsSql()}) as coupon
    from appointments a where a."id" = ${id} and not a."deleted" for update`)
  const wrong = (message: string) => new ValidationError([{ field: 'idAppointment', message }])
  if (!found || found.idCustomer !== idCustomer) throw wrong('Это запись другого клиента')
  if (found.coupon === null || !['booked', 'confirmed', 'arrived', 'inProgress'].includes(found.status))
    throw wrong('Визит завершён или отменён: оформите заказ без него')
  return { visit: id, coupon: found.coupon }
}

async function ownVisit(
  { asSystem: system }: Records,
  tx: Tx,
  {
    idCustomer,
    idFilial,
    idUser,
    idService,
    note,
  }: Pick<Aside, 'idCustomer' | 'idFilial' | 'idUser' | 'note'> & {
    idService: number
  },
): Promise<{ visit: number; coupon: number }> {
  const wall = await wallTimeAt(tx, { idFilial, minutes: MINUTES })
  if (!wall) throw new ValidationError([{ field: 'idFilial', message: 'Такого филиала нет' }])
  const { minutes, ...when } = wall
  const visit = await system.create(Appointment, {
    ...{ idCustomer, idFilial, idUser, note, ...when },
    visitStatus: 'arrived',
    dateArrived: new Date().toISOString(),
  })
  const coupon = await system.create(Coupon, {
    ...{ idAppointment: visit.id, idService, idUser, idFilial, minutes, ...when },
    overbooked: true,
  })
  return { visit: visit.id, coupon: coupon.id }
}

const pastHooks = { pastHooks: 'The visit is billed after' }

/**
 * Marks lines as given or not given; given lines are charged. A separate visit ends with its last line.
 * @param ids of coupon lines
 */
export async function giveAside(app: AppContext, records: Records, tx: Tx, ids: readonly number[]): Promise<void> {
  await records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`${row}."id" = any (${ids}::bigint[]) and not ${row}."cancelled" and not ${row}."completed"`,
    { completed: true, dateCompleted: raw('now()') },
    pastHooks,
  )
  await billed(app, records, tx, ids)
}

/** Cancels lines: they cost nothing, and their payments are free again. */
export async function refuseAside(
  app: AppContext,
  records: Records,
  tx: Tx,
  ids: readonly number[],
  reason: string,
): Promise<void> {
  await records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`${row}."id" = any (${ids}::bigint[]) and not ${row}."cancelled"`,
    { cancelled: true, completed: false, dateCompleted: null, refusalReason: reason },
    pastHooks,
  )
  await billed(app, records, tx, ids)
}

async function billed(app: AppContext, records: Records, tx: Tx, ids: readonly number[]): Promise<void> {
  const visits = await tx.query<{ id: number; idCustomer: number }>(sql`select distinct a."id", a."idCustomer"
    from appointments a join coupons c on c."idAppointment" = a."id" join coupon_services l on l."idCoupon" = c."id"
    where l."id" = any (${ids}::bigint[]) order by 1`)
  for (const { id, idCustomer } of visits) {
    await billVisit(records, tx, id)
    await queueOffsets(app, records, tx, { idCustomer })
    await records.asSystem.updateWhere(
      Appointment,
      ({ row }) => sql`${row}."id" = ${id} and ${row}."visitStatus" = 'arrived'
        and not exists (select 1 from visit_occupancy o join coupons c on c."id" = o."idCoupon" where c."idAppointment" = ${row}."id")
        and not exists (select 1 from coupon_services l join coupons c on c."id" = l."idCoupon"
          where c."idAppointment" = ${row}."id" and ${lineCountsSql()} and not l."completed")`,
      { visitStatus: 'completed', dateCompleted: raw('now()') },
      { pastHooks: 'All of it is given' },
    )
  }
}
