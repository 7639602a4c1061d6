/** What becomes of a visit: moved, confirmed, come, begun, done, cancelled. */
import { holds } from '@ordinator/model/access'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { type TransitionBy, takesTime, type VisitStatus, wrongTransition } from '@ordinator/model/areas/visits/rules'
import { Appointment, AppointmentMove, Coupon, CouponService, VisitChange } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { z } from 'zod'
import type { Tx } from '../../platform/db.ts'
import { conflict, forbidden, HttpError, notFound, ValidationError } from '../../platform/errors.ts'
import type { AppContext } from '../../records/context.ts'
import type { WriteContext } from '../../records/define.ts'
import { operation } from '../../records/operation.ts'
import type { Records } from '../../records/records.ts'
import { queueOffsets } from '../money/index.ts'
import { rebookPlanned, replanPrices } from '../plans/index.ts'
import { billVisit } from './bill.ts'
import { addClock, couponOf, freeOwnHold, lastOf, withAlternatives } from './book.ts'
import { gearOf, gearOfAll } from './equipment.ts'
import { settleFreed } from './freed.ts'
import { groupSizes } from './groups.ts'
import { tellVisit } from './notices.ts'
import { doctorResource, equipmentResource, lockResources, lockTaken, release, roomResource } from './occupancy.ts'
import { type Asked, type CouponAsked, type Planned, planVisit, takeTime } from './plan.ts'
import { mustReach } from './scope.ts'
import { zoneSql } from './times.ts'
import { tellFreed } from './waitingList.ts'

type VisitRow = Row<typeof Appointment>
type CouponRow = Row<typeof Coupon>

/** A visit that the actor sees, held until the end of the transaction, and what it takes before it. */
async function heldVisit(
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

/** The moment of each status. */
const dates: { readonly [S in VisitStatus]?: keyof VisitRow } = {
  confirmed: 'dateConfirmed',
  arrived: 'dateArrived',
  inProgress: 'dateStarted',
  completed: 'dateCompleted',
  cancelled: 'dateCancelled',
}

export const status = operation(visitCalls.status, ({ app, records, params, body }) =>
  changeStatus(app, records, params.id, body),
)

/** Carries a transition of a visit out, by whatever door it is asked for. */
export const changeStatus = (
  app: AppContext,
  records: Records,
  id: number,
  body: z.output<typeof visitCalls.status.body>,
): Promise<VisitRow> => {
  const { actor } = records
  return withAlternatives(app.db, actor, () =>
    records.tx(async (inside, tx) => {
      const context = { records: inside, tx, actor }
      const { visit, coupons, today } = await heldVisit(context, id, body._version)
      const { status: to } = body
      const from = visit.visitStatus
      if (from === to) return visit
      const wrong = wrongTransition(from, to, { day: visit.localDate, today, can: roles(context, coupons) })
      if (wrong) throw new HttpError(409, wrong, { code: 'transition' })
      if (to === 'cancelled' && !body.cancelReason)
        throw new ValidationError([{ field: 'cancelReason', message: 'Выберите причину отмены' }])
      if (takesTime(from) && !takesTime(to)) await settleFreed(context, await release(tx, idsOf(coupons)))
      if (!takesTime(from) && takesTime(to)) await takeAgain(context, visit, coupons)
      if ((to === 'cancelled') !== (from === 'cancelled'))
        await inside.asSystem.updateWhere(
          Coupon,
          ({ row }) => sql`${row}."idAppointment" = ${visit.id}`,
          { cancelled: to === 'cancelled' },
          { pastHooks: 'The visit says so' },
        )
      if (to === 'completed') await completeLines(context, visit.id)
      const row = await inside.asSystem.update(Appointment, visit.id, {
        visitStatus: to,
        ...(dates[to] && { [dates[to]]: new Date().toISOString() }),
        ...(to === 'cancelled'
          ? {
              cancelReason: body.cancelReason ?? null,
              cancelNote: body.cancelNote ?? null,
              cancelledBy: body.cancelledBy ?? (body.cancelReason === 'clinic' ? 'clinic' : 'patient'),
              needsRebook: false,
            }
          : from === 'cancelled'
            ? { cancelReason: null, cancelNote: null, cancelledBy: null, dateCancelled: null }
            : {}),
      })
      // A patient's own word stands in what was cancelled or confirmed itself.
      if (!actor.system)
        await inside.asSystem.create(VisitChange, {
          idAppointment: visit.id,
          fromStatus: from,
          toStatus: to,
          reason: body.cancelNote ?? null,
          idAuthor: actor.id,
        })
      if (from === 'completed') await reopenLines(context, visit.id)
      if (!takesTime(from) && takesTime(to)) await rebookPlanned(inside, tx, visit.id)
      await billVisit(inside, tx, visit.id)
      await queueOffsets(app, inside, tx, { idCustomer: visit.idCustomer })
      if (to === 'cancelled') await tellFreed(context, coupons)
      const told = to === 'cancelled' ? 'delete' : 'change'
      await tellVisit(
        context,
        told,
        row,
        coupons.map(({ idUser }) => idUser),
      )
      return inside.row(Appointment, visit.id)
    }),
  )
}

const idsOf = (coupons: readonly CouponRow[]): number[] => coupons.map(({ id }) => id)

/** As whom the actor may carry a transition of a visit that they see out. */
function roles({ actor }: Pick<WriteContext, 'actor'>, coupons: readonly CouponRow[]): TransitionBy[] {
  return [
    ...(holds(actor, 'editAppointments') ? (['registry'] as const) : []),
    ...(coupons.some(({ idUser }) => idUser === actor.id) ? (['performer'] as const) : []),
    ...(holds(actor, 'reopenVisit') ? (['reopen'] as const) : []),
  ]
}

/** What was not refused or done by itself is done with the visit. */
const completeLines = ({ records }: Pick<WriteContext, 'records'>, idVisit: number) =>
  records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`not ${row}."completed" and not ${row}."cancelled"
      and exists (select 1 from coupons c where c."id" = ${row}."idCoupon" and c."idAppointment" = ${idVisit} and not c."cancelled")`,
    { completed: true, dateCompleted: raw('now()') },
    { pastHooks: 'The visit says so' },
  )

/** What a reopened visit says was given is said anew when it is completed again. */
const reopenLines = ({ records }: Pick<WriteContext, 'records'>, idVisit: number) =>
  records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`${row}."completed"
      and exists (select 1 from coupons c where c."id" = ${row}."idCoupon" and c."idAppointment" = ${idVisit})`,
    { completed: false, dateCompleted: null },
    { pastHooks: 'The visit says so' },
  )

/** A visit that took no time takes its own again, if nobody else has it; over the capacity by who may. */
async function takeAgain(context: WriteContext, visit: VisitRow, coupons: readonly CouponRow[]): Promise<void> {
  const { tx } = context
  const services = await servicesOf(tx, idsOf(coupons))
  const idsAsked = ({ id }: CouponRow) => (services.get(id) ?? []).map(({ idService }) => idService)
  const known = await gearOf(tx, visit.idFilial, coupons.flatMap(idsAsked))
  const sizes = await groupSizes(tx, coupons.flatMap(idsAsked))
  const planned = coupons.map((one) => {
    const { idService } = one
    const capacity = idsAsked(one).length === 1 ? sizes.get(idService) : undefined
    return {
      ...one,
      lines: [],
      gear: gearOfAll(known, idsAsked(one)),
      group: capacity === undefined ? null : { idService, capacity },
    }
  })
  await lockResources(tx, resourcesOf(planned))
  const overbook = holds(context.actor, 'overbookAppointments')
  const asked = { ...askedOf(visit), overbook, coupons: planned.map(asCoupon) }
  const { groups } = await takeTime(context, asked, planned)
  for (const { id, idGroup } of coupons)
    if (idGroup !== (groups.get(id) ?? null))
      await context.records.asSystem.update(Coupon, id, { idGroup: groups.get(id) ?? null })
}

const asCoupon = ({
  id,
  idUser,
  idRoom,
  localStart,
  minutes,
  idService,
}: Pick<CouponRow, 'id' | 'idUser' | 'idRoom' | 'localStart' | 'minutes' | 'idService'>): CouponAsked => ({
  id,
  idUser,
  idRoom,
  localStart,
  minutes,
  services: [{ idService, qty: 1 }],
})
const askedOf = ({ idFilial, localDate, kind }: VisitRow) => ({ idFilial, localDate, kind, outside: true })

/** What the coupons take, of which the locks are taken. */
const resourcesOf = (coupons: readonly Pick<Planned, 'idUser' | 'idRoom' | 'gear'>[]): number[] =>
  coupons.flatMap(({ idUser, idRoom, gear }) => [
    doctorResource(idUser),
    ...(idRoom === null ? [] : [roomResource(idRoom)]),
    ...gear.flatMap(({ id }) => (id === null ? [] : [equipmentResource(id)])),
  ])

/** From which statuses a visit is put elsewhere. */
const movable: readonly VisitStatus[] = ['booked', 'confirmed', 'arrived']

export const move = operation(visitCalls.move, ({ app, records, actor, params, body }) =>
  withAlternatives(app.db, actor, () =>
    records.tx(async (inside, tx) => {
      const context = { records: inside, tx, actor }
      const { visit, coupons } = await heldVisit(context, params.id, body._version)
      if (!movable.includes(visit.visitStatus))
        throw new HttpError(409, 'Визит уже нельзя перенести: запишите пациента заново', { code: 'transition' })
      await mustReach(
        tx,
        actor,
        visit.idFilial,
        coupons.map(({ idUser }) => idUser),
      )
      const moved = body.idCoupon === undefined ? coupons : coupons.filter(({ id }) => id === body.idCoupon)
      const [first] = moved.toSorted((a, b) => a.localStart.localeCompare(b.localStart))
      if (!first) throw new ValidationError([{ field: 'idCoupon', message: 'Запись не найдена' }])
      const several =
        moved.length > 1 && (body.idUser !== undefined || body.minutes !== undefined || body.idRoom !== undefined)
      if (several) throw new ValidationError([{ field: 'idCoupon', message: 'Выберите, какой талон визита изменить' }])
      if (moved.length < coupons.length && body.localDate !== visit.localDate)
        throw new ValidationError([{ field: 'localDate', message: 'Талоны одного визита стоят в один день' }])
      const services = await servicesOf(tx, idsOf(moved))
      const asked: Asked = {
        idFilial: visit.idFilial,
        localDate: body.localDate,
        kind: visit.kind,
        overbook: body.overbook,
        outside: body.outside,
        coupons: moved.map((one) => ({
          id: one.id,
          idUser: body.idUser ?? one.idUser,
          // With another doctor or on another day the visit goes to where the doctor sits then.
          ...(body.idRoom !== undefined ? { idRoom: body.idRoom } : {}),
          localStart: addClock(one.localStart, first.localStart, body.localStart),
          minutes: body.minutes ?? one.minutes,
          services: services.get(one.id) ?? [{ idService: one.idService, qty: 1 }],
        })),
      }
      const planned = (await planVisit(context, asked)) as (Planned & { id: number })[]
      if (body.idHold !== undefined) await freeOwnHold(context, body.idHold)
      const freed = await release(tx, idsOf(moved))
      const { over, groups } = await takeTime(context, asked, planned)
      const system = inside.asSystem
      for (const one of planned)
        await system.update(Coupon, one.id, {
          ...couponOf(one),
          localDate: body.localDate,
          overbooked: over.has(one.id),
          idGroup: groups.get(one.id) ?? null,
        })
      const all = await system.rows(Coupon, {
        'filter[idAppointment]': String(visit.id),
        limit: '100',
        sort: 'dateFrom,id',
      })
      const start = all[0] as CouponRow
      const row = await system.update(Appointment, visit.id, {
        localDate: body.localDate,
        localStart: start.localStart,
        dateFrom: start.dateFrom,
        dateTo: lastOf(all as unknown as Planned[]),
        idUser: start.idUser,
        needsRebook: false,
        ...(visit.visitStatus === 'confirmed' && movedInTime(visit, start)
          ? { visitStatus: 'booked', dateConfirmed: null }
          : {}),
      })
      await settleFreed(context, freed)
      await system.create(AppointmentMove, {
        idAppointment: visit.id,
        fromDate: visit.localDate,
        fromStart: visit.localStart,
        toDate: body.localDate,
        toStart: start.localStart,
        idUserFrom: first.idUser,
        idUserTo: body.idUser ?? first.idUser,
        reason: body.reason ?? null,
        idAuthor: actor.id,
      })
      if (body.localDate !== visit.localDate) {
        const listed = planned.flatMap(({ lines }) => lines.map(({ idService, price }) => [idService, price] as const))
        await replanPrices(inside, tx, visit.id, new Map(listed))
      }
      await billVisit(inside, tx, visit.id)
      const left = moved.filter(({ idUser, dateFrom }, at) => {
        const to = planned[at] as Planned
        return idUser !== to.idUser || Date.parse(dateFrom) !== Date.parse(to.dateFrom)
      })
      await tellFreed(context, left)
      const people = [...coupons, ...planned].map(({ idUser }) => idUser)
      await tellVisit(context, 'change', row, people)
      return { ...(await inside.row(Appointment, visit.id)), warnings: [] }
    }),
  ),
)

const movedInTime = (before: VisitRow, now: CouponRow): boolean =>
  Date.parse(before.dateFrom) !== Date.parse(now.dateFrom)

async function servicesOf(
  tx: Tx,
  idCoupons: readonly number[],
): Promise<Map<number, { idService: number; qty: number }[]>> {
  const rows = await tx.query<{ idCoupon: number; idService: number; qty: number }>(sql`
    select "idCoupon", "idService", "qty"::float8 as "qty" from coupon_services
    where "idCoupon" = any (${idCoupons}::bigint[]) and not "deleted" and not "cancelled" order by "id"`)
  return Map.groupBy(rows, ({ idCoupon }) => idCoupon)
}

export const lineDone = operation(visitCalls.lineDone, async ({ app, records, actor, params, body }) => {
  await records.tx(async (inside, tx) => {
    const line = await inside.row(CouponService, params.id)
    const coupon = await inside.row(Coupon, line.idCoupon)
    const performer = coupon.idUser === actor.id
    if (!performer && !holds(actor, 'editAppointments')) throw forbidden()
    if (body.completed && body.cancelled)
      throw new ValidationError([{ field: 'cancelled', message: 'Услуга либо оказана, либо от неё отказались' }])
    if (body.cancelled && !body.refusalReason)
      throw new ValidationError([{ field: 'refusalReason', message: 'Укажите причину отказа' }])
    const { visit } = await heldVisit({ records: inside, tx }, coupon.idAppointment, undefined)
    if (!['arrived', 'inProgress'].includes(visit.visitStatus))
      throw new HttpError(409, 'Услуги отмечают, когда пациент пришёл и пока приём не завершён', { code: 'transition' })
    if (line.cancelled && !body.cancelled && line.idPlanItem !== null) {
      await inside.asSystem.updateWhere(
        CouponService,
        ({ row }) => sql`${row}."id" = ${line.id}`,
        { cancelled: false },
        { pastHooks: 'It is billed with what is said of it below' },
      )
      await rebookPlanned(inside, tx, visit.id, line.id)
    }
    await inside.asSystem.update(CouponService, line.id, {
      completed: body.completed,
      dateCompleted: body.completed ? new Date().toISOString() : null,
      cancelled: body.cancelled,
      refusalReason: body.cancelled ? (body.refusalReason ?? null) : null,
    })
    await queueOffsets(app, inside, tx, { idCustomer: visit.idCustomer })
  })
})
