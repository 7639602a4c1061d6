/** Status changes of a visit: moved, confirmed, arrived, started, completed, cancelled. */
import { holds } from '@ordinator/model/access'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { type TransitionBy, takesTime, type VisitStatus, wrongTransition } from '@ordinator/model/areas/visits/rules'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import { VisitChange } from '@ordinator/model/areas/visits/visitChange'
import type { Update } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { z } from 'zod'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { queueOffsets } from '#areas/money/index.ts'
import { rebookPlanned } from '#areas/plans/index.ts'
import type { Tx } from '#platform/db.ts'
import { conflict, forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { withVersion } from '#records/routes.ts'
import { billVisit } from './bill.ts'
import { withAlternatives } from './book.ts'
import { gearOf, gearOfAll } from './equipment.ts'
import { settleFreed } from './freed.ts'
import { groupSizes } from './groups.ts'
import { type CouponRow, heldVisit, idsOf, servicesOf, type VisitRow } from './held.ts'
import { notifyOfVisit } from './notices.ts'
import { doctorResource, equipmentResource, lockResources, release, roomResource } from './occupancy.ts'
import type { CouponAsked, Planned } from './plan.ts'
import { abovePromise, repriceVisit, takeBack } from './prices.ts'
import { takeTime } from './takeTime.ts'
import { notifyOfFreed } from './waitingList.ts'

/** The timestamp field of each status. */
const dates: { readonly [S in VisitStatus]?: keyof VisitRow } = {
  confirmed: 'dateConfirmed',
  arrived: 'dateArrived',
  inProgress: 'dateStarted',
  completed: 'dateCompleted',
  cancelled: 'dateCancelled',
}

/** Statuses with the patient present: the price of the day is fixed from then on. */
const isHere: ReadonlySet<VisitStatus> = new Set(['arrived', 'inProgress', 'completed'])

export const status = operation(visitCalls.status, ({ app, records, params, body }) =>
  changeStatus(app, records, params.id, body),
)

/** Carries out a status transition of a visit, for every call. */
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
      if (isHere.has(to)) await repriceVisit(inside, tx, visit.id)
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
      // A patient's own action records the cancellation or confirmation itself.
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
      if (to === 'cancelled') await notifyOfFreed(context, coupons)
      const event = to === 'cancelled' ? 'delete' : 'change'
      await notifyOfVisit(
        context,
        event,
        row,
        coupons.map(({ idUser }) => idUser),
      )
      return inside.row(Appointment, visit.id)
    }),
  )
}

/** The roles in which the actor may change the status of a visit in scope. */
function roles({ actor }: Pick<WriteContext, 'actor'>, coupons: readonly CouponRow[]): TransitionBy[] {
  return [
    ...(holds(actor, 'editAppointments') ? (['registry'] as const) : []),
    ...(coupons.some(({ idUser }) => idUser === actor.id) ? (['performer'] as const) : []),
    ...(holds(actor, 'reopenVisit') ? (['reopen'] as const) : []),
  ]
}

/** Completes the lines of a visit that are not cancelled or completed. */
const completeLines = ({ records }: Pick<WriteContext, 'records'>, idVisit: number) =>
  records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`not ${row}."completed" and not ${row}."cancelled"
      and exists (select 1 from coupons c where c."id" = ${row}."idCoupon" and c."idAppointment" = ${idVisit} and not c."cancelled")`,
    { completed: true, dateCompleted: raw('now()') },
    { pastHooks: 'The visit says so' },
  )

/** Resets the completed lines of a reopened visit; they are completed again with it. */
const reopenLines = ({ records }: Pick<WriteContext, 'records'>, idVisit: number) =>
  records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`${row}."completed"
      and exists (select 1 from coupons c where c."id" = ${row}."idCoupon" and c."idAppointment" = ${idVisit})`,
    { completed: false, dateCompleted: null },
    { pastHooks: 'The visit says so' },
  )

/** Takes the time of a restored visit again, if it is free; beyond the capacity with the right. */
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

/** Resources of the coupons, for locking. */
const resourcesOf = (coupons: readonly Pick<Planned, 'idUser' | 'idRoom' | 'gear'>[]): number[] =>
  coupons.flatMap(({ idUser, idRoom, gear }) => [
    doctorResource(idUser),
    ...(idRoom === null ? [] : [roomResource(idRoom)]),
    ...gear.flatMap(({ id }) => (id === null ? [] : [equipmentResource(id)])),
  ])

const hasOthers = async (tx: Tx, idAppointment: number, idLine: number): Promise<boolean> =>
  (await tx.one(sql`select 1 from coupon_services l join coupons c on c."id" = l."idCoupon"
    where c."idAppointment" = ${idAppointment} and l."id" <> ${idLine} and ${lineCountsSql()} and ${couponCountsSql()} limit 1`)) !==
  undefined

export const lineDone = operation(visitCalls.lineDone, async ({ app, records, actor, params, body }) => {
  await records.tx((inside, tx) => markLine({ app, records: inside, tx, actor }, params.id, body))
})

/** The line as a record: its price by the right to change prices, what was done by the checks of the visit's act. */
export const changeLine = operation(visitCalls.changeLine, ({ app, records, actor, params: { id }, body, request }) =>
  records.tx(async (inside, tx) => {
    const { completed, cancelled, refusalReason, price, qty, reason } = body
    const { _version = body._version } = withVersion({ headers: request.headers, body }) as { _version?: number }
    const line = await inside.row(CouponService, id)
    if (_version !== undefined && _version !== line._version) throw conflict(line)
    const values = { ...(price !== undefined && { price }), ...(qty !== undefined && { qty }) }
    const marks = completed !== undefined || cancelled !== undefined || refusalReason !== undefined
    if (reason !== undefined && price !== undefined && (await abovePromise(tx, line, Number(price)))) {
      if (!holds(actor, 'editVisitPrices')) throw forbidden()
      await takeBack(inside, tx, [{ id }], reason)
    }
    if (Object.keys(values).length > 0 || !marks)
      await inside.update(CouponService, id, { ...values, ...(_version !== undefined && { _version }) } as Update<
        typeof CouponService
      >)
    if (marks)
      await markLine({ app, records: inside, tx, actor }, id, {
        completed: completed ?? (cancelled ? false : line.completed),
        cancelled: cancelled ?? (completed ? false : line.cancelled),
        refusalReason: refusalReason === undefined ? line.refusalReason : refusalReason,
      })
    return inside.row(CouponService, id)
  }),
)

interface Marked {
  completed: boolean
  cancelled?: boolean | undefined
  refusalReason?: string | null | undefined
}

/** Marks a line as done, refused, or neither again. */
async function markLine(
  { app, records: inside, tx, actor }: WriteContext & { app: AppContext },
  id: number,
  body: Marked,
): Promise<void> {
  const line = await inside.row(CouponService, id)
  const coupon = await inside.row(Coupon, line.idCoupon)
  const performer = coupon.idUser === actor.id
  if (!performer && !holds(actor, 'editAppointments')) throw forbidden()
  if (body.completed && body.cancelled)
    throw new ValidationError([{ field: 'cancelled', message: 'Услуга либо оказана, либо от неё отказались' }])
  if (body.cancelled && !body.refusalReason)
    throw new ValidationError([{ field: 'refusalReason', message: 'Укажите причину отказа' }])
  const { visit } = await heldVisit({ records: inside, tx }, coupon.idAppointment, undefined)
  // Before the patient arrives the desk may remove a service and restore it; the last one is removed with the visit.
  const early =
    ['booked', 'confirmed'].includes(visit.visitStatus) && (body.cancelled || line.cancelled) && !body.completed
  if (early && body.cancelled && !(await hasOthers(tx, visit.id, line.id)))
    throw new HttpError(409, 'Это единственная услуга визита: отмените запись', { code: 'transition' })
  if (!early && !['arrived', 'inProgress'].includes(visit.visitStatus))
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
    cancelled: body.cancelled ?? false,
    refusalReason: body.cancelled ? (body.refusalReason ?? null) : null,
  })
  await queueOffsets(app, inside, tx, { idCustomer: visit.idCustomer })
}
