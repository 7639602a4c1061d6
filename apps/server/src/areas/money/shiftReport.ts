/** Reports of a shift: X-report and totals by method, service and doctor. */
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk, CashShift } from '@ordinator/model/areas/money/desk'
import { MOST_TOTALS, type ShiftReport } from '@ordinator/model/areas/money/deskCalls'
import type { PaymentMethod } from '@ordinator/model/areas/money/methods'
import { DONE } from '@ordinator/model/areas/money/payment'
import { kopecks, noTotals, rubles } from '@ordinator/model/areas/money/rules'
import type { Answered } from '@ordinator/model/call'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { terminalOf } from './connect.ts'
import { DeviceError } from './devices.ts'
import { entriesOfSql } from './ledger.ts'

type Shift = Row<typeof CashShift>
type DeskRow = Row<typeof CashDesk>

export const shiftReport = operation(moneyCalls.report, async ({ app, records, params: { id } }) => {
  const shift = await records.row(CashShift, id)
  const desk = await records.row(CashDesk, shift.idDesk)
  const report = await reportOf(app.db.reads, shift, desk)
  const terminal =
    shift.closing?.terminal ??
    (shift.dateClosed ? null : await terminalOf(app, desk)?.total(shift.dateOpened).catch(orNull)) ??
    null
  return {
    ...report,
    ...{ number: shift.number, counted: shift.counted, difference: shift.difference ?? 0 },
    kkt: shift.closing?.kkt ?? null,
    terminal: terminal === null ? null : rubles(terminal),
  }
})

/** The sum of a terminal in kopecks; null: none, or it does not reply. */
export const terminalTotal = async (app: AppContext, desk: DeskRow, since: string): Promise<number | null> =>
  (await terminalOf(app, desk)?.total(since).catch(orNull)) ?? null

/** The sum of a device that does not reply is null. */
function orNull(error: unknown): null {
  if (error instanceof DeviceError) return null
  throw error
}

/** A shift by our books, from the ledger alone. */
export async function reportOf(
  db: Queryable,
  shift: Shift,
  desk: DeskRow,
): Promise<Omit<ShiftReport, 'kkt' | 'terminal' | 'number' | 'counted' | 'difference'>> {
  const rows = await db.query<{ kind: string; method: PaymentMethod; sum: string; count: number }>(sql`
    select t."kind", e."method", sum(e."amount")::text as sum, count(*)::int as count
    from ledger_txs t cross join ${entriesOfSql('desk')}
    where t."idShift" = ${shift.id} group by 1, 2`)
  const of = (kind: string, method: string) => rows.find((row) => row.kind === kind && row.method === method)
  const sum = (kind: string, method: string) => Number(of(kind, method)?.sum ?? 0)
  const crm = noTotals()
  const methods = (['cash', 'card', 'sbp', 'transfer'] as const).flatMap((method) => {
    const [taken, returned] = [sum('payment', method), -sum('refund', method)]
    const means = method === 'cash' ? 'cash' : 'electronically'
    crm.sell[means] += taken
    crm.sellReturn[means] += returned
    return taken || returned
      ? [{ method, taken: rubles(taken), returned: rubles(returned), count: of('payment', method)?.count ?? 0 }]
      : []
  })
  const receipts = structuredClone(crm)
  // Receipts of correction are not among the register's ordinary receipts.
  const corrected = await db.query<{ kind: 'sell' | 'sellReturn'; type: string; sum: string }>(sql`
    select case f."kind" when 'sellCorrection' then 'sell' else 'sellReturn' end as kind, m->>'type' as type,
      sum((m->>'sum')::bigint)::text as sum
    from payments p join fiscal_tasks f on f."idPayment" = p."id" and f."kind" in ('sellCorrection', 'sellReturnCorrection')
      cross join lateral jsonb_array_elements(f."task"->'payments') m
    where p."idShift" = ${shift.id} group by 1, 2`)
  for (const { kind, type, sum: amount } of corrected)
    if (type === 'cash' || type === 'electronically') receipts[kind][type] -= Number(amount)
  const opening = kopecks(shift.opening)
  const [cashIn, cashOut] = [sum('cashIn', 'cash'), -sum('cashOut', 'cash')]
  const corrections = await db.query<ShiftReport['corrections'][number]>(sql`select "id", "kind", "status", "fd",
      ("task"->>'total')::float8 / 100 as sum, "task"->'correction'->>'date' as date,
      "task"->'correction'->>'number' as number, "task"->'correction'->>'reason' as reason
    from fiscal_tasks where "idShift" = ${shift.id} and "kind" in ('sellCorrection', 'sellReturnCorrection')
    order by "id" limit 200`)
  const queue = await db.one<{ waiting: number; unknown: number }>(sql`select
    count(*) filter (where "status" = 'queued')::int as waiting,
    count(*) filter (where "status" in ('sending', 'unknown', 'conflict'))::int as unknown
    from fiscal_tasks where "idDesk" = ${desk.id} and "status" in ('queued', 'sending', 'unknown', 'conflict')`)
  return {
    opening: shift.opening,
    methods,
    cashIn: rubles(cashIn),
    cashOut: rubles(cashOut),
    drawer: rubles(opening + crm.sell.cash - crm.sellReturn.cash + cashIn - cashOut),
    crm: receipts,
    corrections,
    card: rubles(sum('payment', 'card') + sum('payment', 'sbp') + sum('refund', 'card') + sum('refund', 'sbp')),
    waiting: queue?.waiting ?? 0,
    unknown: queue?.unknown ?? 0,
  }
}

export const shiftTotals = operation(moneyCalls.shiftTotals, async ({ app, records, params: { id } }) => {
  await records.row(CashShift, id)
  return totalsOf(app.db.reads, id)
})

/** Current breakdown of a shift's payments by method, service and doctor. */
async function totalsOf(db: Queryable, idShift: number): Promise<Answered<typeof moneyCalls.shiftTotals>> {
  const [methods, services, doctors, all] = await Promise.all([
    db.query<{ method: PaymentMethod; sum: number; count: number }>(sql`
      select r."method", sum(case p."kind" when 'payment' then r."sum" else -r."sum" end)::float8 as sum,
        count(*) filter (where p."kind" = 'payment')::int as count
      from payments p join payments_parts r on r."idPayment" = p."id"
      where p."idShift" = ${idShift} and p."idStatus" = ${DONE} and not p."deleted" group by 1 order by 2 desc`),
    db.query<{ idService: number; name: string; sum: number; count: number }>(sql`
      select s."id" as "idService", coalesce(s."shortNameService", s."nameService") as name, ${paidForSql}
      from ${linesOfShift(idShift)} join services s on s."id" = l."idService"
      group by 1, 2 order by 3 desc, 1 limit ${MOST_TOTALS}`),
    db.query<{ idUser: number; name: string; sum: number; count: number }>(sql`
      select u."id" as "idUser", ${shortFioSql(sql`u`)} as name, ${paidForSql}
      from ${linesOfShift(idShift)} join coupons c on c."id" = l."idCoupon" join users u on u."id" = c."idUser"
      group by 1, 2 order by 3 desc, 1 limit ${MOST_TOTALS}`),
    db.one<{ sum: number }>(sql`select coalesce(sum(g."sum"), 0)::float8 as sum from ${linesOfShift(idShift)}`),
  ])
  const total = methods.reduce((sum, one) => sum + kopecks(one.sum), 0)
  return { methods, services, doctors, rest: rubles(total - (all?.sum ?? 0)), total: rubles(total) }
}

const paidForSql = sql`sum(g."sum")::float8 / 100 as sum, count(distinct l."id")::int as count`
const linesOfShift = (idShift: number) => sql`ledger_txs t
  join ledger_allocations g on g."idTx" = t."id" and g."sum" > 0 join coupon_services l on l."id" = g."idLine"
  join payments p on p."id" = t."idPayment" and p."idShift" = ${idShift} and p."kind" = 'payment'`
