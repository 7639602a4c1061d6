/** Patient's debts and payments, and online payment. */
import { billCalls } from '@ordinator/model/areas/portal/billCalls'
import { email } from '@ordinator/model/fields/email'
import { phoneOf } from '@ordinator/model/phone'
import { billOf, payOnline, settleOnline } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { journal } from '#records/journal.ts'
import { mustBeProven } from './data.ts'
import { patientCall } from './sessions.ts'

const mayPay = async (db: Queryable): Promise<boolean> => (await readCommonSettings(db)).portalActions.includes('pay')

const bills = patientCall(billCalls.bills, async ({ app, patient, query, subject, seen }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  const bill = await billOf(app, idCustomer)
  await seen(idCustomer, 'payments', 'счёт')
  if (await mayPay(app.db)) return bill
  return { ...bill, lines: bill.lines.map((line) => ({ ...line, mayPay: false })), pay: { ...bill.pay, isOn: false } }
})

const contactField = email({ label: 'Куда прислать чек' })

/** A normalized e-mail or phone. */
function contactOf(written: string | undefined): string | undefined {
  if (!written) return undefined
  const said = written.includes('@') ? contactField.check(written) : undefined
  const contact = said ? (said.ok ? String(said.value) : undefined) : phoneOf(written)
  if (!contact)
    throw new ValidationError([{ field: 'contact', message: 'Укажите почту или телефон, куда прислать чек' }])
  return contact
}

const pay = patientCall(billCalls.pay, async ({ app, patient, query, body, subject, request, reply }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  if (!(await mayPay(app.db)))
    throw new HttpError(409, 'Онлайн-оплата сейчас недоступна: оплатите в клинике', { code: 'off' })
  const { contact, ...asked } = body
  const paid = await payOnline(app, { ...asked, idCustomer, contact: contactOf(contact) })
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

const settle = patientCall(billCalls.settle, async ({ app, patient, params, query, subject }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  return { status: await settleOnline(app, { idCustomer, id: params.id }) }
})

export const billOperations = [bills, pay, settle]
