/**
 * Receipt coverage of patients' money. Of each credit allocated to a line, the column `told` is the sum that receipts
 * call settled by it (tag 1214: 4, 5, 7); receipts call the rest of a payment prepaid. So for any payment on receipts,
 * told <= allocated + free: when settled money moves to another line or leaves, a return receipt of its own takes the
 * settlement back first. All changes are made under the customer lock.
 */

import { randomUUID } from 'node:crypto'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import type { PaymentMethod } from '@ordinator/model/areas/money/methods'
import { paidDebt, type Receipt, type ReturnedLine, receiptOf, refundReceipt } from '@ordinator/model/areas/money/rules'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { queueReceipt } from './fiscal.ts'
import { lockCustomers } from './ledger.ts'
import { soldSql } from './sold.ts'

/** SQL condition: receipts cover a credit (not a write-off, nor an insurer's payment). @param c its row */
export const isReceiptedSql = (
  c: Sql,
): Sql => sql`(exists (select 1 from payments_parts t where t."idPayment" = ${c}."idPayment")
  and not exists (select 1 from payments_parts t where t."idPayment" = ${c}."idPayment" and t."method" = 'insurer'))`

/**
 * Stores what the receipt of a payment settles, with its own money and with earlier prepayments of its lines.
 * @returns the earlier credits
 */
export async function storeSettled(tx: Tx, idTx: number, receipt: Receipt | undefined): Promise<number[]> {
  const touched: number[] = []
  for (const { line, settled = 0, settlement } of receipt?.items ?? []) {
    if (line === undefined || settled === 0) continue
    const former = settlement === 'creditPayment' ? [] : await settleWhole(tx, line, idTx)
    touched.push(...former.map((one) => one.idTx))
    const own = settled - former.reduce((sum, one) => sum + one.sum, 0)
    await tx.query(
      sql`update ledger_allocations set "told" = "told" + ${own} where "idTx" = ${idTx} and "idLine" = ${line}`,
    )
  }
  const debt = receipt ? paidDebt(receipt) : 0
  if (debt) await tx.query(sql`update ledger_credits set "told" = "told" + ${debt} where "idTx" = ${idTx}`)
  await tx.query(sql`update ledger_lines p set "receipted" = true from ledger_allocations a
    where a."idTx" = ${idTx} and a."sum" > 0 and a."idLine" = p."idLine" and p."charged" > 0
      and not exists (select 1 from ledger_allocations b join ledger_credits c on c."idTx" = b."idTx"
        where b."idLine" = p."idLine" and b."sum" > b."told" and b."idTx" <> a."idTx" and ${isReceiptedSql(sql`c`)})`)
  return touched
}

/** Marks all allocations of a line as settled. @param but a credit that is recorded separately */
const settleWhole = (tx: Tx, idLine: number, but = 0): Promise<{ idTx: number; sum: number }[]> =>
  tx.query(sql`with unsettled as (select b."idTx", b."sum" - b."told" as sum
      from ledger_allocations b join ledger_credits c on c."idTx" = b."idTx"
      where b."idLine" = ${idLine} and b."idTx" <> ${but} and b."sum" > b."told" and ${isReceiptedSql(sql`c`)})
    update ledger_allocations a set "told" = a."sum" from unsettled u where a."idTx" = u."idTx" and a."idLine" = ${idLine}
    returning a."idTx", u.sum::float8 as sum`)

interface Over {
  id: number
  name: string
  over: number
  subject: number
  tax: string
  day: string | null
}

/** Kopecks of a credit that no receipt calls settled, negative if more was settled than it has; and of its payment. */
const unsettledOf = (db: Queryable, idTx: number) =>
  db.one<{ unsettled: number; idPayment: number }>(sql`
    select (c."free" - c."told" + coalesce(sum(a."sum" - a."told"), 0))::float8 as unsettled, c."idPayment"
    from ledger_credits c left join ledger_allocations a on a."idTx" = c."idTx" where c."idTx" = ${idTx} group by c."idTx"`)

/** Lines that receipts call settled by a credit that is no longer allocated to them. */
const overOf = (db: Queryable, idTx: number): Promise<Over[]> =>
  db.query<Over>(sql`select l."id", ${soldSql(sql`p`, sql`s`)}, (a."told" - a."sum")::float8 as over
    from ledger_allocations a join coupon_services l on l."id" = a."idLine" join services s on s."id" = l."idService"
      left join ledger_lines p on p."idLine" = l."id"
    where a."idTx" = ${idTx} and a."told" > a."sum" order by l."id"`)

/** A refunded line: the sum, and the payment's allocation before. */
export interface TakenLine {
  id: number
  sum: number
  stood: number
}

/**
 * The receipt of a refund with the settlements that it takes back: first of its lines, then of lines no longer paid by
 * it, then of debts; the rest was prepaid.
 */
export async function backOf(
  tx: Tx,
  idPayment: number,
  paid: readonly { method: PaymentMethod; sum: number }[],
  taken: readonly TakenLine[],
): Promise<Receipt | undefined> {
  const credit = await tx.one<{ idTx: number; told: number }>(
    sql`select "idTx", "told"::float8 as told from ledger_credits where "idPayment" = ${idPayment}`,
  )
  if (!credit) return refundReceipt([], paid)
  const over = new Map((await overOf(tx, credit.idTx)).map((one) => [one.id, one]))
  const lines: ReturnedLine[] = []
  let left = paid.reduce((sum, part) => sum + part.sum, 0)
  // The prepaid sum does not exceed the one before the refund.
  let room = left + ((await unsettledOf(tx, credit.idTx))?.unsettled ?? 0)
  const back = ({ over: most, ...line }: Over, sum: number): number => {
    const now = Math.min(most, sum)
    if (now > 0) lines.push({ ...line, sum: now, completed: true })
    over.set(line.id, { ...line, over: most - now })
    return now
  }
  const names = await namesOf(tx, idPayment, taken)
  for (const { id, sum } of taken) {
    const settledOver = over.get(id)
    const settled = settledOver ? back(settledOver, sum) : 0
    const ahead = Math.min(room, sum - settled)
    left -= settled + ahead
    room -= ahead
    const named = names.get(id)
    if (ahead > 0 && named) lines.push({ ...named, sum: ahead, completed: false })
  }
  for (const one of [...over.values()]) left -= back(one, left)
  const debt = Math.min(left, credit.told)
  await forget(tx, credit.idTx, lines, debt)
  return refundReceipt(lines, paid, debt)
}

/** What a payment has prepaid: as on its own receipt, else as the line was sold last. */
const namesOf = async (tx: Tx, idPayment: number, taken: readonly TakenLine[]) => {
  const rows = await tx.query<Omit<Over, 'over'>>(sql`
    select l."id", ${soldSql(sql`q`, sql`s`)}
    from coupon_services l join services s on s."id" = l."idService" left join ledger_lines p on p."idLine" = l."id"
      left join lateral (select i || jsonb_build_object('day', coalesce(i->>'day', p."sold"->>'day')) as sold
        from fiscal_tasks f cross join lateral jsonb_array_elements(f."task"->'items') i
        where f."idPayment" = ${idPayment} and f."kind" in ('sell', 'sellCorrection') and (i->>'line')::bigint = l."id"
        order by f."id" limit 1) r on true
      cross join lateral (select coalesce(r.sold, p."sold") as "sold") q
    where l."id" = any (${taken.map(({ id }) => id)}::bigint[])`)
  return new Map(rows.map((one) => [one.id, one]))
}

/** Removes the settlements that a return receipt takes back. */
async function forget(tx: Tx, idTx: number, lines: readonly ReturnedLine[], debt: number): Promise<void> {
  for (const { id, sum, completed } of lines)
    if (completed)
      await tx.query(
        sql`update ledger_allocations set "told" = "told" - ${sum} where "idTx" = ${idTx} and "idLine" = ${id}`,
      )
  await tx.query(sql`delete from ledger_allocations where "idTx" = ${idTx} and "sum" = 0 and "told" = 0`)
  if (debt > 0) await tx.query(sql`update ledger_credits set "told" = "told" - ${debt} where "idTx" = ${idTx}`)
}

/**
 * Takes back settlements of credits whose money moved elsewhere: the receipt pays nothing out (tag 1215), so the
 * settled sum becomes an advance again, for the next receipt to settle.
 */
export async function withdrawSettled(
  app: AppContext,
  records: Records,
  tx: Tx,
  idTxs: readonly number[],
  { desk, idShift }: { desk: Row<typeof CashDesk>; idShift: number | null },
): Promise<void> {
  for (const idTx of new Set(idTxs)) {
    const credit = await unsettledOf(tx, idTx)
    let left = -(credit?.unsettled ?? 0)
    if (!credit || left <= 0) continue
    const sum = left
    const lines = (await overOf(tx, idTx)).flatMap(({ over, ...line }) => {
      const now = Math.min(over, left)
      left -= now
      return now > 0 ? [{ ...line, sum: now, completed: true }] : []
    })
    await forget(tx, idTx, lines, left)
    await queueReceipt(app, records, tx, desk, {
      key: `unsaid-${randomUUID()}`,
      kind: 'sellReturn',
      idShift,
      idPayment: credit.idPayment,
      task: refundReceipt(lines, [{ method: 'advance', sum }], left) as Receipt,
    })
  }
}

/** Takes back settlements of visits that were returned to their membership after their receipt. */
async function withdrawReturned(app: AppContext, records: Records, tx: Tx, which: Sql): Promise<void> {
  const lost = await tx.query<{ idTx: number; idDesk: number; idShift: number | null }>(sql`
    select distinct c."idTx", y."idDesk", h."id" as "idShift"
    from ledger_lines p join ledger_allocations b on b."idLine" = p."idLine" and b."sum" = 0 and b."told" > 0
      join ledger_txs t on t."id" = b."idTx" and t."kind" = 'membershipUsed'
      join ledger_credits c on c."idTx" = t."id" join payments y on y."id" = c."idPayment"
      join cash_desks k on k."id" = y."idDesk"
      left join cash_shifts h on h."idDesk" = y."idDesk" and h."dateClosed" is null
    where (h."id" is not null or k."kktMode" = 'outside') and ${which} order by c."idTx"`)
  for (const { idTx, idDesk, idShift } of lost)
    await withdrawSettled(app, records, tx, [idTx], { desk: await records.asSystem.row(CashDesk, idDesk), idShift })
}

/**
 * Queues receipts of full settlement for prepaid lines that are given now (tag 1214 = 4, by tag 1215), at the desk that
 * took the money, while its shift is open; the payment system of a desk without a register needs none. Partly paid lines wait for the rest.
 */
export async function queueOffsets(
  app: AppContext,
  records: Records,
  tx: Tx,
  of: { idCustomer: number } | { idDesk: number },
): Promise<void> {
  const which =
    'idDesk' in of
      ? sql`p."idAccount" in (select o."id" from ledger_accounts o join cash_desks d on d."idOrganization" = o."idOrganization"
          where o."kind" = 'patient' and d."id" = ${of.idDesk})`
      : sql`p."idAccount" in (select "id" from ledger_accounts where "kind" = 'patient' and "idCustomer" = ${of.idCustomer})`
  await withdrawReturned(app, records, tx, which)
  const read = () =>
    tx.query<{
      id: number
      idCustomer: number
      idDesk: number
      idShift: number | null
      idPayment: number
      name: string
      sum: number
      given: boolean
      subject: number
      tax: string
      day: string | null
    }>(sql`
    select p."idLine" as id, o."idCustomer", d."idDesk", h."id" as "idShift", d."idPayment", ${soldSql(sql`p`, sql`s`)},
      u.sum, u.given
    from ledger_lines p join coupon_services l on l."id" = p."idLine" join services s on s."id" = l."idService"
      join ledger_accounts o on o."id" = p."idAccount"
      cross join lateral (select y."idDesk", y."id" as "idPayment" from ledger_allocations a
        join ledger_credits c on c."idTx" = a."idTx" join payments y on y."id" = c."idPayment"
        where a."idLine" = p."idLine" and a."sum" > a."told" and ${isReceiptedSql(sql`c`)} order by a."idTx" desc limit 1) d
      cross join lateral (select sum(a."told") > 0 as given,
          (sum(a."sum" - a."told") filter (where a."sum" > a."told" and ${isReceiptedSql(sql`c`)}))::float8 as sum
        from ledger_allocations a join ledger_credits c on c."idTx" = a."idTx" where a."idLine" = p."idLine") u
      join cash_desks k on k."id" = d."idDesk"
      left join cash_shifts h on h."idDesk" = d."idDesk" and h."dateClosed" is null
    where (h."id" is not null or k."kktMode" = 'outside') and not p."receipted" and p."charged" > 0 and p."allocated" = p."charged" and ${which}
      ${'idDesk' in of ? sql`and d."idDesk" = ${of.idDesk}` : sql``}
    order by p."idLine" limit 500`)
  // For a desk: lock its customers; those who appear after the lock are left to the next run.
  const held = 'idDesk' in of ? new Set((await read()).map(({ idCustomer }) => idCustomer)) : undefined
  if (held) await lockCustomers(tx, [...held])
  for (const { idDesk, idShift, idPayment, sum, idCustomer, ...line } of await read()) {
    if (held && !held.has(idCustomer)) continue
    const desk = await records.asSystem.row(CashDesk, idDesk)
    const settled = await settleWhole(tx, line.id)
    await tx.query(sql`update ledger_lines set "receipted" = true where "idLine" = ${line.id}`)
    await withdrawSettled(
      app,
      records,
      tx,
      settled.map(({ idTx }) => idTx),
      { desk, idShift },
    )
    await queueReceipt(app, records, tx, desk, {
      key: `offset-${line.id}-${randomUUID()}`,
      kind: 'sell',
      idShift,
      idPayment,
      task: receiptOf({
        lines: [{ ...line, due: sum, before: 0, now: sum, completed: true }],
        parts: [{ method: 'advance', sum }],
        debt: 0,
      }) as Receipt,
    })
  }
}
