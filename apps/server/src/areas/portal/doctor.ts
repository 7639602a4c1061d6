/**
 * Paid questions to a doctor. The money is taken in advance; closing the dialogue charges the service to it, and
 * without an answer it is refunded. An unpaid question is hidden from doctors.
 */
import { randomUUID } from 'node:crypto'
import { OnlineDialog, type PaidState, paidStates } from '@ordinator/model/areas/chats/online'
import { doctorCalls, type PortalDoctor, type PortalDoctorTalk } from '@ordinator/model/areas/portal/doctorCalls'
import { kopecks } from '@ordinator/model/money'
import sql, { raw } from 'sql-template-tag'
import { priceSql, publicDoctor, publicFilial } from '#areas/catalogue/index.ts'
import { addOnlineLine, lockDialog, paidStateSql } from '#areas/chats/index.ts'
import { onlinePaymentOf, payOnline, takesOnline, waitsByLink } from '#areas/money/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { giveRemotely } from '#areas/visits/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { labelSql } from '#records/labels.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { filialOf, notifyStaff } from './chat.ts'
import { mustBeByCode } from './data.ts'
import { patientCall } from './sessions.ts'

const JOB = 'portal.questions'
/** Maximum number of open questions per patient. */
const MOST_OPEN = 5
const MOST_SHOWN = 30
const MOST_DOCTORS = 100
/** Hours after which an unpaid question is deleted. */
const UNPAID_HOURS = 24
/** Hours of the patient's silence after the doctor's answer that end the question. */
const SILENT_HOURS = 72
const AT_ONCE = 200

interface Offered extends PortalDoctor {
  idService: number
  idFilial: number
}

/** The doctors open to questions, with the price at their branch; null while the clinic has disabled it. */
async function offerOf(db: Queryable): Promise<{ service: string; hours: number; doctors: Offered[] } | null> {
  const {
    portalActions,
    additionalServices,
    doctorDialogService: idService,
    doctorDialogHours,
  } = await readCommonSettings(db)
  if (!portalActions.includes('doctor') || !additionalServices.includes('doctorDialogs') || idService === null)
    return null
  if (!(await takesOnline(db))) return null
  const service = await db.one<{ name: string }>(
    sql`select "nameService" as name from services where "id" = ${idService} and "active" and not "deleted"`,
  )
  if (!service) return null
  const doctors = await db.query<Offered>(sql`
    select * from (select u."id"::int as id, ${shortFioSql(raw('u'))} as name, u."post", ${idService}::int as "idService",
      d."idFilial", (${priceSql(raw('s'), raw('s."id"'), {
        day: clinicToday,
        idFilial: raw('d."idFilial"'),
      })})::float8 as price
    from users u join services s on s."id" = ${idService}
      cross join lateral (select f."id"::int as "idFilial" from service_doctors p
        join filials f on ${publicFilial(raw('f'))} and (p."idFilial" is null or p."idFilial" = f."id")
        where p."idService" = s."id" and p."idUser" = u."id"
        order by p."idFilial" nulls last, f."id" limit 1) d
    where ${publicDoctor(raw('u'))} and ${holdsSql(sql`u."id"`, 'onlineChat')}) found
    where found.price > 0 order by found.name, found.id limit ${MOST_DOCTORS}`)
  return doctors.length ? { service: service.name, hours: doctorDialogHours, doctors } : null
}

/** For the staff's page: the same offer as for patients. */
const offer = operation(doctorCalls.offer, async ({ app }) => {
  const found = await offerOf(app.db)
  if (!found) return { offer: null }
  const doctors = found.doctors.map(({ id, name, post, price }) => ({ id, name, post, price }))
  return { offer: { ...found, doctors } }
})

const stateSql = paidStateSql(raw('d'))

const list = patientCall(doctorCalls.list, async ({ app, patient, recordView }) => {
  mustBeByCode(patient)
  const offer = await offerOf(app.db)
  const dialogs = await app.db.query<PortalDoctorTalk>(sql`
    select d."id"::int as id, ${shortFioSql(raw('u'))} as doctor, ${stateSql} as state, ${labelSql(stateSql, paidStates)} as "stateName",
      d."paidSum"::float8 as sum, greatest(0, d."outCount" - d."readOut") as unread, d."dateCreate",
      case when d."dateFirstAnswer" is null and d."status" <> 'closed' then d."answerBy" end as "answerBy"
    from service_online d join users u on u."id" = d."idUser"
    where d."idCustomer" = ${patient.idCustomer} and d."paidSum" is not null and not d."deleted"
    order by d."id" desc limit ${MOST_SHOWN}`)
  if (dialogs.length) await recordView(patient.idCustomer, OnlineDialog.path, 'вопросы врачам')
  return {
    offer: offer && {
      ...offer,
      doctors: offer.doctors.map(({ id, name, post, price }) => ({ id, name, post, price })),
    },
    dialogs,
  }
})

const order = patientCall(doctorCalls.order, async ({ app, patient, body, reply, wrote }) => {
  mustBeByCode(patient)
  const { idCustomer } = patient
  const offer = await offerOf(app.db)
  const doctor = offer?.doctors.find(({ id }) => id === body.doctor)
  if (!doctor) throw new HttpError(409, 'Этого врача сейчас не спрашивают: обновите страницу', { code: 'off' })
  if (kopecks(doctor.price) !== kopecks(body.sum))
    throw new HttpError(409, 'Цена изменилась: обновите страницу', { code: 'changed' })
  const id = await app.engine.for(systemActor).tx(async (inside, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`online ${idCustomer}`}, 0))`)
    const open = await tx.one<{ count: number }>(sql`select count(*)::int as count from service_online
      where "idCustomer" = ${idCustomer} and "paidSum" is not null and "status" <> 'closed' and not "deleted"`)
    if ((open?.count ?? 0) >= MOST_OPEN)
      throw new HttpError(409, 'Сначала дождитесь ответов на прошлые вопросы или откажитесь от неоплаченных', {
        code: 'many',
      })
    const dialog = await inside.asSystem.create(OnlineDialog, {
      idCustomer,
      kind: 'doctor',
      idUser: doctor.id,
      idService: doctor.idService,
      idFilial: (await branchOf(tx, idCustomer, doctor)) ?? doctor.idFilial,
      paidSum: doctor.price,
    })
    await tx.query(sql`insert into portal_questions ("idDialog", "text", "idCustomer")
      values (${dialog.id}, ${body.text}, ${idCustomer})`)
    return dialog.id
  })
  await wrote({ action: 'create', entity: OnlineDialog, id, idCustomer, what: 'вопрос врачу' })
  return reply.code(201).send({ id })
})

/** The branch of the patient's own visits, if the doctor offers the service there at the same price. */
async function branchOf(tx: Tx, idCustomer: number, { id, idService, price }: Offered): Promise<number | undefined> {
  const own = await filialOf(tx, idCustomer)
  if (own === null) return undefined
  const found = await tx.one<{ id: number }>(sql`
    select f."id"::int as id from filials f join services s on s."id" = ${idService} where f."id" = ${own} and ${publicFilial(raw('f'))}
      and exists (select 1 from service_doctors p where p."idService" = s."id" and p."idUser" = ${id}
        and (p."idFilial" is null or p."idFilial" = f."id"))
      and ${priceSql(raw('s'), raw('s."id"'), { day: clinicToday, idFilial: raw('f."id"') })} = ${price}`)
  return found?.id
}

/** The patient's own question; those of others are not found. */
async function ownOf(db: Queryable, id: number, idCustomer: number): Promise<void> {
  const own = await db.one(sql`select 1 from service_online where "id" = ${id} and "idCustomer" = ${idCustomer}
    and "paidSum" is not null and not "deleted"`)
  if (!own) throw notFound('Такого вопроса в вашем кабинете нет')
}

const pay = patientCall(doctorCalls.pay, async ({ app, patient, params: { id }, body, wrote }) => {
  mustBeByCode(patient)
  const { idCustomer } = patient
  await ownOf(app.db, id, idCustomer)
  const asked = await app.engine.for(systemActor).tx(async (inside, tx) => {
    const dialog = await lockDialog(inside.asSystem, tx, id)
    if (dialog.datePaid !== null) return undefined
    if (dialog.status === 'closed') throw new HttpError(409, 'Этот вопрос уже закрыт', { code: 'closed' })
    // A payment with an unknown outcome is queried first, so that another key cannot pay twice.
    const { payKey } = await questionOf(tx, id)
    const key = payKey !== null && (await isBegun(tx, { idCustomer, key: payKey })) ? payKey : body.key
    await tx.query(sql`update portal_questions set "payKey" = ${key} where "idDialog" = ${id}`)
    return { key, sum: dialog.paidSum as number, idFilial: dialog.idFilial ?? undefined }
  })
  if (asked) {
    const { id: idPayment } = await payOnline(app, { ...asked, idCustomer, method: 'card', what: 'Вопрос врачу' })
    await wrote({ action: 'update', entity: OnlineDialog, id, idCustomer, what: `оплата вопроса врачу ${idPayment}` })
    await settle(app, id)
  }
  const now = await app.db.one<{ state: PaidState }>(
    sql`select ${stateSql} as state from service_online d where d."id" = ${id}`,
  )
  return { state: now?.state ?? 'ordered' }
})

/** Whether a payment with this key was made, is under way, or may still come by its link. */
async function isBegun(db: Queryable, of: { idCustomer: number; key: string }): Promise<boolean> {
  const payment = await onlinePaymentOf(db, of)
  return payment ? payment.status !== 'declined' : waitsByLink(db, of)
}

const drop = patientCall(doctorCalls.drop, async ({ app, patient, params: { id } }) => {
  mustBeByCode(patient)
  const { idCustomer } = patient
  await ownOf(app.db, id, idCustomer)
  await app.engine.for(systemActor).tx(async (inside, tx) => {
    const dialog = await lockDialog(inside.asSystem, tx, id)
    if (dialog.datePaid !== null || (await mayBePaid(tx, id)))
      throw new HttpError(409, 'Вопрос уже оплачен: его можно только закрыть', { code: 'paid' })
    await forget(inside, id)
  })
})

/** Deletes an unpaid question: no doctor has seen it. */
const forget = ({ asSystem }: Records, id: number): Promise<unknown> =>
  asSystem.deleteWhere(OnlineDialog, ({ row }) => sql`${row}."id" = ${id}`, { pastHooks: 'Nobody has read it' })

const questionOf = async (db: Queryable, id: number) =>
  (await db.one<{ text: string; idCustomer: number; payKey: string | null }>(
    sql`select "text", "idCustomer"::int as "idCustomer", "payKey" from portal_questions where "idDialog" = ${id}`,
  )) as { text: string; idCustomer: number; payKey: string | null }

/** The payment of a question, if one was begun. */
async function paymentOf(db: Queryable, id: number) {
  const { payKey, idCustomer } = await questionOf(db, id)
  return payKey === null ? undefined : onlinePaymentOf(db, { idCustomer, key: payKey })
}
const mayBePaid = async (db: Queryable, id: number): Promise<boolean> => {
  const payment = await paymentOf(db, id)
  return payment !== undefined && payment.status !== 'declined'
}

/** Advances a question by the state of its payment and answer; idempotent. */
async function settle(app: AppContext, id: number): Promise<void> {
  const { doctorDialogHours } = await readCommonSettings(app.db)
  await app.engine.for(systemActor).tx(async (inside, tx) => {
    const system = inside.asSystem
    const dialog = await lockDialog(system, tx, id)
    const { paidSum, idUser, idFilial, idService } = dialog
    if (paidSum === null || idUser === null || idService === null) return
    const now = new Date()
    const hoursSince = (moment: string) => (now.getTime() - Date.parse(moment)) / 3_600_000
    if (dialog.datePaid === null) {
      const payment = await paymentOf(tx, id)
      if (payment?.status === 'done') {
        const paid = await system.update(OnlineDialog, id, {
          datePaid: now.toISOString(),
          dateAssigned: now.toISOString(),
          answerBy: new Date(now.getTime() + doctorDialogHours * 3_600_000).toISOString(),
        })
        const { text } = await questionOf(tx, id)
        const asked = await addOnlineLine(system, tx, paid, { author: 'patient', clientId: `question-${id}`, text })
        await notifyStaff(inside, tx, asked.dialog)
      } else if ((!payment || payment.status === 'declined') && hoursSince(dialog.dateCreate) > UNPAID_HOURS)
        await forget(inside, id)
      return
    }
    if (dialog.dateRefundDue !== null) {
      if ((await paymentOf(tx, id))?.isReturned)
        await system.update(OnlineDialog, id, { dateRefunded: now.toISOString() })
      return
    }
    const isAnswered = dialog.dateFirstAnswer !== null
    const isClosed = dialog.status === 'closed'
    if (isAnswered && (isClosed || (dialog.waitFrom !== null && hoursSince(dialog.waitFrom) > SILENT_HOURS))) {
      if (!isClosed) await closeAlone(inside, tx, id, 'Врач ответил, новых вопросов не было')
      const { id: idVisit } = await giveRemotely(app, inside, tx, {
        ...{ idCustomer: dialog.idCustomer, idUser, idService, sum: paidSum },
        idFilial: idFilial as number,
        at: dialog.dateFirstAnswer as string,
        note: 'Вопрос врачу в личном кабинете',
      })
      await system.update(OnlineDialog, id, { idVisit })
    } else if (!isAnswered && (isClosed || Date.parse(dialog.answerBy as string) < now.getTime())) {
      if (!isClosed) await closeAlone(inside, tx, id, 'Врач не ответил в срок')
      await system.update(OnlineDialog, id, { dateRefundDue: now.toISOString() })
      await notifyOfRefund(inside, tx, { idCustomer: dialog.idCustomer, idFilial, id })
    }
  })
}

/** Closes a dialogue without an operator. */
async function closeAlone(inside: Records, tx: Tx, id: number, closeReason: string): Promise<void> {
  const system = inside.asSystem
  const dialog = await lockDialog(system, tx, id)
  const text =
    dialog.dateFirstAnswer === null
      ? 'Врач не успел ответить. Деньги остались на вашем счёте: клиника вернёт их или зачтёт в следующий визит'
      : 'Разговор завершён'
  await addOnlineLine(
    system,
    tx,
    dialog,
    { author: 'system', clientId: randomUUID(), text },
    {
      status: 'closed',
      closeReason,
      dateClosed: new Date().toISOString(),
      queuedAt: null,
      nextDueAt: null,
      waitFrom: null,
    },
  )
}

/** Notifies the branch's staff with the right to refunds about a due refund. */
async function notifyOfRefund(
  inside: Records,
  tx: Tx,
  { idCustomer, idFilial, id }: { idCustomer: number; idFilial: number | null; id: number },
): Promise<void> {
  const recipients = await tx.query<{ id: number }>(sql`select u."id" from users u
    where not u."deleted" and not u."isBlocked" and ${holdsSql(sql`u."id"`, 'refundPayments')}
      and (not exists (select 1 from filials_desks d where d."idFilial" = ${idFilial} and not d."deleted")
        or exists (select 1 from filials_desks d where d."idFilial" = ${idFilial} and d."idUser" = u."id" and not d."deleted"))
    order by u."id" limit 100`)
  await notify(
    { actor: systemActor, tx, records: inside },
    recipients.map(({ id: idUser }) => idUser),
    {
      kind: 'dialog.refund',
      title: 'Вернуть деньги за вопрос врачу',
      text: 'Врач не ответил: деньги лежат на счёте клиента',
      path: OnlineDialog.path,
      idEntity: id,
      link: `/customers/edit?id=${idCustomer}&tab=finance`,
    },
  )
}

export function startQuestions(app: AppContext): void {
  app.jobs.register(JOB, {
    cron: '* * * * *',
    handler: async () => {
      const waiting = await app.db.query<{ id: number }>(sql`select d."id"::int as id from service_online d
        where d."paidSum" is not null and d."idVisit" is null and d."dateRefunded" is null and not d."deleted"
          and (d."datePaid" is null or d."dateRefundDue" is not null or d."status" = 'closed'
            or d."dateFirstAnswer" is null and d."answerBy" < now()
            or d."waitFrom" < now() - make_interval(hours => ${SILENT_HOURS}))
        order by random() limit ${AT_ONCE}`)
      await oneByOne(app, JOB, waiting, ({ id }) => settle(app, id))
    },
  })
}

export const doctorOperations = [offer, list, order, pay, drop]
