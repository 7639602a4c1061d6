/** Carries payments through the terminal, and settles those whose outcome was unknown. */
import { Membership } from '@ordinator/model/areas/memberships/membership'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { Certificate } from '@ordinator/model/areas/money/certificate'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import { DECLINED, IN_WORK, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Create } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { releaseBonuses } from './bonusCalls.ts'
import { money } from './paymentChecks.ts'
import { finish, type Part, type PaymentRow, partsOf, total } from './paymentParts.ts'
import { releaseOperations, runTerminal, startOperation, takeInHand } from './terminal.ts'

/** Carries out the pending parts of a payment at the terminal, one by one, then posts or refuses the payment. */
export async function completePayment(
  app: AppContext,
  records: Records,
  id: number,
  isNew: boolean,
  { again = true }: { again?: boolean } = {},
): Promise<PaymentRow> {
  const found = await records.asSystem.row(Payment, id)
  let goesOn = found.idStatus === IN_WORK
  for (let isBegun = isNew; goesOn; isBegun = true) {
    const answer = await runTerminal(app, id, isBegun, { again })
    // Another process has settled the last part meanwhile.
    if (!answer) break
    goesOn = await app.engine.for(records.actor).tx((inside, tx) => settleBy(app, inside, tx, id, answer))
  }
  const payment = await records.asSystem.row(Payment, id)
  if (payment.idStatus === DECLINED && payment.kind === 'payment')
    throw new HttpError(409, `Оплата не прошла: ${payment.refusal}`, { code: 'declined' })
  return { ...payment, contact: null }
}

type Answer = NonNullable<Awaited<ReturnType<typeof runTerminal>>>

/**
 * Stores the terminal's reply to a part. After the last part the payment is posted; a refusal ends it, and only the
 * parts carried out before are posted.
 * @param isLast no further part is carried out: no one is at the terminal
 * @returns whether the operation of another part was started, for the caller to carry out
 */
async function settleBy(
  app: AppContext,
  inside: Records,
  tx: Tx,
  id: number,
  { part, answer }: Answer,
  { isLast = false }: { isLast?: boolean } = {},
): Promise<boolean> {
  await tx.query(sql`select 1 from payments where "id" = ${id} for update`)
  const payment = await inside.asSystem.row(Payment, id)
  const parts = await partsOf(inside, id)
  if (payment.idStatus !== IN_WORK || !parts.some((one) => one.id === part && isOpen(one))) return false
  const { isApproved, ...terminal } = answer
  await inside.asSystem.update(PaymentPart, part, {
    terminalState: isApproved ? 'approved' : 'declined',
    terminal,
  })
  const rest = parts.filter((one) => one.id !== part && isOpen(one))
  const [next] = rest
  if (isApproved && next && !isLast) {
    await startOperation(app, tx, next.id)
    return true
  }
  for (const one of rest)
    await inside.asSystem.update(PaymentPart, one.id, { terminalState: 'declined', terminal: { message: NOT_BEGUN } })
  const declined = parts.filter((one) => rest.includes(one) || (one.id === part && !isApproved))
  const refusal = isApproved ? NOT_BEGUN : (answer.message ?? 'Терминал отклонил операцию')
  if (declined.length === 0) await finish(app, inside, tx, payment)
  else if (isApproved || parts.some(({ terminalState }) => terminalState === 'approved'))
    await finish(app, inside, tx, await setAside(inside, payment, declined, refusal))
  else {
    await inside.asSystem.update(Payment, id, { idStatus: DECLINED, refusal })
    // The certificate was never paid: its number is free again.
    if (payment.kind === 'payment') await releaseBonuses(inside, tx, payment)
    if (payment.idCertificate && payment.kind === 'payment')
      await inside.asSystem.deleteWhere(Certificate, ({ row }) => sql`${row}."id" = ${payment.idCertificate}`)
    if (payment.idMembership && payment.kind === 'payment')
      await inside.asSystem.deleteWhere(Membership, ({ row }) => sql`${row}."id" = ${payment.idMembership}`)
  }
  return false
}

const NOT_BEGUN = 'Операция не дошла до терминала'

/** Whether the outcome at the terminal is still unknown. */
const isOpen = ({ terminalState }: Part): boolean => terminalState === 'sending' || terminalState === 'unknown'

/**
 * Moves the refused parts out of a payment whose other part was carried out, into a declined payment of their own.
 * @returns the payment, reduced by their sum
 */
async function setAside(
  records: Records,
  payment: PaymentRow,
  declined: readonly Part[],
  refusal: string,
): Promise<PaymentRow> {
  const { kind, idCustomer, idPayer, idOrganization, idDesk, idShift, localDate, idRefundOf, comment } = payment
  const less = total(declined)
  const aside = await records.asSystem.create(Payment, {
    ...{ kind, idCustomer, idPayer, idOrganization, idDesk, idShift, localDate, idRefundOf, comment, refusal },
    idStatus: DECLINED,
    sum: rubles(less),
  } as Create<typeof Payment>)
  for (const { id } of declined) await records.asSystem.update(PaymentPart, id, { idPayment: aside.id })
  const sum = kopecks(payment.sum) - less
  if (payment.idCertificate && kind === 'payment')
    await records.asSystem.update(Certificate, payment.idCertificate, { sum: rubles(sum) })
  const words = declined.map((part) => `${paymentMethods[part.method]} ${money(kopecks(part.sum))}`).join(', ')
  return records.asSystem.update(Payment, payment.id, {
    sum: rubles(sum),
    lines: payment.lines && upTo(payment.lines, sum),
    refusal: `Не прошло: ${words}. ${refusal}`.slice(0, 500),
  })
}

/** Chosen lines up to the sum, in order. @param sum kopecks */
function upTo(lines: NonNullable<PaymentRow['lines']>, sum: number): PaymentRow['lines'] {
  let left = sum
  const kept = lines.flatMap((line) => {
    const part = Math.min(left, kopecks(line.sum))
    left -= part
    return part > 0 ? [{ ...line, sum: rubles(part) }] : []
  })
  return kept.length ? kept : null
}

export const settlePayment = operation(moneyCalls.settle, async ({ app, records, params: { id } }) => {
  await records.row(Payment, id)
  return completePayment(app, records, id, false)
})

/** Confirms by hand the outcome of an operation that the terminal cannot be queried about. */
export const settleByHand = operation(
  moneyCalls.settleByHand,
  async ({ app, records, actor, params: { id }, body }) => {
    await records.row(Payment, id)
    const goesOn = await records.tx(async (inside, tx) => {
      await tx.query(sql`select 1 from payments where "id" = ${id} for update`)
      const payment = await inside.row(Payment, id)
      if (payment.idStatus !== IN_WORK) return false
      const { terminalMode } = await inside.asSystem.row(CashDesk, payment.idDesk)
      const part = await takeInHand(tx, id, terminalMode === 'manual')
      return settleBy(app, inside, tx, id, {
        part,
        answer: {
          isApproved: body.isApproved,
          message: `${body.isApproved ? 'Подтвердил' : 'Отклонил'} сотрудник № ${actor.id}`,
          ...(body.rrn && { rrn: body.rrn }),
          ...(body.card && { card: body.card }),
        },
      })
    })
    return goesOn ? completePayment(app, records, id, true) : records.row(Payment, id)
  },
)

/** Registers the job that settles abandoned payments by the terminal's state. */
export function startSettling(app: AppContext): void {
  app.life.onDeath((life) => releaseOperations(app, life))
  app.jobs.register('money.settle', {
    cron: '* * * * *',
    async handler() {
      const left = await app.db.query<{ id: number }>(sql`select p."id" from payments p
        join payments_parts t on t."idPayment" = p."id" join terminal_operations o on o."idPart" = t."id"
        where p."idStatus" = ${raw(String(IN_WORK))} and t."terminalState" in ('sending', 'unknown')
          and o."claimedUntil" < now() - interval '2 minutes' order by p."id"`)
      const system = app.engine.for(systemActor)
      await oneByOne(app, 'money.settle', left, async ({ id }) => {
        const answer = await runTerminal(app, id, false, { again: false }).catch((error) => {
          if (!(error instanceof HttpError)) throw error
        })
        if (answer) await system.tx((inside, tx) => settleBy(app, inside, tx, id, answer, { isLast: true }))
      })
    },
  })
}
