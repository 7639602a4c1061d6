/** Adds a service to a booked or running visit: from the desk, or by the doctor. */
import { holds } from '@ordinator/model/access'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import sql from 'sql-template-tag'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { billVisit } from './bill.ts'
import { lastOf, withAlternatives } from './book.ts'
import { settleFreed } from './freed.ts'
import { type CouponRow, heldVisit, idsOf, servicesOf } from './held.ts'
import { notifyOfVisit } from './notices.ts'
import { release } from './occupancy.ts'
import { type Asked, lengthOf, type Planned, planVisit } from './plan.ts'
import { takeTime } from './takeTime.ts'

const OPEN: ReadonlySet<string> = new Set(['booked', 'confirmed', 'arrived', 'inProgress'])

interface Added {
  idVisit: number
  idService: number
  qty: number
  /** Keep the length of the coupon. */
  keepTime: boolean
  overbook: boolean
  outside: boolean
  _version?: number | undefined
}

/**
 * @throws ValidationError, HttpError 403, 409 `transition` if the visit is over, `taken` or `outside` if the time is
 * not free
 */
export const addService = operation(visitCalls.addService, ({ params, body, ...asked }) =>
  add(asked, { ...body, idVisit: params.id }, (open) =>
    body.idUser === undefined
      ? (open.find(({ idUser }) => idUser === asked.actor.id) ?? open[0])
      : open.find(({ idUser }) => idUser === body.idUser),
  ),
)

/** The same by the number of the coupon. */
export const addLine = operation(visitCalls.addLine, async ({ body, ...asked }) => {
  const { idAppointment } = await asked.records.row(Coupon, body.idCoupon)
  return add(asked, { ...body, idVisit: idAppointment }, (open) => open.find(({ id }) => id === body.idCoupon))
})

function add(
  { app, records, actor }: { app: AppContext; records: Records; actor: ServerActor },
  body: Added,
  choose: (open: CouponRow[]) => CouponRow | undefined,
) {
  return withAlternatives(app.db, actor, () =>
    records.tx(async (inside, tx) => {
      const context = { records: inside, tx, actor }
      const { visit, coupons } = await heldVisit(context, body.idVisit, body._version)
      if (!OPEN.has(visit.visitStatus))
        throw new HttpError(409, 'Визит завершён или отменён: чтобы изменить услуги, возобновите его', {
          code: 'transition',
        })
      const open = coupons.filter(({ cancelled }) => !cancelled)
      const coupon = choose(open)
      if (!coupon)
        throw new ValidationError([
          { field: 'idUser', message: 'У этого врача в визите нет времени: запишите к нему отдельно' },
        ])
      if (coupon.idUser !== actor.id && !holds(actor, 'editAppointments')) throw forbidden()
      if (coupon.idGroup !== null)
        throw new ValidationError([{ field: 'idService', message: 'Групповой приём: запишите на эту услугу отдельно' }])
      const { idFilial, localDate, kind } = visit
      const { idUser, idRoom, localStart } = coupon
      const rules = await tx.query<Parameters<typeof lengthOf>[0][number]>(sql`
        select "idService", "idUser", "idFilial", "visit", "minutes", "breakAfter", "online" from service_durations
        where "idService" = ${body.idService} and not "deleted"`)
      const longer = body.keepTime ? 0 : lengthOf(rules, [body.idService], { idUser, idFilial, visit: kind }).minutes
      const before = (await servicesOf(tx, idsOf([coupon]))).get(coupon.id) ?? []
      const asked: Asked = {
        ...{ idFilial, localDate, kind, overbook: body.overbook, outside: body.outside, isThere: true },
        coupons: [
          {
            ...{ id: coupon.id, idUser, idRoom, localStart },
            minutes: coupon.minutes + longer,
            services: [...before, { idService: body.idService, qty: body.qty }],
          },
        ],
      }
      const [planned] = (await planVisit(context, asked)) as [Planned & { id: number }]
      const freed = await release(tx, [coupon.id])
      const { over } = await takeTime(context, asked, [planned])
      const { listed: _, ...line } = planned.lines.at(-1) as Planned['lines'][number]
      const { id } = await inside.asSystem.create(CouponService, { ...line, idCoupon: coupon.id })
      const { minutes, breakAfter, dateTo } = planned
      await inside.asSystem.update(Coupon, coupon.id, {
        ...{ minutes, breakAfter, dateTo },
        overbooked: coupon.overbooked || over.has(coupon.id),
      })
      const row = await inside.asSystem.update(Appointment, visit.id, {
        dateTo: lastOf([...open.filter((one) => one.id !== coupon.id), planned] as unknown as Planned[]),
      })
      await settleFreed(context, freed)
      await billVisit(inside, tx, visit.id, { isQuoted: true })
      await notifyOfVisit(context, 'change', row, [idUser])
      return inside.row(CouponService, id)
    }),
  )
}
