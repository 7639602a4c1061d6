/**
 * A booking asked for by a seller: decided by the same exclusion constraint as every other, once for each number of the
 * seller. It never rewrites a card: a phone with another name or birthday is a new card and a question for the desk.
 */
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { OutsideAnswer, OutsidePerson } from '@ordinator/model/areas/outside/calls'
import { OutsideBooking } from '@ordinator/model/areas/outside/channel'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { couponCountsSql, lineCountsSql, visitCountsSql } from '#areas/counted/index.ts'
import { sameOfPhone } from '#areas/customers/index.ts'
import {
  answerOnline,
  bookOnline,
  estimateEach,
  moveOnline,
  NoRoomError,
  type OnlinePlace,
  onlineDays,
  onlineNearest,
  onlineSlot,
  priceOf,
} from '#areas/visits/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal } from '#records/journal.ts'
import type { Records } from '#records/records.ts'
import { type Channel, sells } from './channels.ts'
import { stateSql } from './records.ts'

/** Cards that one phone may be written to. */
const CARDS_OF_PHONE = 6
const HOUR_MS = 3_600_000
const RETAKEN = 'На этом телефоне есть другая карта: сверьте, кто придёт'

export interface Wish {
  outerId: string
  idService: number
  idUser: number
  localDate: string
  localStart: string
  person: OutsidePerson
  /** Rubles that the patient was shown. */
  price?: number | undefined
  comment?: string | undefined
}

/** Why a seller is refused: its code for wires, and the sentence of the journal. */
export type Refusal = 'taken' | 'closed' | 'price' | 'patient' | 'prepay' | 'cards'

const refused = (code: Refusal, message: string, body?: object) =>
  new HttpError(409, message, { code, ...(body && { body: { message, code, ...body } }) })

const placeOf = ({ idService, idUser, localDate, localStart }: Wish, { idFilial }: Channel): OnlinePlace => ({
  ...{ idServices: [idService], idUser, idFilial, localDate, localStart },
})

/**
 * Books, or answers as before for the same number. A refusal is stored with its reason.
 * @throws HttpError 409 with a code of `Refusal`
 */
export async function bookOutside(
  app: AppContext,
  channel: Channel,
  wish: Wish,
  from?: { ip: string; id: string },
): Promise<{ answer: OutsideAnswer; isNew: boolean }> {
  const place = placeOf(wish, channel)
  try {
    const isNew = await app.engine.for(systemActor).tx(async (records, tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`outside ${channel.id} ${wish.outerId}`}, 0))`)
      const before = await tx.one<{ id: number; isRefused: boolean }>(sql`
        select b."id"::int as id, b."reason" is not null as "isRefused" from outside_bookings b
        where b."idChannel" = ${channel.id} and b."outerId" = ${wish.outerId}`)
      if (before && !before.isRefused) return false
      await mustBeOpen(tx, channel, wish)
      await mustKeepPrice(app, tx, place, wish.price)
      const { idCustomer, question } = await cardFor(records, tx, channel, wish.person)
      const note = wish.comment ? { note: wish.comment } : {}
      const { id: idAppointment } = await bookOnline(records, tx, {
        ...{ ...place, ...note, idCustomer, idHold: null, seller: channel.name },
      })
      await mustBeAlone(tx, idCustomer, idAppointment)
      const values = { idCustomer, idAppointment, question, reason: null }
      if (before) await records.asSystem.update(OutsideBooking, before.id, values)
      else await records.asSystem.create(OutsideBooking, { ...values, idChannel: channel.id, outerId: wish.outerId })
      await journal(tx, {
        ...{ action: 'create', entityType: 'appointments', idEntity: idAppointment, idCustomer },
        ...(from && { ip: from.ip, requestId: from.id }),
        basis: `Запись с площадки «${channel.name}»`,
      })
      return true
    })
    return { answer: await answerOf(app, channel, wish.outerId), isNew }
  } catch (error) {
    const failure = error instanceof NoRoomError ? await withNearest(app, place, error) : error
    if (failure instanceof HttpError && failure.status === 409)
      await keepRefusal(app, channel, wish.outerId, failure.message)
    throw failure
  }
}

async function withNearest({ db }: AppContext, place: OnlinePlace, error: NoRoomError): Promise<HttpError> {
  const nearest = await onlineNearest(db.reads, place)
  return refused('taken', error.message, {
    nearest: nearest.map(({ idUser: doctor, localDate: date, localStart: start }) => ({ doctor, date, start })),
  })
}

/** The reason of a refusal stays with the seller's number until that is booked. */
export const keepRefusal = (app: AppContext, { id: idChannel }: Channel, outerId: string, reason: string) =>
  app.engine.for(systemActor).tx(async ({ asSystem }, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`outside ${idChannel} ${outerId}`}, 0))`)
    const before = await tx.one<{ id: number; reason: string | null }>(sql`
      select "id"::int as id, "reason" from outside_bookings where "idChannel" = ${idChannel} and "outerId" = ${outerId}`)
    const values = { reason: reason.slice(0, 256) }
    if (!before) await asSystem.create(OutsideBooking, { idChannel, outerId, ...values })
    else if (before.reason !== null && before.reason !== values.reason)
      await asSystem.update(OutsideBooking, before.id, values)
  })

/** @throws HttpError 409 `closed` if the channel does not sell this, or not at this time */
async function mustBeOpen(tx: Tx, channel: Channel, wish: Wish): Promise<void> {
  if (!(await sells(tx, channel, wish.idService, wish.idUser)))
    throw refused('closed', 'К этому врачу на эту услугу площадка не записывает')
  const { last } = await daysOf(tx, channel)
  if (wish.localDate > last) throw refused('closed', 'Так далеко вперёд площадка не записывает')
  const slot = await onlineSlot(tx, placeOf(wish, channel))
  if (slot && Date.parse(slot.dateFrom) < Date.now() + channel.leadHours * HOUR_MS)
    throw refused('closed', 'До начала осталось слишком мало времени')
}

/** The days that a channel may be shown, within those of online booking. */
export async function daysOf(db: Queryable, { horizonDays }: Channel): Promise<{ first: string; last: string }> {
  const { first, last } = await onlineDays(db)
  const own = plusDays(first, horizonDays)
  return { first, last: own < last ? own : last }
}

/** @throws HttpError 409 `price` if the patient would pay more than they were shown */
async function mustKeepPrice(app: AppContext, tx: Tx, place: OnlinePlace, shown: number | undefined): Promise<void> {
  if (shown === undefined) return
  const slot = await onlineSlot(tx, place)
  if (!slot) return
  const [cost] = await estimateEach(app.engine.for(systemActor), tx, { idCustomer: null, ...place }, [slot])
  if (typeof cost?.price === 'number' && cost.price > shown)
    throw refused('price', `Цена теперь ${formatMoney(cost.price)}`, { price: cost.price })
}

/** The patient's card, or a new one. */
async function cardFor(
  records: Records,
  tx: Tx,
  { idSource }: Channel,
  person: OutsidePerson,
): Promise<{ idCustomer: number; question: string | null }> {
  const { phone, birthday, middleName, ...named } = person
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal phone ${phone}`}, 0))`)
  const same = await sameOfPhone(tx, person)
  if (same !== undefined) return { idCustomer: same, question: null }
  const cards = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from customers where "phone" = ${phone} and not "deleted"`,
  )
  if ((cards?.count ?? 0) >= CARDS_OF_PHONE)
    throw refused('cards', 'На этом телефоне слишком много карт: пусть пациент позвонит в клинику')
  const made = await records.asSystem.create(Customer, {
    ...{ ...named, phone },
    ...(middleName && { middleName }),
    ...(birthday && { birthday: formatDay(birthday) }),
    ...(idSource !== null && { idSource }),
  })
  return { idCustomer: made.id, question: cards?.count ? RETAKEN : null }
}

/** @throws HttpError 409 `patient` if the patient has another visit at that time */
async function mustBeAlone(tx: Tx, idCustomer: number, idAppointment: number): Promise<void> {
  const other = await tx.one(sql`
    select 1 from appointments a join appointments b on b."id" = ${idAppointment}
    where a."idCustomer" = ${idCustomer} and a."id" <> b."id" and ${visitCountsSql()}
      and a."dateFrom" < b."dateTo" and b."dateFrom" < a."dateTo" limit 1`)
  if (other) throw refused('patient', 'Пациент уже записан на это время')
}

interface Held {
  id: number
  idAppointment: number | null
  version: number | null
  state: OutsideAnswer['state']
}

async function heldOf(db: Queryable, { id: idChannel }: Channel, outerId: string): Promise<Held> {
  const held = await db.one<Held>(sql`
    select b."id"::int as id, b."idAppointment"::int as "idAppointment", a."_version"::int as version,
      ${stateSql(raw('b'))} as state
    from outside_bookings b left join appointments a on a."id" = b."idAppointment" and not a."deleted"
    where b."idChannel" = ${idChannel} and b."outerId" = ${outerId}`)
  if (!held) throw notFound('Записи с таким номером нет')
  return held
}

/** The booking by the visit's current state: moved and cancelled ones have that state. @throws HttpError 404 */
export async function answerOf(
  app: AppContext,
  { id: idChannel, showPrice }: Channel,
  outerId: string,
): Promise<OutsideAnswer> {
  const found = await app.db.one<Omit<OutsideAnswer, 'price'> & { idAppointment: number | null }>(sql`
    select b."outerId" as id, ${stateSql(raw('b'))} as state, a."idUser"::int as doctor, a."localDate"::text as date,
      a."localStart" as start, a."id"::int as "idAppointment"
    from outside_bookings b left join appointments a on a."id" = b."idAppointment" and not a."deleted"
    where b."idChannel" = ${idChannel} and b."outerId" = ${outerId}`)
  if (!found) throw notFound('Записи с таким номером нет')
  const { idAppointment, ...answer } = found
  const priced =
    showPrice && idAppointment !== null ? await priceOf(app.engine.for(systemActor), app.db, idAppointment) : undefined
  return {
    ...answer,
    price: priced ? Math.round(priced.lines.reduce((sum, { final }) => sum + final * 100, 0)) / 100 : null,
  }
}

/** Cancels the visit; one that is cancelled already stays so. @throws HttpError 404, 409 `state` */
export async function cancelOutside(app: AppContext, channel: Channel, outerId: string): Promise<OutsideAnswer> {
  const { idAppointment, version, state } = await heldOf(app.db, channel, outerId)
  if (state === 'booked' || state === 'confirmed')
    await answerOnline(app, idAppointment as number, {
      ...{ _version: version as number, status: 'cancelled', cancelReason: 'time', cancelledBy: 'patient' },
      cancelNote: `Отменено через «${channel.name}»`,
    })
  return answerOf(app, channel, outerId)
}

/** @throws HttpError 404, 409 `state` if the booking is not there any more */
export async function confirmOutside(app: AppContext, channel: Channel, outerId: string): Promise<OutsideAnswer> {
  const { id, idAppointment, version, state } = await heldOf(app.db, channel, outerId)
  if (state !== 'booked' && state !== 'confirmed') throw new HttpError(409, 'Этой записи уже нет', { code: 'state' })
  const visit = await app.db.one<{ status: string }>(
    sql`select "visitStatus" as status from appointments where "id" = ${idAppointment}`,
  )
  if (visit?.status === 'booked')
    await answerOnline(app, idAppointment as number, { _version: version as number, status: 'confirmed' })
  if (state === 'booked')
    await app.engine.for(systemActor).tx(({ asSystem }) => asSystem.update(OutsideBooking, id, { isConfirmed: true }))
  return answerOf(app, channel, outerId)
}

/** Moves the visit to another time of the same doctor or another one that the channel sells. */
export async function moveOutside(
  app: AppContext,
  channel: Channel,
  outerId: string,
  to: { idUser: number; localDate: string; localStart: string },
): Promise<OutsideAnswer> {
  const { idAppointment, version, state } = await heldOf(app.db, channel, outerId)
  if (state !== 'booked' && state !== 'confirmed') throw new HttpError(409, 'Этой записи уже нет', { code: 'state' })
  const services = await app.db.query<{ id: number }>(sql`
    select l."idService"::int as id from coupons c join coupon_services l on l."idCoupon" = c."id" and ${lineCountsSql()}
    where c."idAppointment" = ${idAppointment} and ${couponCountsSql()}`)
  const place = { ...to, idServices: services.map(({ id }) => id), idFilial: channel.idFilial }
  try {
    await app.engine.for(systemActor).tx((records, tx) =>
      moveOnline(records, tx, {
        ...{ ...place, idAppointment: idAppointment as number, version: version as number },
        reason: `Перенесено через «${channel.name}»`,
      }),
    )
  } catch (error) {
    throw error instanceof NoRoomError ? await withNearest(app, place, error) : error
  }
  return answerOf(app, channel, outerId)
}
