/** Moves visits: one, or all of a group at once. */
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { Hold } from '@ordinator/model/areas/visits/hold'
import { movable } from '@ordinator/model/areas/visits/rules'
import { Appointment, Coupon, GroupVisit } from '@ordinator/model/areas/visits/visit'
import { AppointmentMove } from '@ordinator/model/areas/visits/visitChange'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import { replanPrices } from '#areas/plans/index.ts'
import { conflict, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { billVisit } from './bill.ts'
import { addClock, couponOf, freeOwnHold, lastOf, withAlternatives } from './book.ts'
import { settleFreed } from './freed.ts'
import { type CouponRow, heldVisit, idsOf, servicesOf, type VisitRow } from './held.ts'
import { notifyOfVisit } from './notices.ts'
import { lockTaken, release } from './occupancy.ts'
import { type Asked, type Planned, planVisit } from './plan.ts'
import { repriceVisit } from './prices.ts'
import { mustReach } from './scope.ts'
import { alternativesTo } from './slots.ts'
import { type TakenTime, takeForGroup, takeTime } from './takeTime.ts'
import { notifyOfFreed } from './waitingList.ts'

export const move = operation(visitCalls.move, ({ app, records, actor, params, body }) =>
  withAlternatives(app.db, actor, () =>
    records.tx(async (inside, tx) => ({
      ...(await moveVisit({ records: inside, tx, actor }, params.id, body)),
      warnings: [],
    })),
  ),
)

/**
 * Moves a visit, or one of its coupons, to another time.
 * @throws ValidationError, HttpError 403, 409, NoRoomError
 */
export async function moveVisit(
  context: WriteContext,
  id: number,
  body: z.output<typeof visitCalls.move.body>,
): Promise<VisitRow> {
  const { records, tx, actor } = context
  const { visit, coupons } = await heldVisit(context, id, body._version)
  if (!movable(visit.visitStatus))
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
      // With another doctor or day the room is the doctor's room then.
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
  await putElsewhere(context, { visit, coupons, moved, planned }, { over, groups }, body)
  await settleFreed(context, freed)
  const left = moved.filter(({ idUser, dateFrom }, at) => {
    const to = planned[at] as Planned
    return idUser !== to.idUser || Date.parse(dateFrom) !== Date.parse(to.dateFrom)
  })
  await notifyOfFreed(context, left)
  return records.row(Appointment, visit.id)
}

/** Days around a visit in which alternatives are searched: a doctor may be ill for a week. */
const NEAR_DAYS = 14

/** The nearest times to which a visit can move. */
export const nearest = operation(visitCalls.nearest, async ({ app, records, actor, params, query }) => {
  const visit = await records.row(Appointment, params.id)
  const coupons = await records.rows(Coupon, {
    'filter[idAppointment]': String(visit.id),
    'filter[cancelled]': 'false',
    limit: '100',
    sort: 'dateFrom,id',
  })
  const coupon = query.idCoupon === undefined ? coupons[0] : coupons.find(({ id }) => id === query.idCoupon)
  if (!coupon) throw notFound()
  const services = (await servicesOf(app.db, [coupon.id])).get(coupon.id) ?? [{ idService: coupon.idService, qty: 1 }]
  const { idFilial, localDate, kind } = visit
  const { idUser, localStart, minutes, dateFrom } = coupon
  const one = { idUser, localStart, minutes, services }
  const asked: Asked = { idFilial, localDate, kind, overbook: false, outside: false, coupons: [one] }
  // Coupons of one visit stay on one day.
  const around = coupons.length > 1 ? 0 : NEAR_DAYS
  return { items: await alternativesTo(app.db, actor, { coupon: one, asked }, dateFrom, around) }
})

interface Moved {
  visit: VisitRow
  coupons: readonly CouponRow[]
  /** The moved coupons, and the new place of each. */
  moved: readonly CouponRow[]
  planned: readonly (Planned & { id: number })[]
}

/** Writes the new time of a visit, and notifies those concerned. */
async function putElsewhere(
  context: WriteContext,
  { visit, coupons, moved, planned }: Moved,
  { over, groups }: TakenTime,
  { localDate, reason }: { localDate: string; reason?: string | null | undefined },
): Promise<void> {
  const { records, tx, actor } = context
  const system = records.asSystem
  for (const one of planned)
    await system.update(Coupon, one.id, {
      ...couponOf(one),
      localDate,
      overbooked: over.has(one.id),
      idGroup: groups.get(one.id) ?? null,
    })
  const all = await system.rows(Coupon, {
    'filter[idAppointment]': String(visit.id),
    limit: '100',
    sort: 'dateFrom,id',
  })
  const start = all[0] as CouponRow
  const isOther = Date.parse(visit.dateFrom) !== Date.parse(start.dateFrom)
  const row = await system.update(Appointment, visit.id, {
    localDate,
    localStart: start.localStart,
    dateFrom: start.dateFrom,
    dateTo: lastOf(all as unknown as Planned[]),
    idUser: start.idUser,
    needsRebook: false,
    ...(visit.visitStatus === 'confirmed' && isOther ? { visitStatus: 'booked', dateConfirmed: null } : {}),
  })
  await system.create(AppointmentMove, {
    idAppointment: visit.id,
    fromDate: visit.localDate,
    fromStart: visit.localStart,
    toDate: localDate,
    toStart: start.localStart,
    idUserFrom: moved[0]?.idUser ?? start.idUser,
    idUserTo: planned[0]?.idUser ?? start.idUser,
    reason: reason ?? null,
    ...(actor.id !== 0 && { idAuthor: actor.id }),
  })
  if (localDate !== visit.localDate) {
    await repriceVisit(records, tx, visit.id)
    const listed = planned.flatMap(({ lines }) => lines.map((line) => [line.idService, line.listed] as const))
    await replanPrices(records, tx, visit.id, new Map(listed))
  }
  await billVisit(records, tx, visit.id, { isQuoted: true })
  const people = [...coupons, ...planned].map(({ idUser }) => idUser)
  await notifyOfVisit(context, 'change', row, people)
}

/** Moves all visits of a group, or none: the group keeps its seats and its size. */
export const moveGroup = operation(visitCalls.moveGroup, ({ app, records, actor, params, body }) =>
  withAlternatives(app.db, actor, () =>
    records.tx(async (inside, tx) => {
      const context = { records: inside, tx, actor }
      const { idUser, idRoom, localDate, localStart, overbook, outside } = body
      const before = await inside.row(GroupVisit, params.id)
      const seated = sql`select c."id" from coupons c where c."idAppointment" in (select m."idAppointment"
        from visit_seats s join coupons m on m."id" = s."idCoupon" where s."idGroup" = ${before.id})`
      await lockTaken(tx, seated)
      const group = await inside.row(GroupVisit, before.id)
      if (body._version !== undefined && body._version !== group._version) throw conflict(group)
      await mustReach(tx, actor, group.idFilial, [group.idUser])
      const members = await membersOf(context, group.id)
      if (localDate !== group.localDate && members.some(({ coupons }) => coupons.length > 1))
        throw new ValidationError([{ field: 'localDate', message: ONE_DAY }])
      const asked: Asked = {
        idFilial: group.idFilial,
        localDate,
        overbook,
        outside,
        idGroup: group.id,
        coupons: [
          {
            idUser: idUser ?? group.idUser,
            ...(idRoom !== undefined && { idRoom }),
            localStart,
            minutes: group.minutes,
            services: [{ idService: group.idService, qty: 1 }],
          },
        ],
      }
      const [place] = (await planVisit(context, asked)) as [Planned]
      const stays = place.idUser === group.idUser && place.idRoom === group.idRoom
      if (stays && Date.parse(place.dateFrom) === Date.parse(group.dateFrom))
        return { id: group.id, moved: 0, version: group._version }
      await inside.asSystem.deleteWhere(
        Hold,
        ({ row }) =>
          sql`exists (select 1 from visit_seats s where s."idGroup" = ${group.id} and s."idHold" = ${row}."id")`,
        { pastHooks: 'The place that it held is at another time' },
      )
      const times = await tx.query<{ resource: number; from: string; to: string }>(sql`
        delete from visit_occupancy where "idGroup" = ${group.id}
        returning "resource", lower("during") as "from", upper("during") as "to"`)
      const isOver = await takeForGroup(context, asked, place, group.id)
      const { idUser: doctor, idRoom: room, breakAfter, cleaning, dateFrom, dateTo } = place
      const { _version: version } = await inside.asSystem.update(GroupVisit, group.id, {
        ...{ idUser: doctor, idRoom: room, breakAfter, cleaning, dateFrom, dateTo },
        ...{ localDate, localStart },
      })
      for (const { visit, coupons, own } of members)
        await putElsewhere(
          context,
          { visit, coupons, moved: [own], planned: [{ ...place, id: own.id }] },
          { over: new Set(isOver ? [own.id] : []), groups: new Map([[own.id, group.id]]) },
          body,
        )
      await settleFreed(context, { times, idGroups: [] })
      const [first] = members
      if (first && (doctor !== group.idUser || Date.parse(dateFrom) !== Date.parse(group.dateFrom)))
        await notifyOfFreed(context, [first.own])
      return { id: group.id, moved: members.length, version }
    }),
  ),
)

const ONE_DAY = 'У кого-то из группы в этот день есть и другие приёмы того же визита: сначала перенесите их'

/** The visits of a group, locked, each with the coupon of its seat. */
async function membersOf(context: WriteContext, idGroup: number) {
  const seats = await context.tx.query<{ idAppointment: number; idCoupon: number }>(sql`
    select c."idAppointment", c."id" as "idCoupon" from visit_seats s join coupons c on c."id" = s."idCoupon"
    where s."idGroup" = ${idGroup} order by 1, 2`)
  const members: { visit: VisitRow; coupons: CouponRow[]; own: CouponRow }[] = []
  for (const { idAppointment, idCoupon } of seats) {
    const { visit, coupons } = await heldVisit(context, idAppointment, undefined)
    if (!movable(visit.visitStatus))
      throw new HttpError(409, 'Кто-то из группы уже на приёме: остальных перенесите по одному', { code: 'transition' })
    members.push({ visit, coupons, own: coupons.find(({ id }) => id === idCoupon) as CouponRow })
  }
  return members
}
