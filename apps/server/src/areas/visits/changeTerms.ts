/** Discounts and promises that a person gives to a visit, or takes back. */

import { holds } from '@ordinator/model/access'
import type { DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { BodyOf } from '@ordinator/model/call'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { ask, reverseOrder } from '#areas/discounts/index.ts'
import { lockCustomers } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import {
  type Bill,
  basketOf,
  billOf,
  billVisit,
  byOf,
  dueOf,
  orderOf,
  orNothing,
  type Price,
  quote,
  tooSmall,
} from './bill.ts'
import { promisedLines, takeBack } from './prices.ts'

export const discounts = operation(visitCalls.discounts, ({ records, actor, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    if (!holds(actor, 'viewDiscounts')) throw forbidden()
    await tx.query(sql`select 1 from appointments where "id" = ${id} for update`)
    const { dryRun, ...terms } = body
    const visit = await inside.row(Appointment, id)
    if (!dryRun) return changeTerms(inside, tx, visit, terms, actor.id)
    await tx.query(sql`savepoint dry_run`)
    const price = await changeTerms(inside, tx, visit, terms, actor.id)
    await tx.query(sql`rollback to savepoint dry_run`)
    return price
  }),
)

/** Applies an approved discount to the visit it was requested for; if it no longer applies, the approval stays. */
export async function giveAgreed(records: Records, tx: Tx, approval: Row<typeof DiscountApproval>): Promise<void> {
  const { id, idAppointment, unit, value, reason, idUser } = approval
  if (!idAppointment || !unit || !value) return
  await tx.query(sql`select 1 from appointments where "id" = ${idAppointment} for update`)
  const visit = await records.asSystem.row(Appointment, idAppointment)
  const before = await tx.one<{ approvals: number[] }>(
    sql`select "approvals" from visit_discounts where "idAppointment" = ${idAppointment}`,
  )
  const body = { manual: { unit, value, reason: reason.slice(0, 400) }, approvals: [...(before?.approvals ?? []), id] }
  await tx.query(sql`savepoint agreed`)
  try {
    await changeTerms(records, tx, visit, body, idUser)
    await tx.query(sql`release savepoint agreed`)
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    await tx.query(sql`rollback to savepoint agreed`)
  }
}

/**
 * Changes the discount terms of a visit whose row is locked.
 * @param idUser is responsible for a manual discount: their limit and approvals count
 * @throws HttpError 409 if the visit is over and paid or has nothing to discount, ValidationError of `code`, `manual`,
 * `approvals`
 */
async function changeTerms(
  inside: Records,
  tx: Tx,
  { id, idCustomer, visitStatus }: Row<typeof Appointment>,
  body: BodyOf<typeof visitCalls.discounts>,
  idUser: number,
): Promise<Price> {
  await lockCustomers(tx, [idCustomer])
  const bill = (await billOf(tx, id)) as Bill
  if (visitStatus === 'completed' && dueOf(bill) <= 0)
    throw new HttpError(409, 'Визит завершён и оплачен: чтобы изменить скидки, возобновите его', { code: 'transition' })
  const { terms } = bill
  if (bill.lines.length === 0)
    throw new HttpError(
      409,
      bill.fixed.length ? 'Цены услуг заданы планом лечения или абонементом: скидок на них нет' : 'В записи нет услуг',
      { code: 'transition' },
    )
  // Reverse the applied discounts first, so that they do not count against the new ones.
  if (terms.given) {
    await reverseOrder(inside, tx, { order: orderOf(bill), reason: 'Скидки записи изменены' }).catch(orNothing)
    terms.given = false
  }
  if (body.code !== undefined) terms.code = body.code || null
  if (body.manual !== undefined) terms.manual = body.manual
  if (body.approvals !== undefined) terms.approvals = body.approvals
  // The author of a manual discount is responsible for it; adding only a code does not change that.
  if (body.manual !== undefined || body.approvals !== undefined) terms.idUser = idUser
  if (!terms.manual && terms.approvals.length === 0) terms.idUser = null
  const found = await ask(inside, tx, basketOf(bill), byOf(bill))
  const { codeRefusal, calculation } = found
  if (tooSmall(found).length)
    throw new ValidationError([{ field: 'approvals', message: 'Согласовано на меньшую сумму' }])
  if (codeRefusal && body.code) throw new ValidationError([{ field: 'code', message: codeRefusal }])
  if (body.manual && calculation.needApproval.includes(null))
    throw new ValidationError([
      { field: 'manual', message: 'Выше вашего предела: нужно согласование другого сотрудника' },
    ])
  await tx.query(sql`insert into visit_discounts ("idAppointment", "code", "manual", "approvals", "idUser")
    values (${id}, ${terms.code ?? null}, ${terms.manual ? JSON.stringify(terms.manual) : null}::jsonb,
      ${terms.approvals}::bigint[], ${terms.idUser})
    on conflict ("idAppointment") do update set "code" = excluded."code", "manual" = excluded."manual",
      "approvals" = excluded."approvals", "idUser" = excluded."idUser", "given" = false, "basis" = null`)
  await billVisit(inside, tx, id, { isQuoted: true })
  return quote(inside, tx, (await billOf(tx, id)) as Bill)
}

/** Takes back the price and the discounts quoted to a patient for services that are neither given nor paid. */
export const withdrawPromise = operation(visitCalls.withdrawPromise, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from appointments where "id" = ${id} for update`)
    const { visitStatus } = await inside.row(Appointment, id)
    if (visitStatus === 'completed')
      throw new HttpError(409, 'Визит завершён: чтобы изменить цену, возобновите его', { code: 'transition' })
    const open = (await promisedLines(tx, id)).filter(({ completed, prepaid }) => !completed && !prepaid)
    if (open.length === 0) throw new HttpError(409, 'Обещанных цен в этой записи нет', { code: 'transition' })
    // A price by hand is within the promise, and goes with it.
    const lines = open.map((line) => ({ id: line.id, price: line.listed }))
    await takeBack(inside, tx, lines, body.reason)
    await billVisit(inside, tx, id)
    return quote(inside, tx, (await billOf(tx, id)) as Bill)
  }),
)
