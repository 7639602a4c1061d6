/**
 * Online booking by patients: free times, a hold during sign-in, and a notice to the desk. Such a hold has no author,
 * so that no two patients share it; its holder presents its id.
 */

import { durationOf } from '@ordinator/model/areas/catalogue/performer'
import type { Slot, visitCalls } from '@ordinator/model/areas/visits/calls'
import { HOLD_MINUTES, Hold, MAX_HOLD_MINUTES } from '@ordinator/model/areas/visits/hold'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import type { z } from 'zod'
import { publicDoctor, publicFilial, publicService } from '#areas/catalogue/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { bookVisit } from './book.ts'
import { moveVisit } from './move.ts'
import { notifyDesk } from './notices.ts'
import { doctorResource, lockResources, roomResource } from './occupancy.ts'
import { lengthOf, NoRoomError, type Planned, planVisit } from './plan.ts'
import { PrepayError } from './prepay.ts'
import { type FirstTime, findSlots, firstTimes, rulesOf } from './slots.ts'
import { changeStatus } from './status.ts'
import { holdGear } from './takeTime.ts'
import { momentSql, zoneSql } from './times.ts'

/** With the rights of a desk: the requester is the patient of the visit. */
const patientActor: ServerActor = { ...systemActor, permissions: { editAppointments: true } }

export interface OnlinePlace {
  idServices: readonly number[]
  idUser: number
  idFilial: number
  localDate: string
  localStart: string
}

interface OnlineAsked {
  idServices: readonly number[]
  idUser?: number | undefined
  idFilial?: number | undefined
  /** `YYYY-MM-DD`, inclusive. */
  from: string
  to: string
  limit: number
  near?: { moment: string; idUser: number } | undefined
}

/** The days open to online booking, in the clinic's time zone. */
export async function onlineDays(db: Queryable): Promise<{ first: string; last: string; leadHours: number }> {
  const { timeZone, bookingDays, bookingLeadHours } = await readCommonSettings(db)
  const first = dayIn(timeZone, Date.now())
  return { first, last: plusDays(first, bookingDays), leadHours: bookingLeadHours }
}

/** Free times open to patients, within the days and hours of online booking. */
export async function onlineTimes(db: Queryable, asked: OnlineAsked): Promise<Slot[]> {
  const { first, last, leadHours } = await onlineDays(db)
  const from = asked.from < first ? first : asked.from
  const to = asked.to > last ? last : asked.to
  if (from > to) return []
  return findSlots(db, systemActor, { ...asked, from, to, online: { leadHours } })
}

const momentOf = async (db: Queryable, { idFilial, localDate, localStart }: OnlinePlace): Promise<string | undefined> =>
  (
    await db.one<{ moment: string }>(sql`
      select ${momentSql(sql`${localDate}`, sql`${localStart}`, zoneSql(raw('f')))} as moment from filials f where f."id" = ${idFilial}`)
  )?.moment

/** The slot, if patients may take it; undefined if taken, past, or not open to them. */
export async function onlineSlot(db: Queryable, place: OnlinePlace): Promise<Slot | undefined> {
  const moment = await momentOf(db, place)
  if (moment === undefined) return undefined
  const { idServices, idUser, idFilial, localDate } = place
  const near = { moment, idUser }
  const found = await onlineTimes(db, { idServices, idUser, idFilial, from: localDate, to: localDate, limit: 20, near })
  return found.find(({ dateFrom }) => Date.parse(dateFrom) === Date.parse(moment))
}

/** Maximum number of nearest times per search, and days around the requested one. */
const NEAREST = 3
const AROUND = 7

/** The nearest times to a taken one, the same doctor first. */
export async function onlineNearest(db: Queryable, place: OnlinePlace): Promise<Slot[]> {
  const moment = await momentOf(db, place)
  if (moment === undefined) return []
  const { idServices, idUser, idFilial, localDate } = place
  return onlineTimes(db, {
    idServices,
    idFilial,
    from: plusDays(localDate, -AROUND),
    to: plusDays(localDate, AROUND),
    limit: NEAREST,
    near: { moment, idUser },
  })
}

/** Days searched for the first times in lists, and maximum number of performer-service pairs. */
const FIRST_DAYS = 7
const MOST_PAIRS = 3000

/**
 * The first free times of each service, or doctor (by their simplest service), for lists.
 * @returns by id of the service or doctor; those without a time within a week are omitted
 */
export async function firstOnline(
  db: Queryable,
  asked: { services: readonly number[] } | { users: readonly number[] },
  each: number,
): Promise<Map<number, OnlineFirst[]>> {
  const { first, last, leadHours } = await onlineDays(db)
  const end = plusDays(first, FIRST_DAYS)
  const of = 'services' in asked ? raw('p."idService"') : raw('p."idUser"')
  const ids = 'services' in asked ? asked.services : asked.users
  if (ids.length === 0) return new Map()
  const all = await db.query<{ idService: number; idUser: number; idFilial: number }>(sql`
    select p."idService"::int as "idService", p."idUser"::int as "idUser", f."id"::int as "idFilial"
    from service_doctors p join services s on s."id" = p."idService" and ${publicService(raw('s'))} and s."groupSize" = 1
      join users u on u."id" = p."idUser" and ${publicDoctor(raw('u'))}
      join filials f on ${publicFilial(raw('f'))} and (p."idFilial" is null or p."idFilial" = f."id")
    where ${of} = any (${ids}::bigint[])
      and not exists (select 1 from service_equipment n where n."idService" = s."id" and not n."deleted")
      and exists (select 1 from staff_events e where e."type" = 'shift' and e."idUser" = u."id" and e."idFilial" = f."id"
        and not e."deleted" and e."localDate" between ${first}::date and ${end}::date)
    order by s."priceService" nulls last, s."id", u."id", f."id" limit ${MOST_PAIRS}`)
  const rules = await rulesOf(db, [...new Set(all.map(({ idService }) => idService))])
  const ofService = Map.groupBy(rules, ({ idService }) => idService)
  const chosen = new Map<string, { key: number; idService: number; idUser: number; idFilial: number }>()
  for (const pair of all) {
    const key = 'services' in asked ? pair.idService : pair.idUser
    const mark = `${key} ${pair.idUser} ${pair.idFilial}`
    const own = ofService.get(pair.idService) ?? []
    if (!chosen.has(mark) && durationOf(own, pair)?.online !== false) chosen.set(mark, { key, ...pair })
  }
  const doctors = [...chosen.values()].map((one) => ({
    ...one,
    ...lengthOf(ofService.get(one.idService) ?? [], [one.idService], { ...one, visit: null }),
  }))
  const to = end > last ? last : end
  const found = await firstTimes(db, doctors, { from: first, to, each, leadHours })
  const times = found.map((time) => ({
    ...time,
    idService: chosen.get(`${time.key} ${time.idUser} ${time.idFilial}`)?.idService as number,
  }))
  return Map.groupBy(times, ({ key }) => key)
}
export type OnlineFirst = FirstTime & { idService: number }

/** Most starts of one doctor in a grid: two months of five minutes. */
const MOST_STARTS = 6_000

export interface GridTime {
  idUser: number
  localDate: string
  localStart: string
  minutes: number
}

/**
 * All free times of many doctors in a branch, each for a service of theirs, in one query. Equipment and group services
 * are not supported here.
 */
export async function onlineGrid(
  db: Queryable,
  { idFilial, pairs, from, to, leadHours }: OnlineGrid,
): Promise<GridTime[]> {
  const rules = await rulesOf(db, [...new Set(pairs.map(({ idService }) => idService))])
  const doctors = pairs.flatMap(({ idUser, idService }) => {
    const own = rules.filter((rule) => rule.idService === idService)
    const at = { idUser, idFilial, visit: null }
    if (durationOf(own, at)?.online === false) return []
    return [{ key: idUser, idUser, idFilial, ...lengthOf(own, [idService], at) }]
  })
  const minutes = new Map(doctors.map((one) => [one.idUser, one.minutes]))
  const found = await firstTimes(db, doctors, { from, to, each: MOST_STARTS, leadHours })
  return found.map(({ idUser, localDate, localStart }) => ({
    ...{ idUser, localDate, localStart },
    minutes: minutes.get(idUser) as number,
  }))
}
interface OnlineGrid {
  idFilial: number
  pairs: readonly { idUser: number; idService: number }[]
  from: string
  to: string
  leadHours: number
}

const askedOf = ({ idServices, idUser, idFilial, localDate, localStart }: OnlinePlace) => ({
  idFilial,
  localDate,
  coupons: [{ idUser, localStart, services: idServices.map((idService) => ({ idService, qty: 1 })) }],
  overbook: false,
  outside: false,
})

/**
 * Holds a time during a patient's sign-in.
 * @throws ValidationError, NoRoomError, HttpError 409 `taken`
 */
export async function holdOnline(records: Records, tx: Tx, place: OnlinePlace): Promise<{ id: number }> {
  const asked = askedOf(place)
  const [planned] = (await planVisit({ tx, actor: systemActor }, asked)) as [Planned]
  const { idUser, idFilial, localDate, localStart } = place
  const until = await tx.one<{ at: string }>(sql`select now() + make_interval(mins => ${HOLD_MINUTES}) as at`)
  const expiresAt = until?.at as string
  const { idRoom, minutes } = planned
  const hold = await records.asSystem.create(Hold, {
    ...{ idUser, idFilial, idRoom, localDate, localStart, minutes, expiresAt },
    isOffered: true,
  })
  await holdGear({ records, tx, actor: systemActor }, asked, planned, { id: hold.id, expiresAt })
  return { id: hold.id }
}

/** Extends a hold while its patient is active, up to a limit. @returns the new end; undefined if it has expired */
export async function prolongOnline(records: Records, tx: Tx, id: number): Promise<string | undefined> {
  const hold = await tx.one<{ idUser: number; idRoom: number | null }>(
    sql`select "idUser"::int as "idUser", "idRoom"::int as "idRoom" from appointments_holds where "id" = ${id} and not "deleted"`,
  )
  if (!hold) return undefined
  await lockResources(tx, [doctorResource(hold.idUser), ...(hold.idRoom === null ? [] : [roomResource(hold.idRoom)])])
  const next = await tx.one<{ until: string }>(sql`
    select least(now() + make_interval(mins => ${HOLD_MINUTES}), "dateCreate" + make_interval(mins => ${MAX_HOLD_MINUTES})) as until
    from appointments_holds where "id" = ${id} and not "deleted" and "expiresAt" > now()`)
  if (!next) return undefined
  for (const taken of ['visit_occupancy', 'visit_seats'])
    await tx.query(sql`update ${raw(taken)} set "expiresAt" = ${next.until} where "idHold" = ${id}`)
  await records.asSystem.update(Hold, id, { expiresAt: next.until })
  return next.until
}

/** Releases a held time. */
export const freeOnline = (records: Records, id: number): Promise<unknown> =>
  records.asSystem.deleteWhere(Hold, ({ row }) => sql`${row}."id" = ${id}`, { pastHooks: 'The patient has let it go' })

interface OnlineBooking extends OnlinePlace {
  idCustomer: number
  idHold: number | null
  note?: string
  /** Name of the seller through whom the patient came; absent: the clinic's own site or portal. */
  seller?: string
}

/**
 * Books the time for a patient, replacing another patient's hold too; notifies the desk of the branch.
 * @throws NoRoomError, also if it is no longer open to patients; HttpError 409 `prepay`
 */
export async function bookOnline(
  records: Records,
  tx: Tx,
  { idCustomer, idHold, note, seller, ...place }: OnlineBooking,
): Promise<{ id: number }> {
  const asked = askedOf(place)
  if (idHold !== null) await freeOnline(records, idHold)
  if (!(await onlineSlot(tx, place))) throw gone(asked)
  const context = { records, tx, actor: patientActor }
  const visit = await bookVisit(context, {
    ...asked,
    coupons: asked.coupons,
    idCustomer,
    channel: seller === undefined ? 'site' : 'aggregator',
    dryRun: false,
    ...(note && { note }),
  }).catch((error: unknown) => {
    if (!(error instanceof PrepayError)) throw error
    throw new HttpError(409, 'Записаться можно после предоплаты: позвоните в клинику', { code: 'prepay' })
  })
  const how = seller === undefined ? 'Пациент записался онлайн' : `Пациент записался через «${seller}»`
  await notifyDesk(context, { ...visit, idAppointment: visit.id }, how)
  return { id: visit.id }
}

const gone = (asked: ReturnType<typeof askedOf>) =>
  new NoRoomError('taken', 'Это время уже заняли', asked.coupons[0] as (typeof asked.coupons)[0], asked)

/**
 * Moves a patient's own visit to another time; notifies the desk of the branch.
 * @throws NoRoomError, HttpError 409 `stale` if the visit has changed
 */
export async function moveOnline(
  records: Records,
  tx: Tx,
  {
    idAppointment,
    version,
    reason = 'Перенёс пациент в личном кабинете',
    ...place
  }: OnlinePlace & { idAppointment: number; version: number; reason?: string },
): Promise<void> {
  if (!(await onlineSlot(tx, place))) throw gone(askedOf(place))
  const { idUser, localDate, localStart } = place
  const context = { records, tx, actor: patientActor }
  const visit = await moveVisit(context, idAppointment, {
    ...{ idUser, localDate, localStart },
    reason,
    overbook: false,
    outside: false,
    _version: version,
  })
  await notifyDesk(context, { ...visit, idAppointment }, 'Пациент перенёс визит')
}

/** Applies a patient's reply to their visit; notifies the desk about a cancellation. */
export async function answerOnline(
  app: AppContext,
  id: number,
  body: z.output<typeof visitCalls.status.body>,
): Promise<{ visitStatus: string }> {
  return app.engine.for(patientActor).tx(async (records, tx) => {
    const row = await changeStatus(app, records, id, body)
    if (body.status === 'cancelled')
      await notifyDesk({ records, tx, actor: patientActor }, { ...row, idAppointment: id }, 'Пациент отменил визит')
    return row
  })
}
