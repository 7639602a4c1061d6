/** Refunds: entered once, approved above a limit, carried out and posted. */

import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk, NO_REFUND_RECEIPT, takesByHand } from '@ordinator/model/areas/money/desk'
import { byTerminal, isReturned, type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { AWAITING, DECLINED, DONE, IN_WORK, Payment } from '@ordinator/model/areas/money/payment'
import type { RefundBody } from '@ordinator/model/areas/money/paymentCalls'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { FieldError } from '@ordinator/model/check'
import type { Create, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { once } from '#records/once.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { lockRest } from './certificates.ts'
import { leftOf } from './families.ts'
import { dayOf, holds, lockCustomers } from './ledger.ts'
import { checkChosen } from './lines.ts'
import { checkMembershipRefund } from './membershipSale.ts'
import { giveUnitsBack } from './memberships.ts'
import { money } from './paymentChecks.ts'
import { enterParts, finish, type PaymentRow, partsOf, total, waitsForTerminal } from './paymentParts.ts'
import { completePayment } from './settling.ts'
import { openShiftOf, workingDesk } from './shifts.ts'
import { startOperation } from './terminal.ts'

export const refundPayment = operation(moneyCalls.refund, {
  once: ({ app, records, tx, params, body }) => enterRefund(app, records, tx, params.id, body),
  answer: ({ app, records, id, isNew }) => completePayment(app, records, id as number, isNew),
})

/** Refunds money of a payment for another part of the server, once by the key. @throws HttpError 409 `state`, `unknown`; ValidationError */
export async function refund(
  app: AppContext,
  records: Records,
  idPayment: number,
  body: RefundBody,
): Promise<PaymentRow> {
  const keyed = { call: moneyCalls.refund, key: body.key, asked: { id: idPayment, ...body } }
  const { id, isNew } = await once(records, keyed, (inside, tx) => enterRefund(app, inside, tx, idPayment, body))
  return completePayment(app, records, id as number, isNew)
}

/** Creates a refund and posts it, unless it waits for an approval or a terminal. @returns its id */
async function enterRefund(
  app: AppContext,
  inside: Records,
  tx: Tx,
  idPayment: number,
  body: RefundBody,
): Promise<number> {
  await tx.query(sql`select 1 from payments where "id" = ${idPayment} for update`)
  const original = await inside.row(Payment, idPayment)
  if (original.kind !== 'payment' || original.idStatus !== DONE)
    throw new HttpError(409, 'Вернуть можно только проведённую оплату', { code: 'state' })
  const desk = await workingDesk(() => inside.row(CashDesk, body.idDesk ?? original.idDesk))
  const shift = await openShiftOf(tx, desk.id)
  await lockCustomers(tx, [original.idCustomer, original.idPayer])
  const own = await checkRefund(inside, tx, body, original, desk)
  const sum = total(body.parts)
  const { idCustomer, idOrganization } = original
  await checkChosen(tx, body.lines ?? [], { idCustomer, idOrganization, sum, idRefundOf: original.id })
  const isAwaiting = sum > kopecks(desk.refundLimit ?? 0)
  const made = await inside.asSystem.create(Payment, {
    kind: 'refund',
    idStatus: isAwaiting ? AWAITING : IN_WORK,
    idCustomer: original.idCustomer,
    idPayer: original.idPayer,
    idOrganization: original.idOrganization,
    idDesk: desk.id,
    idShift: isAwaiting ? null : shift.id,
    localDate: await dayOf(tx, desk.idFilial),
    sum: rubles(sum),
    // Hidden from staff.
    contact: (await inside.asSystem.row(Payment, original.id)).contact,
    comment: body.reason,
    idRefundOf: original.id,
    idCertificate: original.idCertificate,
    idMembership: original.idMembership,
    lines: body.lines?.length ? body.lines : null,
  } as Create<typeof Payment>)
  if (original.idMembership) await giveUnitsBack(tx, original.idMembership, made.id)
  const parts = body.parts.map((part) => ({ ...part, ...(part.method === 'certificate' && own) }))
  await enterParts(app, inside, tx, made, desk, parts, { isAwaiting })
  return made.id
}

/** @returns the certificate that paid */
async function checkRefund(
  records: Records,
  tx: Tx,
  body: RefundBody,
  original: PaymentRow,
  desk: Row<typeof CashDesk>,
): Promise<{ idCertificate?: number }> {
  const errors: FieldError[] = []
  if (original.idCertificate) {
    const rest = await lockRest(tx, original.idCertificate)
    if (body.lines?.length) errors.push({ field: 'lines', message: 'Этой оплатой за услуги не платили' })
    if (total(body.parts) > rest)
      errors.push({ field: 'parts', message: `На сертификате осталось ${money(rest)}: больше не вернуть` })
  }
  if (original.idMembership)
    errors.push(...(await checkMembershipRefund(records, tx, original.idMembership, total(body.parts), body)))
  if (desk.idOrganization !== original.idOrganization)
    errors.push({ field: 'idDesk', message: 'Деньги возвращает касса той же организации' })
  const left = await tx.query<{ method: PaymentMethod; left: string }>(sql`
    select t."method", sum(case p."kind" when 'payment' then t."sum" else -t."sum" end)::text as left
    from payments p join payments_parts t on t."idPayment" = p."id"
    where p."id" = ${original.id} or (p."idRefundOf" = ${original.id} and p."idStatus" <> ${DECLINED})
    group by t."method"`)
  const seen = new Set<string>()
  for (const [at, { method, sum }] of body.parts.entries()) {
    const paid = left.find((one) => one.method === method)
    const rest = kopecks(Number(paid?.left ?? 0))
    if (seen.has(method))
      errors.push({ field: `parts.${at}.method`, message: `«${paymentMethods[method]}» уже есть: сложите суммы` })
    else if (!isReturned(method) || !paid)
      errors.push({ field: `parts.${at}.method`, message: 'Деньги возвращают тем же способом, которым платили' })
    // Cards and СБП go back through ЮKassa, which gives the receipt.
    else if (!takesByHand(desk) && !byTerminal(method) && method !== 'advance')
      errors.push({ field: `parts.${at}.sum`, message: NO_REFUND_RECEIPT })
    else if (kopecks(sum) > rest)
      errors.push({ field: `parts.${at}.sum`, message: `Больше, чем было оплачено: можно вернуть ${money(rest)}` })
    else if (method === 'cash') {
      await tx.query(sql`select 1 from cash_desks where "id" = ${desk.id} for update`)
      const drawer = await holds(tx, { kind: 'desk', idDesk: desk.id, idOrganization: desk.idOrganization, method })
      if (kopecks(sum) > drawer) errors.push({ field: `parts.${at}.sum`, message: `В кассе только ${money(drawer)}` })
    }
    seen.add(method)
  }
  const most = original.idCertificate || original.idMembership ? undefined : await leftOf(tx, original.id)
  if (most !== undefined && total(body.parts) > most)
    errors.push({ field: 'parts', message: `Этим авансом уже заплатили за других: можно вернуть ${money(most)}` })
  if (errors.length) throw new ValidationError(errors)
  const by = await tx.one<{ idCertificate: number }>(
    sql`select "idCertificate" from payments_parts where "idPayment" = ${original.id} and "idCertificate" is not null`,
  )
  return by ?? {}
}

export const decideRefund = operation(moneyCalls.decide, async ({ app, records, actor, params: { id }, body }) => {
  const isNew = await records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from payments where "id" = ${id} for update`)
    const refund = await inside.row(Payment, id)
    if (refund.idStatus !== AWAITING) throw new HttpError(409, 'Этот возврат не ждёт одобрения', { code: 'state' })
    if (refund.idAuthor === actor.id)
      throw new HttpError(403, 'Возврат больше предела одобряет другой сотрудник', { code: 'ownApproval' })
    if (!body.approve) {
      await inside.asSystem.update(Payment, id, {
        idStatus: DECLINED,
        idApprover: actor.id,
        refusal: 'Возврат не одобрен',
      })
      return false
    }
    const desk = await workingDesk(() => inside.row(CashDesk, refund.idDesk))
    const shift = await openShiftOf(tx, desk.id)
    const parts = await partsOf(inside, id)
    const approved = await inside.asSystem.update(Payment, id, {
      idStatus: IN_WORK,
      idApprover: actor.id,
      idShift: shift.id,
      localDate: await dayOf(tx, desk.idFilial),
    })
    const first = parts.find(({ terminalState }) => terminalState)
    if (first) await startOperation(app, tx, first.id)
    if (!waitsForTerminal(desk, parts)) await finish(app, inside, tx, approved)
    return true
  })
  return body.approve ? completePayment(app, records, id, isNew) : records.row(Payment, id)
})
