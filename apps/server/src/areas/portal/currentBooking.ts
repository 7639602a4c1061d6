/** The booking that a browser is making, found by its cookie. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { policyInForce } from '#areas/site/index.ts'
import { ownCookie } from '#platform/cookies.ts'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { mustBook } from './times.ts'

const COOKIE_FORM = /^[\w-]{43}$/

export const hashOf = (token: string): string => createHash('sha256').update(`portal booking ${token}`).digest('hex')

export interface Booking {
  id: number
  idService: number
  idUser: number
  idFilial: number
  localDate: string
  localStart: string
  idHold: number | null
  /** The mark by which a seller has sent the patient. */
  click: string | null
  /** The code of the patient who has invited this one. */
  friend: string | null
  phone: string | null
  /** The phone is confirmed, or a patient is signed in. */
  isKnown: boolean
  idAppointment: number | null
}

export async function bookingOf(app: AppContext, request: FastifyRequest): Promise<Booking | undefined> {
  const { db } = app
  const token = cookie(app).get(request) ?? ''
  if (!COOKIE_FORM.test(token)) return undefined
  return db.one<Booking>(sql`
    select b."id"::int as id, b."idService"::int as "idService", b."idUser"::int as "idUser", b."idFilial"::int as "idFilial",
      b."localDate"::text as "localDate", b."localStart", b."idHold"::int as "idHold", b."click", b."friend", b."phone",
      b."isKnown", b."idAppointment"::int as "idAppointment"
    from portal_bookings b where b."hash" = ${hashOf(token)} and b."dateExpires" > now()`)
}

export const none = () => new HttpError(409, 'Выберите время ещё раз: прежний выбор устарел', { code: 'none' })

export async function mine(app: AppContext, request: FastifyRequest): Promise<Booking> {
  await mustBook(app.db)
  const booking = await bookingOf(app, request)
  if (!booking) throw none()
  return booking
}

export const placeOf = ({ idService, idUser, idFilial, localDate, localStart }: Booking) => ({
  idServices: [idService],
  ...{ idUser, idFilial, localDate, localStart },
})

/** SQL of the consent for new patients. */
export const consentSql = sql`(select p."id"::int from client_policies p where p."kind" = 'consent' and ${policyInForce(raw('p'))} limit 1)`

export const cookie = ({ config }: AppContext) => ownCookie(config, 'ordinator_booking', '/portal')
