/** What a patient sees of the own visits. */
import { type PortalVisit, portalCalls } from '@ordinator/model/areas/portal/calls'
import type { PortalAction } from '@ordinator/model/areas/portal/rules'
import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { counted } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { HttpError, notFound } from '../../platform/errors.ts'
import { type ServerActor, systemActor } from '../../records/actor.ts'
import { journal } from '../../records/journal.ts'
import { labelSql } from '../../records/labels.ts'
import { readCommonSettings } from '../settings/index.ts'
import { shortFioSql } from '../staff/index.ts'
import { changeStatus } from '../visits/index.ts'
import type { Patient } from './people.ts'
import { patientCall } from './sessions.ts'

const MOST_AHEAD = 50
const MOST_PAST = 30

const visits = patientCall(portalCalls.visits, async ({ app, patient, query, subject, seen }) => {
  const idCustomer = await subject(query.patient)
  const { portalActions, portalCancelHours } = await readCommonSettings(app.db)
  const found = (when: Sql, order: Sql, most: number) =>
    visitsOf(
      app.db,
      patient,
      sql`a."idCustomer" = ${idCustomer} and ${when}`,
      order,
      most,
      portalActions,
      portalCancelHours,
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
  await seen(idCustomer, 'appointments', 'визиты')
  return { ahead, past }
})

/** With the right of a desk, as who asks is the patient of the visit. */
const patientActor: ServerActor = { ...systemActor, permissions: { editAppointments: true } }

const answerVisit = patientCall(
  portalCalls.answerVisit,
  async ({ app, patient, params, query, body, subject, request }) => {
    const idCustomer = await subject(query.patient)
    const { portalActions, portalCancelHours } = await readCommonSettings(app.db)
    const which = sql`a."idCustomer" = ${idCustomer} and a."id" = ${params.id}`
    // Read before what is judged by it: what has changed since is judged again, by the patient.
    const held = await app.db.one<{ version: number }>(
      sql`select a."_version"::int as version from appointments a where ${which}`,
    )
    const [visit] = await visitsOf(app.db, patient, which, raw('a."id"'), 1, portalActions, portalCancelHours)
    if (!held || !visit) throw notFound('Такого визита в вашем кабинете нет')
    const { action } = body
    if (action === 'confirm' ? !visit.mayConfirm : !visit.mayCancel)
      throw new HttpError(
        409,
        action === 'confirm'
          ? 'Этот визит уже не подтверждают'
          : `Отменить визит здесь можно не позже чем за ${counted(portalCancelHours, ['час', 'часа', 'часов'])}. Позвоните в клинику`,
        { code: 'late' },
      )
    const row = await changeStatus(app, app.engine.for(patientActor), visit.id, {
      _version: held.version,
      status: action === 'confirm' ? 'confirmed' : 'cancelled',
      ...(action === 'cancel' && {
        cancelReason: 'time',
        cancelNote: 'Отменено пациентом в личном кабинете',
        cancelledBy: 'patient',
      }),
    }).catch((error: unknown) => {
      // The row that it was refused with is the staff's.
      if (error instanceof HttpError && error.code === 'stale')
        throw new HttpError(409, 'Визит только что изменили в клинике. Обновите страницу', { code: 'changed' })
      throw error
    })
    await journal(app.db, {
      action: 'update',
      entityType: 'appointments',
      idEntity: visit.id,
      idCustomer,
      ip: request.ip,
      requestId: request.id,
      basis: `Пациент в личном кабинете: ${action === 'confirm' ? 'подтвердил' : 'отменил'} визит`,
    })
    return { status: row.visitStatus }
  },
)

const cost = sql`greatest(0, round(l."price" * l."qty", 2) - l."discount")`

function visitsOf(
  db: Queryable,
  { isProven }: Patient,
  which: Sql,
  order: Sql,
  most: number,
  actions: readonly PortalAction[],
  cancelHours: number,
): Promise<PortalVisit[]> {
  const may = (action: PortalAction, when: Sql) => (actions.includes(action) ? when : raw('false'))
  return db.query<PortalVisit>(sql`
    select a."id"::int as id, to_char(a."dateFrom" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "dateFrom",
      a."localDate"::text as "localDate", a."localStart" as "localStart", a."visitStatus" as status,
      ${labelSql(sql`a."visitStatus"`, visitStatuses)} as "statusName",
      ${
        isProven
          ? sql`(select string_agg(s."nameService", ', ' order by k."dateFrom", k."id") from coupons k
        join services s on s."id" = k."idService" where k."idAppointment" = a."id" and not k."deleted")`
          : sql`null::text`
      } as services,
      ${shortFioSql(raw('u'))} as doctor, f."nameFilial" as filial, coalesce(f."filialAddressFact", f."filialAddress") as address,
      f."filialPhone" as phone,
      ${
        isProven
          ? sql`(select coalesce(sum(${cost}), 0)::float8 from coupons k join coupon_services l on l."idCoupon" = k."id"
        and not l."deleted" and not l."cancelled" where k."idAppointment" = a."id" and not k."deleted" and not k."cancelled")`
          : sql`null::float8`
      } as cost,
      ${may('confirm', sql`a."visitStatus" = 'booked' and a."dateFrom" > now()`)} as "mayConfirm",
      ${may(
        'cancel',
        sql`a."visitStatus" in ('booked', 'confirmed') and a."dateFrom" > now() + make_interval(hours => ${cancelHours})`,
      )} as "mayCancel"
    from appointments a join users u on u."id" = a."idUser" join filials f on f."id" = a."idFilial"
    where ${which} and not a."deleted" order by ${order} limit ${most}`)
}

export const visitCalls = [visits, answerVisit]
