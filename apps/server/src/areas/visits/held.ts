/** Locks a visit for a change. */
import { Appointment, Coupon } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { lockTaken } from './occupancy.ts'
import { zoneSql } from './times.ts'

export type VisitRow = Row<typeof Appointment>
export type CouponRow = Row<typeof Coupon>

/** A visit in the actor's scope, locked until the end of the transaction; the resources it takes are locked first. */
export async function heldVisit(
  { records, tx }: Pick<WriteContext, 'records' | 'tx'>,
  id: number,
  version: number | undefined,
): Promise<{ visit: VisitRow; coupons: CouponRow[]; today: string }> {
  await lockTaken(tx, sql`select "id" from coupons where "idAppointment" = ${id}`)
  await tx.query(sql`select 1 from appointments where "id" = ${id} for update`)
  const visit = await records.row(Appointment, id)
  if (visit.deleted) throw notFound()
  if (version !== undefined && version !== visit._version) throw conflict(visit)
  const coupons = await records.asSystem.rows(Coupon, { 'filter[idAppointment]': String(id), limit: '100', sort: 'id' })
  const branch = await tx.one<{ today: string }>(sql`
    select (now() at time zone ${zoneSql(raw('f'))})::date::text as today from filials f where f."id" = ${visit.idFilial}`)
  return { visit, coupons, today: branch?.today ?? visit.localDate }
}

export const idsOf = (coupons: readonly CouponRow[]): number[] => coupons.map(({ id }) => id)

/** The services of each coupon. */
export async function servicesOf(
  db: Queryable,
  idCoupons: readonly number[],
): Promise<Map<number, { idService: number; qty: number }[]>> {
  const rows = await db.query<{ idCoupon: number; idService: number; qty: number }>(sql`
    select "idCoupon", "idService", "qty"::float8 as "qty" from coupon_services
    where "idCoupon" = any (${idCoupons}::bigint[]) and not "deleted" and not "cancelled" order by "id"`)
  return Map.groupBy(rows, ({ idCoupon }) => idCoupon)
}
