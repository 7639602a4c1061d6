/** Parts of a payment: stored, carried out, and posted to the ledger when all of them are done. */
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { byTerminal, moneyMethods, type PaymentMethod } from '@ordinator/model/areas/money/methods'
import { DONE, GuaranteeLetter, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { debtOf, kopecks, receiptOf } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { returnBonuses } from './bonusCalls.ts'
import { certificateAccount } from './certificates.ts'
import { earn } from './earning.ts'
import { queueReceipt } from './fiscal.ts'
import { balanceOf, type Entry, lockCustomers, post } from './ledger.ts'
import { allot, settle } from './lines.ts'
import { membershipPaid, membershipReceipt } from './membershipSale.ts'
import { membershipAccount } from './memberships.ts'
import { backOf, queueOffsets, storeSettled, withdrawSettled } from './receiptCoverage.ts'
import { takeAdvance, takeOut } from './takeOut.ts'
import { startOperation } from './terminal.ts'

export type PaymentRow = Row<typeof Payment>

export type Part = Row<typeof PaymentPart>

export const isMoney = (method: PaymentMethod): boolean => (moneyMethods as readonly string[]).includes(method)

export const total = (parts: readonly { sum: number }[]): number =>
  parts.reduce((sum, part) => sum + kopecks(part.sum), 0)

export const waitsForTerminal = (
  { terminalMode }: Pick<Row<typeof CashDesk>, 'terminalMode'>,
  parts: readonly { method: PaymentMethod }[],
): boolean => terminalMode !== 'none' && parts.some(({ method }) => byTerminal(method))

/** Stores the parts of a new payment or refund, and posts it unless it waits for an approval or for the terminal. */
export async function enterParts(
  app: AppContext,
  records: Records,
  tx: Tx,
  { id }: PaymentRow,
  desk: Row<typeof CashDesk>,
  parts: readonly {
    method: PaymentMethod
    sum: number
    idGuarantee?: number | undefined
    idCertificate?: number | undefined
  }[],
  { isAwaiting = false, paid }: { isAwaiting?: boolean; paid?: { rrn: string; card?: string } | undefined } = {},
): Promise<void> {
  let hasBegun = isAwaiting
  for (const { method, sum, idGuarantee, idCertificate } of parts) {
    const isWaiting = byTerminal(method) && desk.terminalMode !== 'none'
    const part = await records.asSystem.create(PaymentPart, {
      idPayment: id,
      method,
      sum,
      idGuarantee: idGuarantee ?? null,
      idCertificate: idCertificate ?? null,
      terminalState: byTerminal(method) && paid ? 'approved' : isWaiting ? 'sending' : null,
      ...(byTerminal(method) && paid && { terminal: { rrn: paid.rrn, ...(paid.card && { card: paid.card }) } }),
    } as Create<typeof PaymentPart>)
    // The terminal carries out one operation at a time.
    if (!isWaiting || hasBegun || paid) continue
    await startOperation(app, tx, part.id)
    hasBegun = true
  }
  if (isAwaiting || (!paid && waitsForTerminal(desk, parts))) return
  await finish(app, records, tx, await records.asSystem.row(Payment, id))
}

/** Posts a payment or a refund, and queues its receipt. */
export async function finish(app: AppContext, records: Records, tx: Tx, payment: PaymentRow): Promise<void> {
  const { id, idCustomer, idPayer, idOrganization, idDesk, idShift, localDate, kind, idCertificate, idMembership } =
    payment
  const chosen = payment.lines ?? []
  const refundOf = payment.idRefundOf
  await lockCustomers(tx, [idCustomer, idPayer])
  const desk = await records.asSystem.row(CashDesk, idDesk)
  const parts = await partsOf(records, id)
  const whose = idCertificate
    ? certificateAccount(idCertificate, idOrganization)
    : idMembership
      ? membershipAccount(idMembership, idOrganization)
      : { kind: 'patient' as const, idCustomer, idOrganization }
  const owed = debtOf(await balanceOf(tx, idCustomer, idOrganization))
  const sign = kind === 'payment' ? 1 : -1
  const entries: Entry[] = []
  for (const part of parts) {
    const amount = sign * kopecks(part.sum)
    entries.push({ account: await sourceOf(records, payment, part), amount })
    entries.push({ account: whose, amount: -amount })
  }
  // An advance goes back to the payer's account.
  const owners =
    refundOf && idPayer && parts.some(({ method }) => method === 'advance') ? [idCustomer, idPayer] : [idCustomer]
  const taken: number[] = []
  for (const { method, sum } of kind === 'payment' && idPayer ? parts : [])
    if (method === 'advance') taken.push(...(await takeAdvance(tx, idPayer as number, idOrganization, kopecks(sum))))
  const idTx = await post(records, tx, { key: `${kind}:${id}`, kind, localDate, idPayment: id, idShift, entries })
  if (parts.length === 0) {
    // Bonuses have paid the whole sum.
    await records.asSystem.update(Payment, id, { idStatus: DONE })
    await queueOffsets(app, records, tx, { idCustomer })
    return
  }
  const paid = parts.map(({ method, sum }) => ({ method, sum: kopecks(sum) }))
  const out =
    refundOf && !idCertificate && !idMembership ? await takeOut(tx, refundOf, kopecks(payment.sum), chosen, taken) : []
  const receipt = idCertificate
    ? receiptOf({ lines: [], debt: 0, parts: paid })
    : idMembership
      ? await membershipReceipt(records, payment, paid)
      : refundOf
        ? await backOf(tx, refundOf, paid, out)
        : receiptOf({
            ...(await allot(records, tx, { idTx: idTx as number, idCustomer, idOrganization, chosen, owed })),
            parts: paid,
          })
  if (idMembership) await membershipPaid(app, records, tx, payment, desk)
  else if (refundOf) for (const one of owners) await settle(tx, one, idOrganization)
  // The receipt of the payment system calls the whole sum prepaid, whatever was given before.
  else if (desk.kktMode !== 'outside') taken.push(...(await storeSettled(tx, idTx as number, receipt)))
  await withdrawSettled(app, records, tx, taken, { desk, idShift })
  if (receipt)
    await queueReceipt(app, records, tx, desk, {
      key: `${kind}-${id}`,
      kind: kind === 'payment' ? 'sell' : 'sellReturn',
      idShift,
      idPayment: id,
      task: receipt,
    })
  await records.asSystem.update(Payment, id, { idStatus: DONE })
  if (refundOf && !idMembership) await returnBonuses(records, tx, refundOf, out)
  for (const one of owners) {
    await queueOffsets(app, records, tx, { idCustomer: one })
    await earn(records, tx, one)
  }
}

export const partsOf = (records: Records, idPayment: number): Promise<Part[]> =>
  records.asSystem.rows(PaymentPart, { 'filter[idPayment]': idPayment, sort: 'id' })

/** The account that the money of a part comes from, or goes back to. */
async function sourceOf(
  records: Records,
  { idOrganization, idDesk, idPayer }: PaymentRow,
  { method, idGuarantee, idCertificate }: Part,
): Promise<Entry['account']> {
  if (method === 'certificate') return certificateAccount(idCertificate as number, idOrganization)
  if (method === 'advance') return { kind: 'patient', idCustomer: idPayer, idOrganization }
  if (method !== 'insurer') return { kind: 'desk', idDesk, idOrganization, method }
  const { idInsurer } = await records.asSystem.row(GuaranteeLetter, idGuarantee as number)
  return { kind: 'insurer', idInsurer, idOrganization }
}
