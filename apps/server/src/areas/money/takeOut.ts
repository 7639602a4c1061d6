/** Sums taken out of payments: by a refund, by a refusal of the insurer, as an advance. */

import { kopecks } from '@ordinator/model/areas/money/rules'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { accountsSql, type Credit, type Freed, freeCredits, release } from './allocations.ts'
import type { Chosen } from './lines.ts'
import type { TakenLine } from './receiptCoverage.ts'

/**
 * Takes a sum out of a refunded payment: from the chosen lines, then from the free part, then from the newest lines.
 * @param touched collects the other credits of the account that it has taken from
 * @returns the lines that it paid
 */
export async function takeOut(
  tx: Tx,
  idPayment: number,
  sum: number,
  chosen: Chosen = [],
  touched: number[] = [],
): Promise<TakenLine[]> {
  const credit = async () =>
    (await tx.one<Credit>(
      sql`select "idTx", "free"::float8 as free from ledger_credits where "idPayment" = ${idPayment}`,
    )) ?? {
      idTx: 0,
      free: 0,
    }
  const { idTx } = await credit()
  const before = await tx.query<Freed>(
    sql`select "idLine", "sum"::float8 as sum from ledger_allocations where "idTx" = ${idTx}`,
  )
  const stood = new Map(before.map((one) => [one.idLine, one.sum]))
  const freed: Freed[] = []
  for (const { idCouponService, sum: rub } of chosen)
    freed.push(...(await release(tx, sql`a."idTx" = ${idTx} and a."idLine" = ${idCouponService}`, kopecks(rub))))
  const { free } = await credit()
  if (free < sum) freed.push(...(await release(tx, sql`a."idTx" = ${idTx}`, sum - free)))
  // What it had paid for another patient and was given back is on other credits of the account.
  let left = sum
  const credits = await tx.query<Credit>(sql`select k."idTx", k."free"::float8 as free from ledger_credits k
    where k."free" > 0 and k."idAccount" in (select x."id" from ledger_accounts x join ledger_accounts a on a."kind" = x."kind"
      and a."idCustomer" = x."idCustomer" and a."idOrganization" = x."idOrganization"
      where a."id" = (select "idAccount" from ledger_credits where "idTx" = ${idTx})) or k."idTx" = ${idTx}
    order by k."idTx" <> ${idTx}, k."idTx" desc`)
  for (const one of credits) {
    const part = Math.min(left, one.free)
    left -= part
    if (part <= 0) continue
    if (one.idTx !== idTx) touched.push(one.idTx)
    await tx.query(sql`update ledger_credits set "free" = "free" - ${part} where "idTx" = ${one.idTx}`)
  }
  if (left > 0 && idTx !== 0)
    throw new HttpError(409, 'Этим авансом уже заплатили за других: сначала верните те оплаты', { code: 'spent' })
  return [...Map.groupBy(freed, ({ idLine }) => idLine)]
    .toSorted(([a], [b]) => a - b)
    .map(([id, parts]) => ({
      id,
      sum: parts.reduce((all, one) => all + one.sum, 0),
      stood: stood.get(id) ?? 0,
    }))
}

/** Releases the allocations of a letter's payments by the sum that the insurer refused. */
export async function takeRefused(tx: Tx, idGuarantee: number, idOrganization: number, sum: number): Promise<void> {
  const paid = await tx.query<{ idPayment: number; most: number }>(sql`
    select t."idPayment", least((t."sum" * 100)::bigint, c."free" + coalesce((select sum(a."sum") from ledger_allocations a
      where a."idTx" = c."idTx"), 0))::float8 as most
    from payments_parts t join payments p on p."id" = t."idPayment" and p."idOrganization" = ${idOrganization}
      join ledger_credits c on c."idPayment" = p."id"
    where t."idGuarantee" = ${idGuarantee} order by t."id" desc`)
  let left = sum
  for (const { idPayment, most } of paid) {
    const part = Math.min(most, left)
    if (part > 0) await takeOut(tx, idPayment, part)
    left -= part
  }
}

/**
 * Takes a sum out of an advance that pays for another patient: the free part first, then the prepayments of lines.
 * @returns the credits that it came from
 */
export async function takeAdvance(tx: Tx, idPayer: number, idOrganization: number, sum: number): Promise<number[]> {
  const accounts = accountsSql(idPayer, idOrganization)
  const free = (await freeCredits(tx, idPayer, idOrganization)).reduce((all, one) => all + one.free, 0)
  if (free < sum)
    await release(
      tx,
      sql`a."idLine" in (select "idLine" from ledger_lines where "allocated" > "charged" and "idAccount" in ${accounts})`,
      sum - free,
    )
  let left = sum
  const taken: number[] = []
  for (const credit of await freeCredits(tx, idPayer, idOrganization)) {
    const part = Math.min(left, credit.free)
    if (part <= 0) break
    left -= part
    taken.push(credit.idTx)
    await tx.query(sql`update ledger_credits set "free" = "free" - ${part} where "idTx" = ${credit.idTx}`)
  }
  return taken
}
