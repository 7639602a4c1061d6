/**
 * What receipts have told of the money of patients. Of each credit that stands for a line, `told` is what receipts call
 * settled by it (tag 1214: 4, 5, 7); what else of a payment they call paid ahead. So of any payment that receipts tell of,
 * told <= what stands for lines + what is free: where money that was told to settle one thing settles another or goes
 * away, the first is taken back by a receipt of its own return. Everything here is done under the lock of the customer.
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

/** SQL of whether receipts tell of a credit: of a write-off and of what an insurer pays they do not. @param c its row */
export const isToldSql = (
  c: Sql,
): Sql => sql`(exists (select 1 from payments_parts t where t."idPayment" = ${c}."idPayment")
  and not exists (select 1 from payments_parts t where t."idPayment" = ${c}."idPayment" and t."method" = 'insurer'))`

/**
 * Remembers what the receipt of a payment tells, of its own money and of former payments that go into its lines.
 * @returns the former credits
 */
export async function tell(tx: Tx, idTx: number, receipt: Receipt | undefined): Promise<number[]> {
  const touched: number[] = []
  for (const { line, settled = 0, settlement } of receipt?.items ?? []) {
    if (line === undefined || settled === 0) continue
    const former = settlement === 'creditPayment' ? [] : await tellWhole(tx, line, idTx)
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
        where b."idLine" = p."idLine" and b."sum" > b."told" and b."idTx" <> a."idTx" and ${isToldSql(sql`c`)})`)
  return touched
}

/** All that stands for a line is told. @param but a credit that is told of apart */
const tellWhole = (tx: Tx, idLine: number, but = 0): Promise<{ idTx: number; sum: number }[]> =>
  tx.query(sql`with untold as (select b."idTx", b."sum" - b."told" as sum
      from ledger_allocations b join ledger_credits c on c."idTx" = b."idTx"
      where b."idLine" = ${idLine} and b."idTx" <> ${but} and b."sum" > b."told" and ${isToldSql(sql`c`)})
    update ledger_allocations a set "told" = a."sum" from untold u where a."idTx" = u."idTx" and a."idLine" = ${idLine}
    returning a."idTx", u.sum::float8 as sum`)

interface Over {
  id: number
  name: string
  over: number
  subject: number
  tax: string
}

/** Kopecks of a credit that no receipt calls settled, below zero where more was told than there is; and of its payment. */
const untoldOf = (db: Queryable, idTx: number) =>
  db.one<{ untold: number; idPayment: number }>(sql`
    select (c."free" - c."told" + coalesce(sum(a."sum" - a."told"), 0))::float8 as untold, c."idPayment"
    from ledger_credits c left join ledger_allocations a on a."idTx" = c."idTx" where c."idTx" = ${idTx} group by c."idTx"`)

/** Lines that receipts call settled by a credit, and that it stands for no more. */
const overOf = (db: Queryable, idTx: number): Promise<Over[]> =>
  db.query<Over>(sql`select l."id", s."nameService" as name, (a."told" - a."sum")::float8 as over,
      s."paymentSubject" as subject, s."vatCode" as tax
    from ledger_allocations a join coupon_services l on l."id" = a."idLine" join services s on s."id" = l."idService"
    where a."idTx" = ${idTx} and a."told" > a."sum" order by l."id"`)

/** Of a line whose money is given back: how much, and how much of the payment stood for it before. */
export interface TakenLine {
  id: number
  sum: number
  stood: number
}

/**
 * The receipt of money that is given back, with what it takes back of what was told: of the lines that it stood for, then
 * of those that it stands for no more, then of debts; what else is given back was paid ahead.
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
  // No more is called paid ahead than was before the money went.
  let room = left + ((await untoldOf(tx, credit.idTx))?.untold ?? 0)
  const back = ({ over: most, ...line }: Over, sum: number): number => {
    const now = Math.min(most, sum)
    if (now > 0) lines.push({ ...line, sum: now, completed: true })
    over.set(line.id, { ...line, over: most - now })
    return now
  }
  const names = await namesOf(tx, taken)
  for (const { id, sum } of taken) {
    const told = over.get(id)
    const settled = told ? back(told, sum) : 0
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

const namesOf = async (tx: Tx, taken: readonly TakenLine[]) => {
  const rows = await tx.query<Omit<Over, 'over'>>(sql`
    select l."id", s."nameService" as name, s."paymentSubject" as subject, s."vatCode" as tax
    from coupon_services l join services s on s."id" = l."idService"
    where l."id" = any (${taken.map(({ id }) => id)}::bigint[])`)
  return new Map(rows.map((one) => [one.id, one]))
}

/** What a receipt of return takes back is told no more. */
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
 * Takes back what was told of credits whose money has gone elsewhere: the receipt gives nothing out (tag 1215), so that
 * what was settled is an advance again, of which the next receipt tells.
 */
export async function unsay(
  app: AppContext,
  records: Records,
  tx: Tx,
  idTxs: readonly number[],
  { desk, idShift }: { desk: Row<typeof CashDesk>; idShift: number | null },
): Promise<void> {
  for (const idTx of new Set(idTxs)) {
    const credit = await untoldOf(tx, idTx)
    let left = -(credit?.untold ?? 0)
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

/**
 * Receipts of the whole settlement for what was paid ahead and is given now (tag 1214 = 4, by tag 1215), in the queue of
 * the desk that took the money, while its shift is open. What is paid in part waits for the rest.
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
  const read = () =>
    tx.query<{
      id: number
      idCustomer: number
      idDesk: number
      idShift: number
      idPayment: number
      name: string
      sum: number
      given: boolean
      subject: number
      tax: string
    }>(sql`
    select p."idLine" as id, o."idCustomer", d."idDesk", h."id" as "idShift", d."idPayment", s."nameService" as name,
      u.sum, u.given, s."paymentSubject" as subject, s."vatCode" as tax
    from ledger_lines p join coupon_services l on l."id" = p."idLine" join services s on s."id" = l."idService"
      join ledger_accounts o on o."id" = p."idAccount"
      cross join lateral (select y."idDesk", y."id" as "idPayment" from ledger_allocations a
        join ledger_credits c on c."idTx" = a."idTx" join payments y on y."id" = c."idPayment"
        where a."idLine" = p."idLine" and a."sum" > a."told" and ${isToldSql(sql`c`)} order by a."idTx" desc limit 1) d
      cross join lateral (select sum(a."told") > 0 as given,
          (sum(a."sum" - a."told") filter (where a."sum" > a."told" and ${isToldSql(sql`c`)}))::float8 as sum
        from ledger_allocations a join ledger_credits c on c."idTx" = a."idTx" where a."idLine" = p."idLine") u
      join cash_shifts h on h."idDesk" = d."idDesk" and h."dateClosed" is null
    where not p."receipted" and p."charged" > 0 and p."allocated" = p."charged" and ${which}
      ${'idDesk' in of ? sql`and d."idDesk" = ${of.idDesk}` : sql``}
    order by p."idLine" limit 500`)
  // Of a desk: nobody else tells of their money meanwhile, and of who came after the lock it is told another time.
  const held = 'idDesk' in of ? new Set((await read()).map(({ idCustomer }) => idCustomer)) : undefined
  if (held) await lockCustomers(tx, [...held])
  for (const { idDesk, idShift, idPayment, sum, idCustomer, ...line } of await read()) {
    if (held && !held.has(idCustomer)) continue
    const desk = await records.asSystem.row(CashDesk, idDesk)
    const told = await tellWhole(tx, line.id)
    await tx.query(sql`update ledger_lines set "receipted" = true where "idLine" = ${line.id}`)
    await unsay(
      app,
      records,
      tx,
      told.map(({ idTx }) => idTx),
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
