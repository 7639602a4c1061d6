/** Receipts of refunds that the payment system issues. */
import type { Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { kopecks, type Receipt } from '@ordinator/model/areas/money/rules'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { lockCustomers } from './ledger.ts'
import { backOf } from './receiptCoverage.ts'
import { takeOut } from './takeOut.ts'

/** Rolls back a refund that was tried out. */
class TriedOut extends Error {
  readonly receipt: Receipt | undefined
  constructor(receipt: Receipt | undefined) {
    super('tried out')
    this.receipt = receipt
  }
}

/**
 * The receipt of a refund that takes back a settlement that receipts have reported.
 * @param refund not yet posted
 * @returns undefined if nothing of its payment is settled: all of it is a prepayment
 */
export async function refundedSettlement(
  app: AppContext,
  { idCustomer, idRefundOf, contact, lines }: Row<typeof Payment>,
  { method, sum }: Row<typeof PaymentPart>,
): Promise<Receipt | undefined> {
  if (idRefundOf === null) return undefined
  const isSettled =
    await app.db.one(sql`select 1 from ledger_credits c left join ledger_allocations a on a."idTx" = c."idTx"
    where c."idPayment" = ${idRefundOf} and (c."told" > 0 or a."told" > 0) limit 1`)
  if (!isSettled) return undefined
  try {
    await app.engine.for(systemActor).tx(async (_, tx) => {
      await lockCustomers(tx, [idCustomer])
      const out = await takeOut(tx, idRefundOf, kopecks(sum), lines ?? [])
      throw new TriedOut(await backOf(tx, idRefundOf, [{ method, sum: kopecks(sum) }], out))
    })
  } catch (error) {
    if (!(error instanceof TriedOut)) throw error
    return error.receipt && { ...error.receipt, ...(contact && { contact }) }
  }
}
