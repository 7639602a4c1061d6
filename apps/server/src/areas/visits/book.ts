/** Booking of one visit or a series, all or nothing. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { type BookBody, type Slot, type VisitBody, visitCalls } from '@ordinator/model/areas/visits/calls'
import { clockOf, DAY_MINUTES, minutesOf } from '@ordinator/model/areas/visits/clock'
import { Hold } from '@ordinator/model/areas/visits/hold'
import { noShowAdvice } from '@ordinator/model/areas/visits/rules'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import { WaitingEntry } from '@ordinator/model/areas/visits/waiting'
import type { Row } from '@ordinator/model/entity'
import { formatWall } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { takesTimeSql } from '#areas/counted/index.ts'
import { bookPlanned } from '#areas/plans/index.ts'
import { checkReferrer } from '#areas/referrers/index.ts'
import { linkOffered } from '#areas/sales/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import type { Records, SystemRecords } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { billVisit } from './bill.ts'
import { askDeposit, openDeposit } from './deposits.ts'
import { notifyOfVisit } from './notices.ts'
import { type Asked, NoRoomError, noRoom, type Planned, planVisit } from './plan.ts'
import { mustBePaidAhead, noShowsOf } from './prepay.ts'
import { alternativesTo } from './slots.ts'
import { mustBeFree, takeTime } from './takeTime.ts'
import { momentSql, zoneSql } from './times.ts'

type VisitRow = Row<typeof Appointment>
interface Context {
  records: Records
  tx: Tx
  actor: ServerActor
}

/** Rolls back a dry run. */
class DryRun extends Error {
  readonly row: VisitRow & { warnings: string[] }
  constructor(row: VisitRow & { warnings: string[] }) {
    super('dry run')
    this.row = row
  }
}

export const book = operation(visitCalls.book, async ({ app, records, actor, body }) => {
  try {
    const row = await withAlternatives(app.db, actor, () =>
      records.tx(async (inside, tx) => {
        const made = await bookVisit({ records: inside, tx, actor }, body)
        if (body.dryRun) throw new DryRun(made)
        return made
      }),
    )
    await openDeposit(app, row.id).catch((error) => app.log.error({ err: error, id: row.id }, 'no link of a deposit'))
    return row
  } catch (error) {
    if (error instanceof DryRun) return error.row
    throw error
  }
})

/** Runs a booking; if its time is taken, replies 409 with alternatives. */
export async function withAlternatives<T>(db: Queryable, actor: ServerActor, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error
    throw noRoom(error, await nearest(db, actor, error))
  }
}

async function nearest(db: Queryable, actor: ServerActor, error: NoRoomError): Promise<Slot[]> {
  const { idFilial, localDate } = error.asked
  const asked = await db.one<{ moment: string }>(sql`
    select ${momentSql(sql`${localDate}`, sql`${error.coupon.localStart}`, zoneSql(raw('f')))} as moment
    from filials f where f."id" = ${idFilial}`)
  return asked ? alternativesTo(db, actor, error, asked.moment) : []
}

/**
 * Books a visit with its coupons and priced lines, and takes their time.
 * @throws ValidationError, PrepayError, HttpError 403, NoRoomError
 */
export async function bookVisit(
  { records, tx, actor }: Context,
  body: BookBody & { idSeries?: number; isMoved?: true },
): Promise<VisitRow & { warnings: string[] }> {
  await assertVisible(records, Customer, body.idCustomer, 'idCustomer')
  if (body.idReferrer) await checkReferrer(tx, body.idReferrer, body.localDate)
  const asked: Asked = body
  const planned = await planVisit({ tx, actor }, asked)
  if (body.idHold !== undefined) await freeOwnHold({ records, actor }, body.idHold)
  const first = planned.toSorted((a, b) => a.dateFrom.localeCompare(b.dateFrom))[0] as Planned
  const { idFilial, localDate } = body
  const system = records.asSystem
  const warnings = await warningsOf(tx, body.idCustomer, planned)
  const values = {
    idCustomer: body.idCustomer,
    idFilial,
    idUser: first.idUser,
    localDate,
    localStart: first.localStart,
    dateFrom: first.dateFrom,
    dateTo: lastOf(planned),
    ...(actor.id !== 0 && { idAuthor: actor.id }),
    ...(body.kind && { kind: body.kind }),
    ...(body.channel && { channel: body.channel }),
    ...(body.idReferrer && { idReferrer: body.idReferrer }),
    ...(body.note && { note: body.note }),
    ...(body.idSeries !== undefined && { idSeries: body.idSeries }),
  }
  if (!body.dryRun) await mustBeFree({ records, tx, actor }, asked, planned)
  const visit = body.dryRun ? await tryOut(system, values) : await system.create(Appointment, values)
  const coupons: (Planned & { id: number })[] = []
  for (const one of planned) {
    const { id } = await system.create(Coupon, { ...couponOf(one), idAppointment: visit.id, idFilial, localDate })
    coupons.push({ ...one, id })
    await system.createMany(
      CouponService,
      one.lines.map(({ listed: _, ...line }) => ({ ...line, idCoupon: id })),
      { pastHooks: 'The prices are those shown to the patient' },
    )
  }
  const { over, groups } = await takeTime({ records, tx, actor }, asked, coupons)
  for (const { id } of coupons)
    if (over.has(id) || groups.has(id))
      await system.update(Coupon, id, { overbooked: over.has(id), idGroup: groups.get(id) ?? null })
  await bookPlanned(records, tx, visit.id)
  await linkOffered(records, tx, visit.id)
  await billVisit(records, tx, visit.id, { isQuoted: true })
  const idServices = coupons.flatMap(({ lines }) => lines.map(({ idService }) => idService))
  if (body.isMoved) return { ...(await system.row(Appointment, visit.id)), warnings }
  await mustBePaidAhead({ tx, actor }, { ...visit, idCustomer: body.idCustomer, idFilial }, body.unpaidReason)
  await askDeposit(tx, { ...visit, idCustomer: body.idCustomer, idFilial })
  await closeWaiting(records, body.idCustomer, idServices, visit.id)
  await notifyOfVisit(
    { records, tx, actor },
    'create',
    visit,
    coupons.map(({ idUser }) => idUser),
  )
  return { ...(await records.row(Appointment, visit.id)), warnings }
}

/**
 * Books a visit of the clinic's former program: beyond shifts and capacity where it must, at the price agreed
 * there, and without a notice: the patient got one when it was booked.
 * @param price rubles of all services together; absent: by the price lists
 * @throws ValidationError, NoRoomError
 */
export async function bookMoved(
  { records, tx }: Pick<Context, 'records' | 'tx'>,
  body: Pick<BookBody, 'idCustomer' | 'idFilial' | 'localDate' | 'note'> & {
    idUser: number
    idServices: readonly number[]
    localStart: string
    /** Absent: that of the doctor's shift. A room that is taken is shared. */
    idRoom?: number
    minutes?: number
    price?: number
  },
): Promise<number> {
  const { idUser, idServices, localStart, idRoom, minutes, price, ...visit } = body
  const actor = { ...records.actor, permissions: { ...records.actor.permissions, overbookAppointments: true as const } }
  const { id } = await bookVisit(
    { records, tx, actor },
    {
      ...visit,
      channel: 'phone',
      coupons: [
        {
          idUser,
          localStart,
          ...(idRoom !== undefined && { idRoom }),
          ...(minutes && { minutes }),
          services: idServices.map((idService) => ({ idService, qty: 1 })),
        },
      ],
      overbook: true,
      outside: true,
      dryRun: false,
      isMoved: true,
    },
  )
  if (price !== undefined) {
    for (const line of await sharesOf(tx, id, price))
      await records.asSystem.updateWhere(
        CouponService,
        ({ row }) => sql`${row}."id" = ${line.id}`,
        { price: line.kopecks / 100, isFixed: true },
        { pastHooks: 'The visit is billed anew below' },
      )
    await billVisit(records, tx, id)
  }
  return id
}

/** The lines of a visit with their shares of one price, by the prices that they have; the last takes the remainder. */
async function sharesOf(tx: Tx, idAppointment: number, price: number): Promise<{ id: number; kopecks: number }[]> {
  const lines = await tx.query<{
    id: number
    listed: number
  }>(sql`select l."id"::int as id, coalesce(l."price", 0)::float8 as listed
    from coupon_services l join coupons c on c."id" = l."idCoupon" where c."idAppointment" = ${idAppointment} and not l."deleted" order by l."id"`)
  const total = Math.round(price * 100)
  const listed = lines.reduce((all, line) => all + line.listed, 0)
  let left = total
  return lines.map(({ id, listed: own }, at) => {
    const share = listed > 0 ? own / listed : 1 / lines.length
    const kopecks = at === lines.length - 1 ? left : Math.min(left, Math.round(total * share))
    left -= kopecks
    return { id, kopecks }
  })
}

/** Ids of dry runs: above any visit id, within int4, in a range wide enough that concurrent ones rarely collide. */
const LAST_ID = 2_147_483_647
const TRIED_IDS = 1_000_000_000

/**
 * Creates a visit that is rolled back, with an id outside the sequence, so that no number shown to patients is skipped.
 * @param visit its fields
 */
async function tryOut(system: SystemRecords, visit: Partial<VisitRow>): Promise<VisitRow> {
  const id = LAST_ID - Math.floor(Math.random() * TRIED_IDS)
  await system.createFrom(Appointment, sql`(select 1) one`, { ...visit, id })
  return system.row(Appointment, id)
}

/** Closes the waiting-list entries of a patient for the booked services. */
const closeWaiting = (
  own: Records,
  idCustomer: number,
  idServices: readonly number[],
  idAppointment: number,
): Promise<unknown> =>
  own.asSystem.updateWhere(
    WaitingEntry,
    ({ row }) => sql`${row}."idCustomer" = ${idCustomer} and ${row}."idService" = any (${idServices}::bigint[])
      and ${row}."status" = 'waiting'`,
    { status: 'booked', idAppointment },
    { pastHooks: 'They have their time' },
  )

/** Coupon fields of a plan. */
export const couponOf = ({
  idUser,
  idRoom,
  minutes,
  breakAfter,
  cleaning,
  localStart,
  dateFrom,
  dateTo,
  lines,
}: Planned) => ({
  idUser,
  idRoom,
  minutes,
  breakAfter,
  cleaning,
  localStart,
  dateFrom,
  dateTo,
  idService: lines[0]?.idService as number,
})
export const lastOf = (planned: readonly Planned[]): string =>
  planned.map(({ dateTo }) => dateTo).reduce((a, b) => (Date.parse(b) > Date.parse(a) ? b : a))

/** Drops the user's own hold, so that it does not block the booking; another user's hold is ignored. */
export async function freeOwnHold(
  { records, actor }: Pick<Context, 'records' | 'actor'>,
  idHold: number,
): Promise<void> {
  await records.asSystem.deleteWhere(
    Hold,
    ({ row }) => sql`${row}."id" = ${idHold} and ${row}."idAuthor" = ${actor.id} and not ${row}."isOffered"`,
    { pastHooks: 'The holder books the time' },
  )
}

/** Warnings about violations that are allowed. */
async function warningsOf(tx: Tx, idCustomer: number, planned: readonly Planned[]): Promise<string[]> {
  const ranges = planned.map(({ dateFrom, dateTo }) => ({ from: dateFrom, to: dateTo }))
  const own = await tx.one<{ at: string }>(sql`
    select c."localStart" as at from coupons c join appointments a on a."id" = c."idAppointment"
      join jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb) as w("from" timestamptz, "to" timestamptz)
        on c."dateFrom" < w."to" and c."dateTo" > w."from"
    where a."idCustomer" = ${idCustomer} and ${takesTimeSql} limit 1`)
  const advice = noShowAdvice(await noShowsOf(tx, idCustomer), await readCommonSettings(tx))
  const sorted = planned.toSorted((a, b) => a.dateFrom.localeCompare(b.dateFrom))
  const across = sorted.some(
    (one, at) => at > 0 && Date.parse(one.dateFrom) < Date.parse((sorted[at - 1] as Planned).dateTo),
  )
  return [
    ...(advice ? [advice] : []),
    ...(own ? [`У пациента в это время уже есть запись: в ${own.at}`] : []),
    ...(across ? ['Талоны визита накладываются друг на друга'] : []),
  ]
}

/** Tries a series day by day in one transaction, so that its own visits conflict with each other too. */
export const series = operation(visitCalls.series, async ({ app, records, actor, body }) => {
  const { days, dryRun, ...visit } = body
  const twice = days.find(
    (one, at) =>
      days.findIndex((other) => other.localDate === one.localDate && other.localStart === one.localStart) !== at,
  )
  if (twice) throw new ValidationError([{ field: 'days', message: 'Один и тот же день указан дважды' }])
  type Item = { localDate: string; localStart: string; ok: boolean; message?: string; failed?: NoRoomError }
  const tried: { items: Item[]; ids: number[] } = { items: [], ids: [] }
  const run = () =>
    records.tx(async (inside, tx) => {
      tried.items = []
      tried.ids = []
      for (const one of days) {
        const booked = await savepoint(tx, () =>
          bookVisit(
            { records: inside, tx, actor },
            {
              ...shifted(visit, one),
              dryRun,
              ...(tried.ids[0] !== undefined && !dryRun && { idSeries: tried.ids[0] }),
            },
          ),
        )
        if (booked instanceof NoRoomError) {
          tried.items.push({ ...one, ok: false, message: booked.message, failed: booked })
          // With several times, the message names the one that failed.
          if (!dryRun) throw days.length > 1 ? booked.of(formatWall(one)) : booked
          continue
        }
        tried.ids.push(booked.id)
        tried.items.push({ ...one, ok: true })
      }
      if (dryRun) throw new DryRun(undefined as never)
      const [first] = tried.ids
      if (first !== undefined) await inside.asSystem.update(Appointment, first, { idSeries: first })
    })
  try {
    await withAlternatives(app.db, actor, run)
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
    tried.ids = []
  }
  const items = await Promise.all(
    tried.items.map(async ({ failed: why, ...item }) =>
      why ? { ...item, alternatives: await nearest(app.db, actor, why) } : item,
    ),
  )
  return { items, ids: tried.ids }
})

/** Rolls back to a savepoint if the booking fails, and keeps the rest of the transaction. */
async function savepoint<T>(tx: Tx, run: () => Promise<T>): Promise<T | NoRoomError> {
  await tx.query(raw('savepoint one_of_series'))
  try {
    const done = await run()
    await tx.query(raw('release savepoint one_of_series'))
    return done
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error
    await tx.query(raw('rollback to savepoint one_of_series'))
    return error
  }
}

/** The visit moved to this day and start: its coupons keep their offsets. */
function shifted(visit: VisitBody, { localDate, localStart }: { localDate: string; localStart: string }): BookBody {
  const first = visit.coupons.map((one) => one.localStart).toSorted()[0] as string
  return {
    ...visit,
    localDate,
    dryRun: false,
    coupons: visit.coupons.map((one) => ({ ...one, localStart: addClock(one.localStart, first, localStart) })),
  }
}

/**
 * Shifts a time by the difference of `from` and `to`.
 * @throws ValidationError if the result is past midnight
 */
export function addClock(time: string, from: string, to: string): string {
  const minutes = minute(to) + minute(time) - minute(from)
  if (minutes < 0 || minutes >= DAY_MINUTES)
    throw new ValidationError([{ field: 'localStart', message: 'Визит не может переходить через полночь' }])
  return clockOf(minutes)
}
const minute = (clock: string): number => minutesOf(clock) as number
