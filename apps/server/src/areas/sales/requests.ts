/** Processing of requests from outside: accept as a deal, reject, or link to an existing deal; and undo. */

import { Contact } from '@ordinator/model/areas/sales/contact'
import { Intake, LeadRequest } from '@ordinator/model/areas/sales/intake'
import { intakeCalls } from '@ordinator/model/areas/sales/intakeCalls'
import { Lead, LeadComment } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import { phoneText } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { sameContacts } from './duplicates.ts'
import { firstStage } from './moves.ts'
import { giveTo, namesOf } from './newDeal.ts'

export const leadRequests = records(LeadRequest, {
  awaiting: { page: 'dealRequests', of: () => ({ 'filter[state]': 'new' }) },
})

type Request = Row<typeof LeadRequest>

export const requestMatches = operation(intakeCalls.requestMatches, async ({ app, records, params }) => {
  const { phone, email } = await records.row(LeadRequest, params.id)
  return sameContacts(app, records, { phone, email })
})

export const acceptRequest = operation(intakeCalls.acceptRequest, async ({ app, records, params, body }) => {
  const idCustomer = await onlyCustomer(app, records, params.id)
  return sort(records, params.id, async (inside, request, tx) => {
    const idStage = body.idStage ?? (await stageOf(inside, request, tx))
    const lead = await inside.create(Lead, {
      title: body.title ?? titleOf(request),
      ...(idStage ? { idStage } : {}),
      ...(request.idSource ? { idSource: request.idSource } : {}),
      ...(request.utm ? { utm: request.utm } : {}),
      ...(request.message ? { description: paragraphs(request.message) } : {}),
    })
    if (request.name || request.phone || request.email)
      await inside.create(Contact, { ...contactOf(request), idLead: lead.id, ...(idCustomer ? { idCustomer } : {}) })
    if (body.idUser) await giveTo(inside, lead.id, [body.idUser])
    return { state: 'accepted', idLead: lead.id }
  })
})

export const rejectRequest = operation(intakeCalls.rejectRequest, ({ records, params, body }) =>
  sort(records, params.id, async () => ({ state: 'rejected', reason: body.reason })),
)

export const linkRequest = operation(intakeCalls.linkRequest, async ({ app, records, params, body }) => {
  await records.row(Lead, body.idLead)
  const idCustomer = await onlyCustomer(app, records, params.id)
  return sort(records, params.id, async (inside, request) => {
    const contacts = await inside.rows(Contact, { 'filter[idLead]': String(body.idLead), limit: '500' })
    const isThere = contacts.some(
      ({ phone, email }) =>
        (request.phone && phone === request.phone) ||
        (request.email && email?.toLowerCase() === request.email.toLowerCase()),
    )
    if ((request.phone || request.email) && !isThere)
      await inside.create(Contact, {
        ...contactOf(request),
        idLead: body.idLead,
        ...(idCustomer ? { idCustomer } : {}),
      })
    await inside.create(LeadComment, { idLead: body.idLead, message: commentOf(request) })
    return { state: 'linked', idLead: body.idLead }
  })
})

export const reopenRequest = operation(intakeCalls.reopenRequest, async ({ records, params }) => {
  await records.row(LeadRequest, params.id)
  return records.tx(async (inside, tx) => {
    const request = await lock(inside, tx, params.id)
    if (request.state === 'new') throw new HttpError(409, 'Заявка ещё не разобрана', { code: 'notSorted' })
    if (request.idLead) await takeBack(inside, tx, request)
    return inside.asSystem.update(LeadRequest, request.id, {
      state: 'new',
      idLead: null,
      idUser: null,
      reason: null,
      dateSorted: null,
    })
  })
})

/** Processes a request once: of two concurrent operations the second is refused. */
async function sort(
  records: Records,
  id: number,
  work: (inside: Records, request: Request, tx: Tx) => Promise<Partial<Request>>,
): Promise<Request> {
  await records.row(LeadRequest, id)
  return records.tx(async (inside, tx) => {
    const request = await lock(inside, tx, id)
    if (request.state !== 'new') throw new HttpError(409, 'Заявка уже разобрана', { code: 'sorted' })
    const done = await work(inside, request, tx)
    return inside.asSystem.update(LeadRequest, id, {
      ...done,
      idUser: inside.actor.id,
      dateSorted: new Date().toISOString(),
    })
  })
}

async function lock(records: Records, tx: Tx, id: number): Promise<Request> {
  await tx.query(sql`select 1 from sales_management_requests where "id" = ${id} for update`)
  return records.row(LeadRequest, id)
}

/** Undoes the processing. Its effects are in history under the same transaction. */
async function takeBack(records: Records, tx: Tx, request: Request): Promise<void> {
  const idLead = request.idLead as number
  const alive = await tx.one(
    sql`select 1 from sales_management_leads where "id" = ${idLead} and not "deleted" for update`,
  )
  if (!alive) return
  const sorted = await tx.one<{ xid: string }>(sql`select "xid"::text as xid from history
    where "path" = ${LeadRequest.path} and "idEntity" = ${request.id} and "action" = 'update' order by "id" desc limit 1`)
  if (!sorted) return
  if (request.state === 'accepted') {
    const worked = await tx.one(sql`select 1 from history
      where "xid" > ${sorted.xid}::xid8 and ("path" = ${Lead.path} and "idEntity" = ${idLead}
        or "pathAbout" = ${Lead.path} and "idAbout" = ${idLead}) limit 1`)
    if (worked)
      throw new HttpError(409, 'Со сделкой уже работали. Если она не нужна, удалите её сами', { code: 'worked' })
    await records.remove(Lead, idLead)
    return
  }
  const made = await tx.query<{ path: string; id: number }>(sql`
    select h."path", h."idEntity" as id from history h
    where h."xid" = ${sorted.xid}::xid8 and h."action" = 'create' and h."pathAbout" = ${Lead.path} and h."idAbout" = ${idLead}
      and h."path" in (${Contact.path}, ${LeadComment.path})
      and not exists (select 1 from history d where d."path" = h."path" and d."idEntity" = h."idEntity" and d."action" = 'delete')`)
  for (const { path, id } of made) await records.asSystem.remove(path === Contact.path ? Contact : LeadComment, id)
}

/** The single visible customer with the request's phone or e-mail. */
async function onlyCustomer(app: AppContext, records: Records, id: number): Promise<number | undefined> {
  const { state, phone, email } = await records.row(LeadRequest, id)
  if (state !== 'new') return undefined
  const { customers } = await sameContacts(app, records, { phone, email })
  return customers.length === 1 ? (customers[0]?.id as number) : undefined
}

async function stageOf(records: Records, request: Request, tx: Tx): Promise<number | undefined> {
  if (!request.idIntake) return undefined
  const [intake] = await records.asSystem.rows(Intake, { 'filter[id]': String(request.idIntake) })
  return intake?.idFunnel ? firstStage(tx, intake.idFunnel) : undefined
}

const titleOf = ({ name, phone, email, id }: Request): string =>
  `Заявка: ${name || phoneText(phone) || email || `№ ${id}`}`.slice(0, 255)

const MAX_PART = 64
/** Names are truncated to their fields: a request is never refused for them. */
function contactOf({ name, phone, email }: Request): {
  surname?: string
  name?: string
  middleName?: string
  phone?: string
  email?: string
} {
  return {
    ...Object.fromEntries(
      Object.entries(namesOf(name ?? '')).map(([part, text]) => [part, [...text].slice(0, MAX_PART).join('')]),
    ),
    ...(phone ? { phone } : {}),
    ...(email ? { email } : {}),
  }
}

const commentOf = (request: Request): string =>
  paragraphs(
    [
      `Заявка № ${request.id}${request.name ? ` от ${request.name}` : ''}`,
      [phoneText(request.phone), request.email].filter(Boolean).join(', '),
      request.message,
    ]
      .filter(Boolean)
      .join('\n'),
  )

const paragraphs = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p>${line.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</p>`)
    .join('')
