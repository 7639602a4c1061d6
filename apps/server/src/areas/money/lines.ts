/**
 * Coupon lines in the ledger: charged when the service is given, and paid from free credits of the account. All changes
 * are made under the customer lock (`lockCustomers`), in whole kopecks.
 *
 * A credit is a transaction that reduces the patient's debt (a payment, a write-off); its `free` part is allocated to
 * no line. An allocation is the part of a credit that pays a line. Nothing is free while a charged line is unpaid,
 * except for the sum that covers debts without a line (corrections).
 */

import { Customer } from '@ordinator/model/areas/customers/customer'
import { MAX_LINES } from '@ordinator/model/areas/money/callParts'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { owedOf } from '@ordinator/model/areas/money/owed'
import { debtOf, kopecks, type PaidLine, rubles } from '@ordinator/model/areas/money/rules'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isCountedSql, visitIsOpenSql, visitLinesSql } from '#areas/counted/index.ts'
import { assertOpen } from '#areas/customers/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { accountsSql, type Credit, freeCredits, openLine, pay, release } from './allocations.ts'
import { giveBack } from './bonuses.ts'
import { earn } from './earning.ts'
import { balanceOf, dayOf, lockCustomers, post, reverse } from './ledger.ts'
import { payByUnits, reservedSql } from './memberships.ts'
import { organizationOf } from './organization.ts'
import { chargePayers } from './payerLines.ts'
import { isReceiptedSql } from './receiptCoverage.ts'
import { soldNowSql, soldSql } from './sold.ts'
import { discountsNow, dueNow, type StoredPrice, storedPriceSql } from './visitPrices.ts'

/** SQL of a line's rubles after discounts: `lineCost` of the model. @param l its row */
export const lineCostSql = (l: Sql): Sql => sql`greatest(0, round(${l}."price" * ${l}."qty", 2) - ${l}."discount")`
/** SQL of the sum that the patient pays for a line. */
export const lineDueSql = (l: Sql): Sql => sql`greatest(0, ${lineCostSql(l)} - ${l}."insurer" - ${l}."bonus")`
/** SQL of the rubles of a line that payments cover: allocated to it, or reserved on a membership. */
export const linePaidSql = (l: Sql): Sql =>
  sql`(coalesce((select p."allocated" from ledger_lines p where p."idLine" = ${l}."id"), 0) + ${reservedSql(l)})::numeric / 100`

interface Line {
  id: number
  idCustomer: number
  idFilial: number
  name: string
  /** Kopecks; zero for a line that is cancelled or will not be given. */
  due: number
  given: boolean
  /** Ledger account on which the line is charged. */
  idAccount: number | null
  idOrganization: number | null
  charged: number
  allocated: number
  /** Kopecks reserved on a membership. */
  reserved: number
  idTx: number | null
}

/** SQL condition: a line is cancelled or will not be given. */
const offSql = sql`(not (${isCountedSql}))`

/** SQL of lines with their ledger state. @param which a condition over the line `l`, the coupon `c`, the visit `a` */
const linesSql = (which: Sql): Sql => sql`
  select l."id", a."idCustomer", c."idFilial", coalesce(s."shortNameService", s."nameService") as name,
    case when x.off then 0 else (${lineDueSql(raw('l'))} * 100)::float8 end as due, l."completed" and not x.off as given,
    p."idAccount", o."idOrganization", coalesce(p."charged", 0)::float8 as charged,
    coalesce(p."allocated", 0)::float8 as allocated, ${reservedSql(raw('l'))}::float8 as reserved, p."idTx"
  from ${visitLinesSql} join services s on s."id" = l."idService"
    cross join lateral (select ${offSql} as off) x
    left join ledger_lines p on p."idLine" = l."id" left join ledger_accounts o on o."id" = p."idAccount"
  where ${which} order by l."id"`

/**
 * Brings the ledger in line with the lines of a visit: charges given lines once; reverses those that are no longer
 * given or have another price, and frees their payments.
 * @throws nothing of its own; without an own organization nothing is written
 */
export async function chargeVisit(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  const visit = await tx.one<{ idCustomer: number; idFilial: number }>(
    sql`select "idCustomer", "idFilial" from appointments where "id" = ${idAppointment}`,
  )
  if (!visit) return
  await lockCustomers(tx, [visit.idCustomer])
  await freeBonuses(records, tx, idAppointment)
  await payByUnits(records, tx, idAppointment)
  await chargePayers(records, tx, idAppointment, { off: offSql, cost: lineCostSql(raw('l')) })
  const lines = await tx.query<Line>(linesSql(sql`a."id" = ${idAppointment}`))
  const changed = lines.filter(({ charged, allocated, given, due }) => charged !== (given ? due : 0) || allocated > due)
  if (changed.length === 0) return
  const home = await organizationOf(tx, visit.idFilial)
  const localDate = await dayOf(tx, visit.idFilial)
  const settled = new Set<number>()
  for (const line of changed) {
    const idOrganization = line.idOrganization ?? home
    if (idOrganization === undefined) continue
    settled.add(idOrganization)
    await charge(records, tx, line, idOrganization, localDate)
  }
  for (const idOrganization of settled) await settle(tx, visit.idCustomer, idOrganization)
  await earn(records, tx, visit.idCustomer)
}

/** Limits the bonuses of a line to its cost; zero if it is cancelled or will not be given. */
async function freeBonuses(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  const ownCost = sql`greatest(0, ${lineCostSql(raw('l'))} - l."insurer")`
  const over = await tx.query<{ id: number; over: number }>(sql`
    select l."id", ((l."bonus" - case when ${offSql} then 0 else ${ownCost} end) * 100)::float8 as over
    from ${visitLinesSql} where a."id" = ${idAppointment} and l."bonus" > case when ${offSql} then 0 else ${ownCost} end`)
  for (const { id, over: amount } of over)
    await giveBack(records, tx, sql`s."idLine" = ${id}`, amount, 'Услуга изменена или отменена')
}

/**
 * Kopecks missing on a patient's account for all booked visits with the organization of a branch.
 * Locked until the transaction ends. Without an own organization no one can take money, and nothing is missing.
 */
export async function lackAhead(tx: Tx, idCustomer: number, idFilial: number): Promise<number> {
  await lockCustomers(tx, [idCustomer])
  const home = await organizationOf(tx, idFilial)
  if (home === undefined) return 0
  const lines = await tx.query<Line>(
    linesSql(sql`a."idCustomer" = ${idCustomer} and a."dateFrom" > now() and ${visitIsOpenSql()}`),
  )
  let due = await balanceOf(tx, idCustomer, home)
  for (const line of lines)
    if ((line.idOrganization ?? (await organizationOf(tx, line.idFilial))) === home)
      due += line.due - line.reserved - line.charged
  return due
}

async function charge(records: Records, tx: Tx, line: Line, idOrganization: number, localDate: string): Promise<void> {
  const { id, idCustomer, due, given, charged, idTx, name } = line
  const wanted = given ? due : 0
  const owner = { kind: 'patient' as const, idCustomer, idOrganization }
  await openLine(records, tx, id, owner)
  if (charged !== wanted) {
    if (charged > 0 && idTx !== null)
      await reverse(records, tx, idTx, {
        key: `storno:${idTx}`,
        localDate,
        comment: `${name}: услуга изменена или отменена`,
      })
    const made =
      wanted > 0
        ? await post(records, tx, {
            key: `line:${id}:${idTx ?? 0}`,
            kind: 'charge',
            localDate,
            idCouponService: id,
            comment: name,
            entries: [
              { account: owner, amount: wanted },
              { account: { kind: 'revenue', idOrganization }, amount: -wanted },
            ],
          })
        : idTx
    await tx.query(
      sql`update ledger_lines set "charged" = ${wanted}, "idTx" = ${made}, "moved" = true where "idLine" = ${id}`,
    )
    // The rate is that of the day when it is given; a correction of a line that receipts have settled keeps it.
    if (charged === 0 && wanted > 0)
      await tx.query(sql`update ledger_lines p set "sold" = ${soldNowSql(sql`s`, sql`${localDate}::date`)}
        from coupon_services l join services s on s."id" = l."idService" where p."idLine" = ${id} and l."id" = ${id}
          and not exists (select from ledger_allocations a where a."idLine" = ${id} and a."told" > 0)`)
  }
  if (line.allocated > due) await release(tx, sql`a."idLine" = ${id}`, line.allocated - due)
}

/** Allocates free credits to charged lines, oldest to oldest, except for the sum that covers debts without a line. */
export async function settle(tx: Tx, idCustomer: number, idOrganization: number): Promise<void> {
  const credits = await freeCredits(tx, idCustomer, idOrganization)
  if (credits.length === 0) return
  const accounts = accountsSql(idCustomer, idOrganization)
  const open = await tx.query<{ idLine: number; rest: number }>(sql`
    select "idLine", ("charged" - "allocated")::float8 as rest from ledger_lines
    where "charged" > "allocated" and "idAccount" in ${accounts} order by "idTx"`)
  if (open.length === 0) return
  const ahead = await tx.one<{ sum: number }>(sql`select coalesce(sum("allocated" - "charged"), 0)::float8 as sum
    from ledger_lines where "allocated" > "charged" and "idAccount" in ${accounts}`)
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0)
  const free = sum(credits.map((one) => one.free))
  const owed = sum(open.map(({ rest }) => rest))
  const others = (await balanceOf(tx, idCustomer, idOrganization)) + (ahead?.sum ?? 0) + free - owed
  let left = Math.min(owed, free - Math.max(0, others))
  for (const { idLine, rest } of open) {
    if (left <= 0) return
    const wanted = Math.min(rest, left)
    await pay(tx, credits, idLine, wanted)
    left -= wanted
  }
}

/** Lines chosen for a payment or a refund. */
export type Chosen = readonly { idCouponService: number; sum: number }[]

/**
 * Validates the lines that a cashier chose; errors are at their fields.
 * @param idRefundOf the refunded payment: only its lines, and no more than it allocated to each
 */
export async function checkChosen(
  tx: Tx,
  chosen: Chosen,
  {
    idCustomer,
    idOrganization,
    sum,
    idRefundOf,
  }: { idCustomer: number; idOrganization: number; sum: number; idRefundOf?: number },
): Promise<void> {
  if (chosen.length === 0) return
  const errors: { field: string; message: string }[] = []
  const ids = chosen.map(({ idCouponService }) => idCouponService)
  const lines = new Map(
    (await tx.query<Line>(linesSql(sql`l."id" = any (${ids}::bigint[])`))).map((one) => [one.id, one]),
  )
  const stands = new Map(
    idRefundOf === undefined
      ? []
      : (
          await tx.query<{ idLine: number; sum: number }>(sql`select a."idLine", sum(a."sum")::float8 as sum
            from ledger_allocations a join ledger_credits c on c."idTx" = a."idTx" where c."idPayment" = ${idRefundOf} group by 1`)
        ).map((one) => [one.idLine, one.sum]),
  )
  let all = 0
  for (const [at, { idCouponService, sum: rub }] of chosen.entries()) {
    const line = lines.get(idCouponService)
    all += kopecks(rub)
    if (!line || line.idCustomer !== idCustomer)
      errors.push({ field: `lines.${at}.idCouponService`, message: 'Услуга не найдена' })
    else if (idRefundOf !== undefined) {
      if (kopecks(rub) > (stands.get(line.id) ?? 0))
        errors.push({ field: `lines.${at}.sum`, message: 'Больше, чем этой оплатой внесено за услугу' })
    } else if ((line.idOrganization ?? (await organizationOf(tx, line.idFilial))) !== idOrganization)
      errors.push({
        field: `lines.${at}.idCouponService`,
        message: 'Эту услугу оказывает другая организация: нужна её касса',
      })
    else if (kopecks(rub) > line.due - line.allocated - line.reserved)
      errors.push({ field: `lines.${at}.sum`, message: 'Больше, чем осталось заплатить за услугу' })
  }
  if (all > sum) errors.push({ field: 'lines', message: 'За услуги выходит больше, чем платят' })
  if (errors.length) throw new ValidationError(errors)
}

/** Kopecks of chosen lines that are not given yet, so that they are not a debt. */
export async function aheadOf(tx: Tx, chosen: Chosen): Promise<number> {
  const ids = chosen.map(({ idCouponService }) => idCouponService)
  const given = await tx.query<{ idLine: number }>(
    sql`select "idLine" from ledger_lines where "charged" > 0 and "idLine" = any (${ids}::bigint[])`,
  )
  const known = new Set(given.map(({ idLine }) => idLine))
  return chosen.reduce((all, { idCouponService, sum }) => all + (known.has(idCouponService) ? 0 : kopecks(sum)), 0)
}

/**
 * Allocates a new payment to the chosen lines, and the rest to given lines.
 * @returns the paid lines for the receipt, and the rest that pays debts
 */
export async function allot(
  records: Records,
  tx: Tx,
  payment: { idTx: number; idCustomer: number; idOrganization: number; chosen: Chosen; owed: number },
): Promise<{ lines: PaidLine[]; debt: number }> {
  const { idTx, idCustomer, idOrganization, chosen, owed } = payment
  const owner = { kind: 'patient' as const, idCustomer, idOrganization }
  const ids = chosen.map(({ idCouponService }) => idCouponService)
  const known = new Map(
    (await tx.query<Line>(linesSql(sql`l."id" = any (${ids}::bigint[])`))).map((one) => [one.id, one]),
  )
  for (const { idCouponService, sum } of chosen) {
    const line = known.get(idCouponService)
    if (!line) continue
    await openLine(records, tx, line.id, owner)
    const credits = await tx.query<Credit>(
      sql`select "idTx", "free"::float8 as free from ledger_credits where "idTx" = ${idTx}`,
    )
    // Since the choice the line may have become cheaper, or have been cancelled.
    await pay(tx, credits, line.id, Math.min(kopecks(sum), Math.max(0, line.due - line.allocated - line.reserved)))
  }
  await settle(tx, idCustomer, idOrganization)
  await tx.query(sql`update ledger_lines p set "sold" = ${soldNowSql(sql`s`, sql`t."localDate"`)}
    from ledger_allocations a join ledger_txs t on t."id" = a."idTx" join coupon_services l on l."id" = a."idLine"
      join services s on s."id" = l."idService"
    where a."idTx" = ${idTx} and a."sum" > 0 and p."idLine" = a."idLine" and p."charged" = 0`)
  const paid = await tx.query<Omit<PaidLine, 'before'> & { allocated: number; unsettled: number }>(sql`
    select l."id", ${soldSql(sql`p`, sql`s`)}, (${lineDueSql(raw('l'))} * 100)::float8 as due,
      p."allocated"::float8 as allocated, a."sum"::float8 as now, p."charged" > 0 as completed, o.told > 0 as given,
      coalesce(o.unsettled, 0)::float8 as unsettled
    from ledger_allocations a join ledger_lines p on p."idLine" = a."idLine"
      join coupon_services l on l."id" = a."idLine" join services s on s."id" = l."idService"
      cross join lateral (select coalesce(sum(b."told"), 0) as told,
          sum(b."sum" - b."told") filter (where b."sum" > b."told" and b."idTx" <> a."idTx" and ${isReceiptedSql(sql`c`)}) as unsettled
        from ledger_allocations b join ledger_credits c on c."idTx" = b."idTx" where b."idLine" = a."idLine") o
    where a."idTx" = ${idTx} and a."sum" > 0 order by a."idLine"`)
  const ofCharged = paid.reduce((sum, { completed, now }) => sum + (completed ? now : 0), 0)
  return {
    lines: paid.map(({ allocated, unsettled, due, ...line }) =>
      line.completed
        ? { ...line, due: due - (allocated - line.now - unsettled), before: unsettled }
        : { ...line, due, before: allocated - line.now },
    ),
    debt: debtOf(owed - ofCharged),
  }
}

export const unpaid = operation(moneyCalls.unpaid, async ({ app, records, actor, params: { id }, query }) => {
  await records.asSystem.view(Customer, id, { fields: 'id' })
  await assertOpen(app.db, actor, id)
  const { idAppointment = null } = query
  const found = await app.db.reads.query<
    {
      id: number
      idAppointment: number
      localDate: string
      service: string
      paid: number
      charged: boolean
    } & StoredPrice
  >(sql`
    with own as (
      select p."idLine" from ledger_lines p join ledger_accounts o on o."id" = p."idAccount"
        and o."kind" = 'patient' and o."idCustomer" = ${id} where p."charged" > p."allocated"
      union
      select l."id" from ${visitLinesSql} where a."id" = ${idAppointment}::bigint and a."idCustomer" = ${id} and ${isCountedSql}
    )
    select l."id", c."idAppointment", c."localDate", coalesce(s."shortNameService", s."nameService") as service,
      ${storedPriceSql(raw('l'))},
      ${linePaidSql(raw('l'))}::float8 as paid, coalesce(p."charged", 0) > 0 as charged
    from own join coupon_services l on l."id" = own."idLine" join coupons c on c."id" = l."idCoupon"
      join services s on s."id" = l."idService" left join ledger_lines p on p."idLine" = l."id"
    where ${lineDueSql(raw('l'))} > ${linePaidSql(raw('l'))} or c."idAppointment" = ${idAppointment}::bigint
    order by c."dateFrom", l."id" limit ${MAX_LINES}`)
  const now = await discountsNow(records, app.db.reads, idAppointment)
  const lines = found.flatMap(({ cost, discount, others, ...line }) => {
    const due = dueNow({ cost, discount, others }, line.charged ? discount : now.get(line.id))
    return due > line.paid ? [{ ...line, due }] : []
  })
  const account = await app.db.reads.one<{ debt: number; free: number }>(sql`
    select coalesce(sum(greatest(0, b.balance)), 0)::float8 / 100 as debt,
      coalesce(sum(greatest(0, -b.balance - b.reserved)), 0)::float8 / 100 as free
    from (select sum(x.balance) as balance, sum(x.reserved) as reserved from ledger_accounts a
      cross join lateral (select (select coalesce(sum(e."amount"), 0) from ledger_entries e
          where e."idAccount" = a."id" and e."unit" = 'RUB') as balance,
        (select coalesce(sum(p."allocated" - p."charged"), 0) from ledger_lines p
          where p."idAccount" = a."id" and p."allocated" > p."charged") as reserved) x
      where a."kind" = 'patient' and a."idCustomer" = ${id} group by a."idOrganization") b`)
  const { debt = 0, free = 0 } = account ?? {}
  return { lines, debt, free, owed: rubles(owedOf({ debt, free, lines })) }
})
