/** Requests of a patient about own data (152-ФЗ ст. 14, 20, 21): stored in the register of requests. */
import { PatientRequest, requestStatuses } from '@ordinator/model/areas/consents/request'
import { requestKinds } from '@ordinator/model/areas/consents/requestKinds'
import { MAX_OPEN_REQUESTS, type PortalRequest, paperCalls } from '@ordinator/model/areas/portal/paperCalls'
import sql, { raw } from 'sql-template-tag'
import { clinicDay, requestStatusSql } from '#areas/consents/index.ts'
import { administrators } from '#areas/exchange/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import { labelSql } from '#records/labels.ts'
import { mustBeProven } from './data.ts'
import { patientCall } from './sessions.ts'

/** Maximum number of requests per list: the newest. */
const MOST = 50

const requests = patientCall(paperCalls.requests, async ({ app, patient, query, subject, recordView }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  const items = await app.db.reads.query<PortalRequest>(sql`
    select p."id"::int as id, ${labelSql(raw('p."kind"'), requestKinds)} as kind, p."text", p."dateReceived"::text as "dateReceived",
      p."dateDue"::text as "dateDue", ${labelSql(requestStatusSql(raw('p')), requestStatuses)} as status,
      p."dateAnswered"::text as "dateAnswered", p."answer"
    from consents_requests p where p."idCustomer" = ${idCustomer} and not p."deleted" order by p."id" desc limit ${MOST}`)
  await recordView(idCustomer, PatientRequest.path, 'запросы о данных')
  return { items }
})

const request = patientCall(paperCalls.request, async ({ app, patient, query, body, subject, reply, wrote }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  const { id, dateDue, isNew } = await app.engine.for(systemActor).tx(async (inside, tx) => {
    // Two clicks are one request.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`patient request ${idCustomer}`}, 0))`)
    const open = await tx.query<{ id: number; dateDue: string; isSame: boolean }>(sql`
      select "id"::int as id, "dateDue"::text as "dateDue", "kind" = ${body.kind} and "text" = ${body.text} as "isSame"
      from consents_requests where "idCustomer" = ${idCustomer} and "channel" = 'portal' and "dateAnswered" is null
        and not "deleted" order by "id" limit ${MOST}`)
    const same = open.find(({ isSame }) => isSame)
    if (same) return { ...same, isNew: false }
    if (open.length >= MAX_OPEN_REQUESTS)
      throw new HttpError(409, `Уже ждут ответа ${open.length} запросов: дождитесь ответа или позвоните в клинику`, {
        code: 'tooMany',
      })
    const made = await inside.asSystem.create(PatientRequest, {
      idCustomer,
      ...body,
      channel: 'portal',
      dateReceived: await clinicDay(tx),
    })
    await notify({ actor: systemActor, tx, records: inside }, await administrators(tx), {
      kind: 'request.portal',
      title: `Пациент спрашивает о своих данных: ${requestKinds[body.kind].toLowerCase()}`,
      text: 'Запрос пришёл из личного кабинета. Отвечают в срок, который назван в реестре запросов.',
      path: PatientRequest.path,
      idEntity: made.id,
      link: '/customers/requests',
    })
    return { id: made.id, dateDue: made.dateDue, isNew: true }
  })
  if (isNew) await wrote({ action: 'create', entity: PatientRequest, id, idCustomer, what: 'запрос о своих данных' })
  return reply.code(201).send({ id, dateDue })
})

export const requestOperations = [requests, request]
