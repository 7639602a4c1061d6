/**
 * Online booking, from the site and the portal: a time is chosen and held, the phone is confirmed by a code (also
 * without a card), and the visit is booked, once. A booking in progress is identified by a cookie of its own, which
 * gives no other access until it is booked.
 */
import { randomBytes } from 'node:crypto'
import { bookingCalls, type PortalBooking } from '@ordinator/model/areas/portal/bookingCalls'
import { CODE_MINUTES } from '@ordinator/model/areas/portal/rules'
import { type PortalWorkDone, WORK_BITS } from '@ordinator/model/areas/portal/work'
import { formatMoney } from '@ordinator/model/format'
import type { FastifyRequest } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { publicNameSql } from '#areas/catalogue/index.ts'
import { estimateOf } from '#areas/discounts/index.ts'
import { confirmClick, noteFriend, sellerOfClick } from '#areas/outside/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import {
  bookOnline,
  freeOnline,
  holdOnline,
  NoRoomError,
  onlineSlot,
  openDeposit,
  prolongOnline,
} from '#areas/visits/index.ts'
import { addressOf } from '#platform/address.ts'
import type { Tx } from '#platform/db.ts'
import { notFound, tooMany } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { cardFor, mustHaveFew, type Place, whoBooks } from './booker.ts'
import { sendCalendar } from './calendar.ts'
import { bookingOf, consentSql, cookie, hashOf, mine, none, placeOf } from './currentBooking.ts'
import { customerOf } from './people.ts'
import { signedIn } from './sessions.ts'
import { askCodeFor, enter, tryCode } from './signIn.ts'
import { mustBook, orNearest, shownTimes } from './times.ts'
import { workDone, workFor, workWanted } from './work.ts'

/**
 * Limits: times held at once by an address without and with a confirmed phone, chosen by it within an hour, and held by
 * all at once.
 */
const HELD_UNKNOWN = 2
const HELD_OF_ADDRESS = 10
const CHOSEN_OF_ADDRESS = 60
const HELD_OF_ALL = 300
/** Minutes for which a choice is stored. */
const KEPT_MINUTES = 60

async function bookingBody(
  app: AppContext,
  request: FastifyRequest,
  id: number,
  whose?: number | null,
): Promise<PortalBooking> {
  const { bookingNew } = await readCommonSettings(app.db)
  const row = await app.db.one<PortalBooking>(sql`
    select s."id"::int as "idService", ${publicNameSql(raw('s'))} as service, s."preparation" is not null as preparation, ${shortFioSql(raw('u'))} as doctor,
      f."nameFilial" as filial, coalesce(nullif(f."filialAddressFact", ''), f."filialAddress") as address,
      b."localDate"::text as "localDate", b."localStart", coalesce(h."minutes", 0) as minutes, b."price"::float8 as price,
      to_char(h."expiresAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "heldUntil", b."phone",
      coalesce(o."deleted" and o."expiresAt" > now() and b."idAppointment" is null, false) as "isOverruled",
      ${bookingNew}::boolean as "mayBeNew", ${consentSql} as "idConsent", b."idAppointment"::int as "idVisit"
    from portal_bookings b join services s on s."id" = b."idService" join users u on u."id" = b."idUser"
      join filials f on f."id" = b."idFilial"
      left join appointments_holds o on o."id" = b."idHold"
      left join appointments_holds h on h."id" = o."id" and not h."deleted" and h."expiresAt" > now()
    where b."id" = ${id}`)
  if (!row) throw none()
  return { ...row, ...(await priced(app, request, id, row, whose)) }
}

/**
 * The price as the bill will compute it.
 * @param whose the patient or a represented one; null: a new patient; undefined: the signed-in one
 */
async function priced(
  app: AppContext,
  request: FastifyRequest,
  id: number,
  { price, idVisit }: PortalBooking,
  whose: number | null | undefined,
) {
  const plain = { fullPrice: null, why: [] as string[] }
  if (price === null || price <= 0) return { price, ...plain }
  const place = await app.db.one<{
    idService: number
    idUser: number
    idFilial: number
    localDate: string
    localStart: string
    idCustomer: number | null
  }>(sql`
    select b."idService"::int as "idService", b."idUser"::int as "idUser", b."idFilial"::int as "idFilial",
      b."localDate"::text as "localDate", b."localStart", a."idCustomer"::int as "idCustomer"
    from portal_bookings b left join appointments a on a."id" = b."idAppointment" where b."id" = ${id}`)
  if (!place) return { price, ...plain }
  const patient = whose === null ? undefined : await signedIn(app, request)
  const idCustomer = place.idCustomer ?? (patient ? await customerOf(app.db, patient, whose ?? undefined) : null)
  const { base, final, lines } = await estimateOf(app.engine.for(systemActor), app.db.reads, {
    ...place,
    idCustomer,
    lines: [{ idService: place.idService, idUser: place.idUser }],
    ...(idVisit !== null && { idAppointment: idVisit }),
  })
  if (final === base) return { price: final, ...plain }
  const why = lines.flatMap(({ applied }) => applied.map(({ name, amount }) => `${name}: −${formatMoney(amount)}`))
  return { price: final, fullPrice: base, why }
}

const begin = operation(bookingCalls.begin, async ({ app, request, reply, body }) => {
  await mustBook(app.db)
  const address = addressOf(request.ip)
  const place = {
    idServices: [body.service],
    idUser: body.doctor,
    idFilial: body.filial,
    localDate: body.day,
    localStart: body.start,
  }
  const before = await bookingOf(app, request)
  const patient = await signedIn(app, request)
  const isKnown = Boolean(before?.phone) || patient !== undefined
  const work = isKnown ? undefined : await worked(app, place, address, body.work)
  const token = randomBytes(32).toString('base64url')
  const chosen = await orNearest(app, patient?.idCustomer ?? null, place, () =>
    app.engine.for(systemActor).tx(async (records, tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal booking ${address}`}, 0))`)
      if (before?.idHold && before.idAppointment === null) await freeOnline(records, before.idHold)
      await mustHaveRoom(tx, address, isKnown)
      // The lock of the address is held, and a challenge is bound to one address.
      if (work && (await tx.one(sql`select 1 from portal_bookings where "work" = ${work}`)))
        throw workWanted(app.config.secret, place, address, WORK_BITS.most)
      const slot = await onlineSlot(tx, place)
      if (!slot) throw new NoRoomError('taken', 'Это время уже заняли', asCoupon(place), asAsked(place))
      const [shown] = await shownTimes(app, null, [slot], place.idServices)
      const { id: idHold } = await holdOnline(records, tx, place)
      const made = await tx.one<{ id: number }>(sql`
        insert into portal_bookings ("hash", "idService", "idUser", "idFilial", "localDate", "localStart", "price", "idHold", "address",
          "phone", "isKnown", "work", "click", "friend", "dateExpires")
        values (${hashOf(token)}, ${body.service}, ${body.doctor}, ${body.filial}, ${body.day}, ${body.start}, ${shown?.fullPrice ?? shown?.price ?? null}, ${idHold},
          ${address}, ${before && before.idAppointment === null ? before.phone : null}, ${isKnown}, ${work ?? null}, ${body.click ?? null}, ${body.friend ?? null}, now() + make_interval(mins => ${KEPT_MINUTES}))
        returning "id"::int as id`)
      return { id: made?.id as number }
    }),
  )
  cookie(app).set(reply, token, { maxAge: KEPT_MINUTES * 60 })
  return reply.code(201).send(await bookingBody(app, request, chosen.id))
})

/**
 * @returns the solved challenge; undefined if none is required
 * @throws HttpError 409 `work`
 */
async function worked(
  { config, db }: AppContext,
  place: Place,
  address: string,
  done: PortalWorkDone | undefined,
): Promise<string | undefined> {
  const mark = done && (await workDone(config.secret, place, address, done))
  if (mark !== undefined) return mark
  const bits = await workFor(db.reads, place)
  if (bits > 0) throw workWanted(config.secret, place, address, bits)
  return undefined
}

const asAsked = ({ idFilial, localDate, ...place }: Place) => ({
  idFilial,
  localDate,
  coupons: [asCoupon({ idFilial, localDate, ...place })],
  overbook: false,
  outside: false,
})
const asCoupon = ({ idServices, idUser, localStart }: Place) => ({
  idUser,
  localStart,
  services: idServices.map((idService) => ({ idService, qty: 1 })),
})

/** @throws HttpError 429 */
async function mustHaveRoom(tx: Tx, address: string, isKnown: boolean): Promise<void> {
  const counted = await tx.one<{ held: number; unknown: number; chosen: number; all: number }>(sql`
    with live as (select b."address", b."isKnown" from portal_bookings b join appointments_holds h on h."id" = b."idHold"
      and not h."deleted" and h."expiresAt" > now() where b."dateExpires" > now())
    select (select count(*)::int from live where "address" = ${address}) as held,
      (select count(*)::int from live where "address" = ${address} and not "isKnown") as unknown, (select count(*)::int from live) as all,
      (select count(*)::int from portal_bookings where "address" = ${address} and "dateCreate" > now() - interval '1 hour') as chosen`)
  if (!counted) return
  if (!isKnown && counted.unknown >= HELD_UNKNOWN)
    throw tooMany(
      180,
      'С вашего адреса уже выбрано два времени. Подтвердите телефон у выбранного или подождите 3 минуты',
    )
  if (counted.held >= HELD_OF_ADDRESS || counted.chosen >= CHOSEN_OF_ADDRESS)
    throw tooMany(900, 'С вашего адреса выбрано слишком много времён. Подождите или позвоните в клинику')
  if (counted.all >= HELD_OF_ALL)
    throw tooMany(300, 'Сейчас записываются слишком многие. Попробуйте через несколько минут или позвоните в клинику')
}

const now = operation(bookingCalls.now, async ({ app, request, query: { patient } }) => {
  const booking = await bookingOf(app, request)
  return { booking: booking ? await bookingBody(app, request, booking.id, patient === 0 ? null : patient) : null }
})

const prolong = operation(bookingCalls.prolong, async ({ app, request }) => {
  const { id, idHold, isKnown } = await mine(app, request)
  // Holds without a confirmed phone are not extended.
  if (idHold !== null && isKnown)
    await app.engine.for(systemActor).tx((records, tx) => prolongOnline(records, tx, idHold))
  const { heldUntil, isOverruled } = await bookingBody(app, request, id)
  return { heldUntil, isOverruled }
})

const drop = operation(bookingCalls.drop, async ({ app, request, reply }) => {
  const booking = await bookingOf(app, request)
  if (booking) {
    const { id, idHold, idAppointment } = booking
    if (idHold !== null && idAppointment === null)
      await app.engine.for(systemActor).tx((records) => freeOnline(records, idHold))
    await app.db.query(
      sql`update portal_bookings set "dateExpires" = now() where "id" = ${id} and "idAppointment" is null`,
    )
  }
  cookie(app).clear(reply)
})

const code = operation(bookingCalls.code, async ({ app, request, body: { phone, topic } }) => {
  await mine(app, request)
  const { bookingNew } = await readCommonSettings(app.db)
  // A bot gets a normal response.
  if (!topic) await askCodeFor(app, request, phone, { anybody: bookingNew })
  return { minutes: CODE_MINUTES }
})

const phone = operation(bookingCalls.phone, async ({ app, request, reply, body }) => {
  const { id } = await mine(app, request)
  const { bookingNew } = await readCommonSettings(app.db)
  const { idCustomer } = await tryCode(app, { ...body, mayBeNobody: bookingNew })
  await app.db.query(sql`update portal_bookings set "phone" = ${body.phone}, "isKnown" = true where "id" = ${id}`)
  return { me: idCustomer === null ? null : await enter(app, request, reply, { idCustomer, phone: body.phone }) }
})

const book = operation(bookingCalls.book, async ({ app, request, reply, body }) => {
  const booking = await mine(app, request)
  const patient = await signedIn(app, request)
  const whose = await whoBooks(app, booking, patient, body)
  const address = addressOf(request.ip)
  const made = await orNearest(app, 'person' in whose ? null : whose.idCustomer, placeOf(booking), () =>
    app.engine.for(systemActor).tx(async (records, tx) => {
      const held = await tx.one<{ idAppointment: number | null; idHold: number | null }>(sql`
        select "idAppointment"::int as "idAppointment", "idHold"::int as "idHold" from portal_bookings
        where "id" = ${booking.id} for update`)
      if (!held) throw none()
      // A repeated request returns the same visit.
      if (held.idAppointment !== null) return { idVisit: held.idAppointment, idNew: null }
      const { idCustomer, isNew } =
        'person' in whose ? await cardFor(records, tx, whose, address) : { idCustomer: whose.idCustomer, isNew: false }
      await mustHaveFew(tx, idCustomer, whose.phone, placeOf(booking))
      if (isNew && booking.friend !== null)
        await noteFriend(records, tx, { code: booking.friend, idFriend: idCustomer })
      const seller = booking.click === null ? undefined : await sellerOfClick(tx, booking.idFilial)
      const { id: idVisit } = await bookOnline(records, tx, {
        ...placeOf(booking),
        idCustomer,
        idHold: held.idHold,
        ...(seller && { seller: seller.name }),
        ...(body.note && { note: body.note }),
      })
      if (seller && booking.click !== null)
        await confirmClick(app, records, tx, seller, { click: booking.click, idAppointment: idVisit, idCustomer })
      await tx.query(sql`update portal_bookings set "idAppointment" = ${idVisit}, "idHold" = null,
        "phone" = coalesce(${whose.phone}, "phone") where "id" = ${booking.id}`)
      await journal(tx, {
        action: 'create',
        entityType: 'appointments',
        idEntity: idVisit,
        idCustomer,
        ip: request.ip,
        requestId: request.id,
        basis: isNew ? 'Новый пациент записался онлайн' : 'Пациент записался онлайн',
      })
      return { idVisit, idNew: 'person' in whose ? idCustomer : null }
    }),
  )
  // The job creates the link later.
  await openDeposit(app, made.idVisit).catch((error) =>
    app.log.error({ err: error, id: made.idVisit }, 'no link of a deposit'),
  )
  const me =
    made.idNew !== null && patient === undefined && whose.phone !== null
      ? await enter(app, request, reply, { idCustomer: made.idNew, phone: whose.phone })
      : null
  return reply.code(201).send({ idVisit: made.idVisit, me })
})

const calendar = operation(bookingCalls.calendar, async ({ app, request, reply }) => {
  const booking = await bookingOf(app, request)
  if (!booking || booking.idAppointment === null) throw notFound('Записи с этого устройства нет')
  return sendCalendar(app.db, reply, booking.idAppointment)
})

export const bookingOperations = [begin, now, prolong, drop, code, phone, book, calendar]
