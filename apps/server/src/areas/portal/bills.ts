/** Patient's debts and payments, and online payment. */
import { billCalls } from '@ordinator/model/areas/portal/billCalls'
import { email } from '@ordinator/model/fields/email'
import { phoneOf } from '@ordinator/model/phone'
import { readOffers } from '#areas/memberships/index.ts'
import { billOf, onlineWay, payOnline, settleOnline } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { journal } from '#records/journal.ts'
import { mustBeProven } from './data.ts'
import { patientCall } from './sessions.ts'

const mayPay = async (db: Queryable): Promise<boolean> => (await readCommonSettings(db)).portalActions.includes('pay')

const bills = patientCall(billCalls.bills, async ({ app, patient, query, subject, recordView }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  const bill = await billOf(app, idCustomer)
  await recordView(idCustomer, 'payments', 'счёт')
  if (await mayPay(app.db)) return bill
  return { ...bill, lines: bill.lines.map((line) => ({ ...line, mayPay: false })), pay: { ...bill.pay, isOn: false } }
})

const contactField = email({ label: 'Куда прислать чек' })

/** A normalized e-mail or phone. */
function contactOf(written: string | undefined): string | undefined {
  if (!written) return undefined
  const mail = written.includes('@') ? contactField.check(written) : undefined
  const contact = mail ? (mail.ok ? String(mail.value) : undefined) : phoneOf(written)
  if (!contact)
    throw new ValidationError([{ field: 'contact', message: 'Укажите почту или телефон, куда прислать чек' }])
  return contact
}

const pay = patientCall(billCalls.pay, async ({ app, patient, query, body, subject, request, reply }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  if (!(await mayPay(app.db)))
    throw new HttpError(409, 'Онлайн-оплата сейчас недоступна: оплатите в клинике', { code: 'off' })
  const { contact, membership, ...asked } = body
  if (membership && asked.lines)
    throw new ValidationError([{ field: 'lines', message: 'Абонемент покупают отдельной оплатой' }])
  const users = membership && (await Promise.all((membership.users ?? [idCustomer]).map((id) => subject(id))))
  const paid = await payOnline(app, {
    ...asked,
    idCustomer,
    ...(membership && users && { membership: { idType: membership.idType, users } }),
    contact: contactOf(contact),
  })
  await journal(app.db, {
    action: 'create',
    entityType: 'payments',
    idEntity: paid.id,
    idCustomer,
    ip: request.ip,
    requestId: request.id,
    basis: 'Пациент в личном кабинете: оплата',
  })
  return reply.code(201).send(paid)
})

/** More are not offered at once. */
const MOST_OFFERS = 100

const memberships = patientCall(billCalls.memberships, async ({ app, patient, query, subject }) => {
  mustBeProven(patient)
  await subject(query.patient)
  const [items, pay] = await Promise.all([
    readOffers(app.db.reads, { where: 'portal', limit: MOST_OFFERS }),
    onlineWay(app.db.reads),
  ])
  return { items, pay: (await mayPay(app.db)) ? pay : { ...pay, isOn: false } }
})

const settle = patientCall(billCalls.settle, async ({ app, patient, params, query, subject }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  return { status: await settleOnline(app, { idCustomer, id: params.id }) }
})

export const billOperations = [bills, pay, memberships, settle]
