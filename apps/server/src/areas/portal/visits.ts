/** A patient's own visits. */
import { bookingCalls } from '@ordinator/model/areas/portal/bookingCalls'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import type { PortalAction } from '@ordinator/model/areas/portal/rules'
import type { PortalVisit } from '@ordinator/model/areas/portal/shapes'
import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { counted, formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import type { FastifyRequest } from 'fastify'
import sql, { raw, type Sql } from 'sql-template-tag'
import { publicNameSql, publicService } from '#areas/catalogue/index.ts'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { visitOfLink } from '#areas/messages/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { answerOnline, moveOnline, onlineDays, onlineTimes, priceOf } from '#areas/visits/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal } from '#records/journal.ts'
import { labelSql } from '#records/labels.ts'
import { operation } from '#records/operation.ts'
import { sendCalendar } from './calendar.ts'
import type { Patient } from './people.ts'
import { patientCall } from './sessions.ts'
import { orNearest, shownTimes } from './times.ts'

/** SQL of the deposit due for the visit `a`, with its deadline and link; null if none. */
const depositSql = (publicUrl: string): Sql => sql`(select json_build_object('sum', d."sum"::float8,
    'until', to_char(d."dateTo" at time zone f."timeZone", 'DD.MM HH24:MI'),
    'url', (select ${publicUrl}::text || '/pay/' || k."token" from payment_link_states k where k."idLink" = d."idLink"))
  from visit_deposits d where d."idAppointment" = a."id" and d."status" = 'waiting' and a."visitStatus" in ('booked', 'confirmed'))`

const MOST_AHEAD = 50
const MOST_PAST = 30

const visits = patientCall(portalCalls.visits, async ({ app, patient, query, subject, recordView }) => {
  const idCustomer = await subject(query.patient)
  const { actions, hours } = await mayOf(app.db)
  const found = (when: Sql, order: Sql, most: number) =>
    visitsOf(
      app.db,
      patient,
      sql`a."idCustomer" = ${idCustomer} and ${when}`,
      order,
      most,
      actions,
      hours,
      app.config.publicUrl,
    )
  const [ahead, past] = await Promise.all([
    found(
      sql`a."dateTo" > now() and a."visitStatus" not in ('cancelled', 'moved', 'noShow', 'completed')`,
      raw('a."dateFrom", a."id"'),
      MOST_AHEAD,
    ),
    found(
      sql`(a."dateTo" <= now() or a."visitStatus" in ('cancelled', 'noShow', 'completed')) and a."visitStatus" <> 'moved'`,
      raw('a."dateFrom" desc, a."id" desc'),
      MOST_PAST,
    ),
  ])
  await recordView(idCustomer, 'appointments', 'визиты')
  return { ahead: await Promise.all(ahead.map((visit) => withReasons(app, visit))), past }
})

/** Adds the discounts that reduce the price of a visit, as on its bill. */
async function withReasons(app: AppContext, visit: PortalVisit): Promise<PortalVisit> {
  if (visit.fullCost === null) return visit
  const found = await priceOf(app.engine.for(systemActor), app.db.reads, visit.id)
  const applied = found?.lines.flatMap((line) => line.applied) ?? []
  return { ...visit, why: applied.map(({ name, amount }) => `${name}: −${formatMoney(amount)}`) }
}

/** Actions the clinic allows to patients, with their deadlines. */
async function mayOf(db: Queryable) {
  const { portalActions, portalCancelHours, portalMoveHours } = await readCommonSettings(db)
  return { actions: portalActions, hours: { cancel: portalCancelHours, move: portalMoveHours } }
}

const ofPatient = (idCustomer: number, id: number): Sql => sql`a."idCustomer" = ${idCustomer} and a."id" = ${id}`

/**
 * Confirms or cancels a visit for its patient.
 * @param how the way of the request, for the access journal
 * @throws HttpError 404, 409 `late`, `changed`
 */
async function answer(
  app: AppContext,
  { ip, id: requestId }: Pick<FastifyRequest, 'ip' | 'id'>,
  { idCustomer, id, action }: { idCustomer: number; id: number; action: 'confirm' | 'cancel' },
  { patient, how }: { patient: Pick<Patient, 'isProven'>; how: string },
): Promise<{ status: string }> {
  const { actions, hours } = await mayOf(app.db)
  const which = ofPatient(idCustomer, id)
  // Read before the check: a later change makes the patient check again.
  const held = await app.db.one<{ version: number }>(
    sql`select a."_version"::int as version from appointments a where ${which}`,
  )
  const [visit] = await visitsOf(app.db, patient, which, raw('a."id"'), 1, actions, hours, app.config.publicUrl)
  if (!held || !visit) throw notFound('Такого визита в вашем кабинете нет')
  if (action === 'confirm' ? !visit.mayConfirm : !visit.mayCancel)
    throw new HttpError(
      409,
      action === 'confirm'
        ? 'Этот визит уже не подтверждают'
        : `Отменить визит здесь можно не позже чем за ${counted(hours.cancel, ['час', 'часа', 'часов'])}. Позвоните в клинику`,
      { code: 'late' },
    )
  const row = await answerOnline(app, visit.id, {
    _version: held.version,
    status: action === 'confirm' ? 'confirmed' : 'cancelled',
    ...(action === 'cancel' && {
      cancelReason: 'time',
      cancelNote: `Отменено пациентом ${how}`,
      cancelledBy: 'patient',
    }),
  }).catch(orChanged)
  await journal(app.db, {
    action: 'update',
    entityType: 'appointments',
    idEntity: visit.id,
    idCustomer,
    ip,
    requestId,
    basis: `Пациент ${how}: ${action === 'confirm' ? 'подтвердил' : 'отменил'} визит`,
  })
  return { status: row.visitStatus }
}

const visitCalendar = patientCall(
  portalCalls.visitCalendar,
  async ({ app, params, query, subject, recordView, reply }) => {
    const idCustomer = await subject(query.patient)
    const own = await app.db.one(sql`select 1 from appointments a where ${ofPatient(idCustomer, params.id)}`)
    if (!own) throw notFound('Такого визита в вашем кабинете нет')
    await recordView(idCustomer, 'appointments', 'визит для календаря')
    return sendCalendar(app.db, reply, params.id)
  },
)

const answerVisit = patientCall(
  portalCalls.answerVisit,
  async ({ app, patient, params, query, body, subject, request }) =>
    answer(
      app,
      request,
      { idCustomer: await subject(query.patient), id: params.id, action: body.action },
      { patient, how: 'в личном кабинете' },
    ),
)

/** The holder of the link sees the message's data, and not the patient. */
const stranger = { isProven: false }
const BY_LINK = 'по ссылке из сообщения'

/** The visit of a link. @throws HttpError 410 if it is invalid, over, or has another time by now */
async function linked(app: AppContext, token: string): Promise<{ id: number; idCustomer: number }> {
  const visit = (await readCommonSettings(app.db)).portalActive ? await visitOfLink(app.db, app, token) : undefined
  if (!visit)
    throw new HttpError(410, 'Ссылка больше не действует: время визита изменилось. Позвоните в клинику', {
      code: 'gone',
    })
  return visit
}

const visitByLink = operation(portalCalls.visitByLink, async ({ app, body, request }) => {
  const { id, idCustomer } = await linked(app, body.token)
  const { actions, hours } = await mayOf(app.db)
  const [visit] = await visitsOf(
    app.db,
    stranger,
    ofPatient(idCustomer, id),
    raw('a."id"'),
    1,
    actions,
    hours,
    app.config.publicUrl,
  )
  if (!visit) throw notFound('Такого визита нет')
  await journal(app.db, {
    action: 'view',
    entityType: 'appointments',
    idEntity: id,
    idCustomer,
    ip: request.ip,
    requestId: request.id,
    basis: `Пациент ${BY_LINK}: визит`,
  })
  return { clinicName: (await readCommonSettings(app.db)).clinicName, visit }
})

const answerByLink = operation(portalCalls.answerByLink, async ({ app, body, request }) =>
  answer(
    app,
    request,
    { ...(await linked(app, body.token)), action: body.action },
    { patient: stranger, how: BY_LINK },
  ),
)

/** The row in a refused write's error is for the staff only. */
function orChanged(error: unknown): never {
  if (error instanceof HttpError && error.code === 'stale')
    throw new HttpError(409, 'Визит только что изменили в клинике. Обновите страницу', { code: 'changed' })
  throw error
}

interface Movable {
  version: number
  idUser: number
  idFilial: number
  localDate: string
  idServices: number[]
}

/** A visit that its patient may move. @throws HttpError 404, 409 `late` */
async function movableOf(
  app: AppContext,
  patient: Patient,
  idCustomer: number,
  id: number,
): Promise<Movable & { id: number }> {
  const which = ofPatient(idCustomer, id)
  // Read before the check that uses it.
  const held = await app.db.one<Movable>(sql`
    select a."_version"::int as version, a."idUser"::int as "idUser", a."idFilial"::int as "idFilial", a."localDate"::text as "localDate",
      coalesce((select json_agg(l."idService" order by l."id") from coupons k join coupon_services l on l."idCoupon" = k."id"
        and ${lineCountsSql()} where k."idAppointment" = a."id" and ${couponCountsSql(raw('k'))}), '[]') as "idServices"
    from appointments a where ${which} and not a."deleted"`)
  const { actions, hours } = await mayOf(app.db)
  const [visit] = await visitsOf(app.db, patient, which, raw('a."id"'), 1, actions, hours, app.config.publicUrl)
  if (!held || !visit) throw notFound('Такого визита в вашем кабинете нет')
  if (!visit.mayMove)
    throw new HttpError(
      409,
      `Перенести этот визит здесь нельзя: онлайн переносят не позже чем за ${counted(hours.move, ['час', 'часа', 'часов'])}. Позвоните в клинику`,
      { code: 'late' },
    )
  return { ...held, id: visit.id }
}

const MOVE_DAYS = 14
const MOVE_TIMES = 100

const moveTimes = patientCall(bookingCalls.moveTimes, async ({ app, patient, params, query, subject }) => {
  const idCustomer = await subject(query.patient)
  const visit = await movableOf(app, patient, idCustomer, params.id)
  const { first } = await onlineDays(app.db)
  const from = query.from !== undefined && query.from > first ? query.from : first
  const { idServices, idFilial } = visit
  const found = await onlineTimes(app.db.reads, {
    ...{ idServices, idFilial, from },
    to: plusDays(from, MOVE_DAYS),
    limit: MOVE_TIMES,
  })
  return { items: await shownTimes(app, idCustomer, found, idServices) }
})

const move = patientCall(bookingCalls.move, async ({ app, patient, params, query, body, subject, request }) => {
  const idCustomer = await subject(query.patient)
  const visit = await movableOf(app, patient, idCustomer, params.id)
  const { idServices, idFilial, version } = visit
  const place = { idServices, idFilial, idUser: body.doctor, localDate: body.day, localStart: body.start }
  await orNearest(app, idCustomer, place, () =>
    app.engine.for(systemActor).tx(async (records, tx) => {
      await moveOnline(records, tx, { ...place, idAppointment: visit.id, version })
      await journal(tx, {
        action: 'update',
        entityType: 'appointments',
        idEntity: visit.id,
        idCustomer,
        ip: request.ip,
        requestId: request.id,
        basis: 'Пациент в личном кабинете: перенёс визит',
      })
    }),
  ).catch(orChanged)
  return { localDate: body.day, localStart: body.start }
})

const cost = sql`greatest(0, round(l."price" * l."qty", 2) - l."discount")`

function visitsOf(
  db: Queryable,
  { isProven }: Pick<Patient, 'isProven'>,
  which: Sql,
  order: Sql,
  most: number,
  actions: readonly PortalAction[],
  hours: { cancel: number; move: number },
  publicUrl: string,
): Promise<PortalVisit[]> {
  const may = (action: PortalAction, when: Sql) => (actions.includes(action) ? when : raw('false'))
  return db.query<PortalVisit>(sql`
    select a."id"::int as id, to_char(a."dateFrom" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "dateFrom",
      a."localDate"::text as "localDate", a."localStart" as "localStart", a."visitStatus" as status,
      ${labelSql(sql`a."visitStatus"`, visitStatuses)} as "statusName",
      ${
        isProven
          ? sql`(select string_agg(${publicNameSql(raw('s'))}, ', ' order by k."dateFrom", k."id") from coupons k
        join services s on s."id" = k."idService" where k."idAppointment" = a."id" and not k."deleted")`
          : sql`null::text`
      } as services,
      ${shortFioSql(raw('u'))} as doctor, f."nameFilial" as filial, coalesce(f."filialAddressFact", f."filialAddress") as address,
      f."filialPhone" as phone,
      ${
        isProven
          ? sql`(select coalesce(sum(${cost}), 0)::float8 from coupons k join coupon_services l on l."idCoupon" = k."id"
        and ${lineCountsSql()} where k."idAppointment" = a."id" and ${couponCountsSql(raw('k'))})`
          : sql`null::float8`
      } as cost,
      ${isProven ? depositSql(publicUrl) : sql`null::json`} as deposit,
      ${
        isProven
          ? sql`(select nullif(sum(round(l."price" * l."qty", 2)), coalesce(sum(${cost}), 0))::float8 from coupons k join coupon_services l
        on l."idCoupon" = k."id" and ${lineCountsSql()} where k."idAppointment" = a."id" and ${couponCountsSql(raw('k'))})`
          : sql`null::float8`
      } as "fullCost", array[]::text[] as why,
      ${may('confirm', sql`a."visitStatus" = 'booked' and a."dateFrom" > now()`)} as "mayConfirm",
      ${may(
        'cancel',
        sql`a."visitStatus" in ('booked', 'confirmed') and a."dateFrom" > now() + make_interval(hours => ${hours.cancel})`,
      )} as "mayCancel",
      ${isProven ? may('move', movableSql(hours.move)) : raw('false')} as "mayMove"
    from appointments a join users u on u."id" = a."idUser" join filials f on f."id" = a."idFilial"
    where ${which} and not a."deleted" order by ${order} limit ${most}`)
}

/** SQL condition: its patient may move the visit `a`: one busy time, of services open to patients. */
const movableSql = (hours: number): Sql => sql`a."visitStatus" in ('booked', 'confirmed')
  and a."dateFrom" > now() + make_interval(hours => ${hours})
  and (select count(*) from coupons k where k."idAppointment" = a."id" and ${couponCountsSql(raw('k'))}) = 1
  and not exists (select 1 from coupons k join coupon_services l on l."idCoupon" = k."id" and ${lineCountsSql()}
    join services s on s."id" = l."idService" where k."idAppointment" = a."id" and ${couponCountsSql(raw('k'))} and not (${publicService(raw('s'))}))`

export const visitCalls = [visits, visitCalendar, answerVisit, visitByLink, answerByLink, moveTimes, move]
