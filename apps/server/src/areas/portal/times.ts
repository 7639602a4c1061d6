/** Free times as shown to patients, and booking checks. */
import {
  bookingCalls,
  type PortalService,
  type PortalTaken,
  type PortalTime,
} from '@ordinator/model/areas/portal/bookingCalls'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import { plusDays } from '@ordinator/model/zone'
import type { FastifyRequest } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { publicNameSql, publicService } from '#areas/catalogue/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { priceText, readServices } from '#areas/site/index.ts'
import {
  estimateEach,
  NoRoomError,
  type OnlinePlace,
  onlineDays,
  onlineNearest,
  onlineTimes,
} from '#areas/visits/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type OperationContext, operation } from '#records/operation.ts'
import { signedIn } from './sessions.ts'

const SERVICES = 50
/** Maximum number of days and times per request. */
const DAYS = 14
const TIMES = 100

/** @throws HttpError 409 if online booking is disabled */
export async function mustBook(db: Queryable): Promise<void> {
  const { portalActive, portalActions } = await readCommonSettings(db)
  if (!portalActive || !portalActions.includes('book'))
    throw new HttpError(409, 'Онлайн-запись сейчас закрыта: позвоните в клинику', { code: 'off' })
}

/**
 * Slots for patients: the branch by name, the price with the applicable discounts and reasons, and no hidden price.
 * @param idCustomer the patient; null: unknown, which means a new patient
 */
export async function shownTimes(
  app: AppContext,
  idCustomer: number | null,
  slots: readonly Slot[],
  idServices: readonly number[],
): Promise<PortalTime[]> {
  if (slots.length === 0) return []
  const db = app.db.reads
  const filials = await db.query<{
    id: number
    name: string
  }>(sql`select "id"::int as id, "nameFilial" as name from filials
    where "id" = any (${[...new Set(slots.map(({ idFilial }) => idFilial))]}::bigint[])`)
  const names = new Map(filials.map(({ id, name }) => [id, name]))
  const hidden = await db.one(
    sql`select 1 from services where "id" = any (${idServices}::bigint[]) and "hidePrice" limit 1`,
  )
  const costs = hidden
    ? undefined
    : await estimateEach(app.engine.for(systemActor), db, { idCustomer, idServices }, slots)
  return slots.map(({ localDate, localStart, idUser, userName, idFilial }, at) => ({
    ...{ localDate, localStart, idUser, doctor: userName, idFilial },
    filial: names.get(idFilial) ?? '',
    ...(costs?.[at] ?? { price: null, fullPrice: null, why: [] }),
  }))
}

/** Runs a booking; if its time is taken, replies 409 with the nearest times open to patients. */
export async function orNearest<T>(
  app: AppContext,
  idCustomer: number | null,
  place: OnlinePlace,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isTaken = error instanceof NoRoomError || (error instanceof HttpError && error.code === 'taken')
    if (!isTaken) throw error
    const alternatives = await shownTimes(app, idCustomer, await onlineNearest(app.db, place), place.idServices)
    const message = alternatives.length
      ? 'Это время уже заняли. Ближайшее свободное — ниже'
      : 'Это время уже заняли, а рядом свободного нет. Выберите другой день'
    const body: PortalTaken & object = { message, alternatives }
    throw new HttpError(409, message, {
      code: 'taken',
      body: { name: 'Conflict', status: 409, code: 'taken', ...body },
    })
  }
}

const services = operation(bookingCalls.services, async ({ app, query: { q } }) => {
  await mustBook(app.db)
  const rows = await readServices(app.db.reads, { limit: SERVICES, ...(q?.trim() && { words: q.trim() }) })
  const items: PortalService[] = rows.map((one) => ({
    id: one.id,
    name: one.name,
    group: one.group,
    price: priceText(one),
  }))
  return { items }
})

/** Prices depend on the signed-in patient: a cached response must not be shared. */
const patientOf = async (app: AppContext, request: FastifyRequest): Promise<number | null> =>
  (await signedIn(app, request))?.idCustomer ?? null

const answerTimes = async ({ app, request, query }: OperationContext<typeof bookingCalls.times>) => {
  await mustBook(app.db)
  const service = await app.db.one<{ name: string }>(sql`select ${publicNameSql(raw('s'))} as name from services s
    where s."id" = ${query.service} and ${publicService(raw('s'))}`)
  if (!service) throw notFound('На эту услугу онлайн не записывают')
  const { first } = await onlineDays(app.db)
  const from = query.from !== undefined && query.from > first ? query.from : first
  const found = await onlineTimes(app.db.reads, {
    idServices: [query.service],
    ...{ idUser: query.doctor, idFilial: query.filial, from, to: plusDays(from, DAYS) },
    limit: TIMES,
  })
  return {
    service: service.name,
    items: await shownTimes(app, await patientOf(app, request), found, [query.service]),
  }
}
const times = operation(bookingCalls.times, answerTimes, { keptBy: patientOf })

export const timeOperations = [services, times]
