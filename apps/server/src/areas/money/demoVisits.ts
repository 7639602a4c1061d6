/**
 * Charges and pays the demo's visits set by set: by card, cash, СБП and transfer in the shifts of the branch's desk,
 * which closed without a difference; a few patients owe, a few have paid ahead, and some of these withdrew the advance
 * the next day. The ledger, the cash desks and the reports agree to the kopeck.
 */
import { CashShift } from '@ordinator/model/areas/money/desk'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { LedgerAccount } from '@ordinator/model/areas/money/ledger'
import { DONE, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { demoDiscountedLines } from './demoDiscounts.ts'
import { insure, sellCertificates, settleWithInsurers } from './demoPast.ts'
import { lineDueSql } from './lines.ts'

const pastHooks = { pastHooks: 'The desks of the demo clinic are of its own organization' }
/** Kopecks that some patients pay ahead. */
const AHEAD = 1_000_00
/** The previous fiscal drive of the demo's registers. */
const PAST_DRIVE = '9282440300110042'

/** A stable number from 0 to 99 for each line. */
const chance = (salt: number): Sql => raw(`((hashint8(l."id" * 37 + ${salt}) & 2147483647) % 100)`)
/** Each payment and refund with its method: two joins, because one with `or` would compare all rows with all. */
const movesSql = sql`(select "method", "idGuarantee", "idCertificate", "idPayment" as "idMove" from demo_paid
  union all select "method", null, null, "idRefund" from demo_paid where "idRefund" is not null) p`
const cashier = raw(`(select "id" from users where "login" = 'registrar')`)

/** @param isPast for days before the present fiscal drive: the devices do not know their receipts */
export async function payForVisits(records: Records, tx: Tx, { isPast = false } = {}): Promise<void> {
  const own = await tx.one<{ id: number }>(
    sql`select "id" from organizations where "kind" = 'own' order by "id" limit 1`,
  )
  if (!own) return
  const { id: idOrganization } = own
  await demoDiscountedLines(records, tx)
  await openAccounts(records, idOrganization)
  // The tables were filled in this transaction: without statistics the planner would choose a nested loop over all.
  if (!isPast) await tx.query(sql`analyze coupon_services, coupons, appointments, ledger_accounts, ledger_lines`)
  await drawLots(tx, idOrganization, isPast)
  await openShifts(records, tx, isPast)
  if (isPast) {
    await insure(records, tx, idOrganization)
    await sellCertificates(records, tx, { idOrganization, cashier, drive: PAST_DRIVE })
  }
  await tx.query(sql`update demo_paid p set "idMoney" = k."id" from ledger_accounts k
    where p."idMoney" is null and k."kind" = 'desk' and k."idDesk" = p."idDesk" and k."method" = p.method`)
  await takeMoney(records, tx, idOrganization, isPast)
  // The planner expects a handful of the rows just written, and would choose a nested loop over all.
  await tx.query(sql`analyze demo_paid, ledger_accounts, cash_shifts`)
  await tx.query(sql`set local enable_nestloop = off`)
  await postAll(tx, idOrganization)
  await tx.query(sql`set local enable_nestloop = on`)
  await closeShifts(records, tx)
  if (isPast) await settleWithInsurers(tx)
  else await simulateDevices(tx)
}

async function openAccounts(records: Records, idOrganization: number): Promise<void> {
  await records.asSystem.createFrom(
    LedgerAccount,
    sql`(select distinct a."idCustomer" from coupon_services l join coupons c on c."id" = l."idCoupon"
        join appointments a on a."id" = c."idAppointment" where l."completed" and ${lineDueSql(raw('l'))} > 0) p
      where not exists (select from ledger_accounts o
        where o."kind" = 'patient' and o."idCustomer" = p."idCustomer" and o."idOrganization" = ${idOrganization})`,
    { kind: 'patient', idCustomer: raw('p."idCustomer"'), idOrganization },
  )
}

/**
 * Assigns payer, time and method to each line. In the past most debts are paid since, fewer advances are left, an
 * insurer pays for some patients, and a few lines are paid with certificates.
 */
async function drawLots(tx: Tx, idOrganization: number, isPast: boolean): Promise<void> {
  const [owes, ahead] = isPast
    ? [`m.luck = 0 and (c."localDate" > current_date - 150 or l."id" % 6 = 0)`, 'm.luck in (4, 5)']
    : ['m.luck < 3', 'm.luck in (3, 4, 5)']
  const past = isPast
    ? `when a."idCustomer" % 11 = 3 and m.luck > 5 then 'insurer' when m.luck in (10, 11) then 'certificate'`
    : ''
  await tx.query(sql`create temp table demo_paid on commit drop as
    select l."id" as "idLine", a."idCustomer", c."localDate" as day, d."id" as "idDesk", s."nameService" as name,
      coalesce(b."timeZone", ${clinicZone}) as zone, (${lineDueSql(raw('l'))} * 100)::bigint as due, o."id" as "idAccount",
      case ${raw(past)} when m.way < 42 then 'card' when m.way < 66 then 'cash' when m.way < 96 then 'sbp' else 'transfer' end as method,
      ${raw(owes)} as owes, case when ${raw(ahead)} then ${AHEAD}::bigint else 0 end as ahead, m.luck = 5 as back,
      least(a."dateCompleted" + interval '4 minutes', now() - interval '1 minute') as at, null::bigint as "idPayment",
      null::bigint as "idMoney", null::bigint as "idGuarantee", null::bigint as "idCertificate", null::bigint as "idShift", null::bigint as "idRefund", null::bigint as "idRefundShift"
    from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
      join services s on s."id" = l."idService" join filials b on b."id" = c."idFilial"
      join ledger_accounts o on o."kind" = 'patient' and o."idCustomer" = a."idCustomer" and o."idOrganization" = ${idOrganization}
      cross join lateral (select k."id" from cash_desks k where k."idFilial" = c."idFilial" and not k."isOnline"
        and not k."deleted" order by k."id" limit 1) d
      cross join lateral (select ${chance(5)} as luck, ${chance(11)} as way) m
    where l."completed" and ${lineDueSql(raw('l'))} > 0
      and not exists (select from ledger_lines x where x."idLine" = l."id")`)
  await tx.query(sql`create unique index on demo_paid ("idLine")`)
}

/** Opens a shift of each desk on each day; existing shifts get the later numbers. */
async function openShifts(records: Records, tx: Tx, isPast: boolean): Promise<void> {
  // Shifts of an earlier drive have a numbering of their own.
  const number = raw(
    isPast ? 'p.day - (current_date - 800)' : 'row_number() over (partition by p."idDesk" order by p.day)',
  )
  const before = await tx.query<{ id: number }>(sql`select "id" from cash_shifts`)
  await records.asSystem.createFrom(
    CashShift,
    sql`(select p."idDesk", p.day, min(p.zone) as zone, ${number} as n
      from demo_paid p where not exists (select from cash_shifts s where s."idDesk" = p."idDesk" and s."localDate" = p.day)
      group by p."idDesk", p.day) g order by g.day, g."idDesk"`,
    {
      idDesk: raw('g."idDesk"'),
      number: raw('g.n'),
      localDate: raw('g.day'),
      dateOpened: raw(`(g.day + time '07:45') at time zone g.zone`),
      dateClosed: raw(`(g.day + time '20:30') at time zone g.zone`),
      idCashier: cashier,
      idCloser: cashier,
      opening: 0,
      expected: 0,
      counted: 0,
      difference: 0,
      zNumber: raw('g.n'),
    },
    pastHooks,
  )
  if (!isPast)
    await records.asSystem.updateWhere(
      CashShift,
      {
        rows: sql`select s."id", (select count(*) from cash_shifts o where o."idDesk" = s."idDesk"
            and o."id" <> all(${before.map(({ id }) => id)}::bigint[])) as earlier
          from cash_shifts s where s."id" = any(${before.map(({ id }) => id)}::bigint[])`,
      },
      ({ row, picked }) => ({ number: sql`${row}."number" + ${picked}.earlier` }),
      pastHooks,
    )
  await tx.query(sql`update demo_paid p set
    "idShift" = (select s."id" from cash_shifts s where s."idDesk" = p."idDesk" and s."localDate" = p.day order by s."id" desc limit 1),
    "idRefundShift" = case when p.back then (select s."id" from cash_shifts s
      where s."idDesk" = p."idDesk" and s."localDate" = p.day + 1 order by s."id" desc limit 1) end`)
}

async function takeMoney(records: Records, tx: Tx, idOrganization: number, isPast: boolean): Promise<void> {
  const system = records.asSystem
  const of = (kind: 'payment' | 'refund') => ({
    kind,
    idStatus: DONE as typeof DONE,
    idCustomer: raw('p."idCustomer"'),
    idOrganization,
    idDesk: raw('p."idDesk"'),
    idShift: raw('s."id"'),
    localDate: raw('s."localDate"'),
    idAuthor: cashier,
  })
  await system.createFrom(
    Payment,
    sql`demo_paid p join cash_shifts s on s."id" = p."idShift" where not p.owes order by p.at, p."idLine"`,
    {
      ...of('payment'),
      sum: raw('round((p.due + p.ahead)::numeric / 100, 2)'),
      lines: raw(
        `jsonb_build_array(jsonb_build_object('idCouponService', p."idLine", 'sum', round(p.due::numeric / 100, 2)))`,
      ),
      dateCreate: raw('p.at'),
    },
    pastHooks,
  )
  await tx.query(sql`update demo_paid p set "idPayment" = y."id" from payments y
    where y."lines" is not null and (y."lines" -> 0 ->> 'idCouponService')::bigint = p."idLine"`)
  await system.createFrom(
    Payment,
    sql`demo_paid p join cash_shifts s on s."id" = p."idRefundShift" where p."idPayment" is not null order by p."idLine"`,
    {
      ...of('refund'),
      sum: AHEAD / 100,
      idRefundOf: raw('p."idPayment"'),
      comment: 'Пациент попросил вернуть аванс',
      dateCreate: raw(`least(s."dateOpened" + interval '1 hour', now())`),
    },
    pastHooks,
  )
  await tx.query(sql`update demo_paid p set "idRefund" = y."id" from payments y
    where y."idRefundOf" = p."idPayment" and p."idRefundShift" is not null`)
  const drive = isPast ? PAST_DRIVE : null
  const made = sql`${movesSql} join payments y on y."id" = p."idMove"`
  await system.createFrom(
    PaymentPart,
    sql`${made} order by y."id"`,
    {
      idPayment: raw('y."id"'),
      method: raw('p.method'),
      sum: raw('y."sum"'),
      idGuarantee: raw('p."idGuarantee"'),
      idCertificate: raw('p."idCertificate"'),
    },
    pastHooks,
  )
  await system.createFrom(
    FiscalTask,
    sql`(select p.method, y.*, row_number() over (partition by y."idDesk" order by y."dateCreate", y."id")
        + (select coalesce(max(t."fd"), 1) from fiscal_tasks t where t."idDesk" = y."idDesk"
          and t."fn" is not distinct from ${drive}::text) as fd from ${made} where p.method <> 'insurer') y order by y."id"`,
    {
      idDesk: raw('y."idDesk"'),
      idShift: raw('y."idShift"'),
      idPayment: raw('y."id"'),
      kind: raw(`case y."kind" when 'payment' then 'sell' else 'sellReturn' end`),
      status: 'done',
      key: raw(`y."kind" || '-' || y."id"`),
      fn: drive,
      fd: raw('y.fd'),
      fpd: raw('(1000000000 + y."idDesk" * 100000 + y.fd)::text'),
      task: raw(`jsonb_build_object('items', '[]'::jsonb, 'total', (y."sum" * 100)::bigint, 'payments', jsonb_build_array(
        jsonb_build_object('type', case y.method when 'cash' then 'cash' when 'certificate' then 'prepaid' else 'electronically' end, 'sum', (y."sum" * 100)::bigint)))`),
      dateCreate: raw('y."dateCreate"'),
      dateDone: raw('y."dateCreate"'),
    },
    pastHooks,
  )
}

/** Charges every line on its day, posts every payment and allocates it to its line. */
async function postAll(tx: Tx, idOrganization: number): Promise<void> {
  await tx.query(sql`
    with revenue as (
      select "id" from ledger_accounts where "kind" = 'revenue' and "idOrganization" = ${idOrganization}
    ), money as (
      select p."idLine", p."idAccount", p.due, p.ahead, p.day, p."idPayment", p."idShift", p."idRefund", p."idRefundShift", p.at,
        p."idMoney", p.method, (select s."localDate" from cash_shifts s where s."id" = p."idRefundShift") as "refundDay"
      from demo_paid p
    ), charges as (
      insert into ledger_txs ("key", "kind", "localDate", "idCouponService", "comment", "dateCreate")
      select 'line:' || "idLine" || ':0', 'charge', day, "idLine", name, at - interval '1 minute' from demo_paid order by at, "idLine"
      returning "id", "idCouponService"
    ), credits as (
      insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift", "idUser", "dateCreate")
      select 'payment:' || "idPayment", 'payment', day, "idPayment", "idShift", ${cashier}, at from money
      where "idPayment" is not null order by at, "idLine"
      returning "id", "idPayment"
    ), refunds as (
      insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift", "idUser", "dateCreate")
      select 'refund:' || "idRefund", 'refund', "refundDay", "idRefund", "idRefundShift", ${cashier}, least(at + interval '1 day', now())
      from money where "idRefund" is not null order by "idLine"
      returning "id", "idPayment"
    ), entries as (
      insert into ledger_entries ("idTx", "idAccount", "amount")
      select e.* from demo_paid p join charges h on h."idCouponService" = p."idLine" cross join revenue r
        cross join lateral (values (h."id", p."idAccount", p.due), (h."id", r."id", -p.due)) e(tx, account, amount)
      union all
      select e.* from money g join credits d on d."idPayment" = g."idPayment"
        cross join lateral (values (d."id", g."idAccount", -(g.due + g.ahead)), (d."id", g."idMoney", g.due + g.ahead)) e(tx, account, amount)
      union all
      select e.* from money g join refunds d on d."idPayment" = g."idRefund"
        cross join lateral (values (d."id", g."idAccount", g.ahead), (d."id", g."idMoney", -g.ahead)) e(tx, account, amount)
    ), credited as (
      insert into ledger_credits ("idTx", "idAccount", "idPayment", "free", "told")
      select d."id", g."idAccount", g."idPayment", case when g."idRefund" is null then g.ahead else 0 end, 0
      from money g join credits d on d."idPayment" = g."idPayment" returning "idTx"
    ), settled as (
      insert into ledger_lines ("idLine", "idAccount", "idTx", "charged", "allocated", "receipted")
      select p."idLine", p."idAccount", h."id", p.due, case when p."idPayment" is null then 0 else p.due end, p."idPayment" is not null
      from demo_paid p join charges h on h."idCouponService" = p."idLine"
    )
    insert into ledger_allocations ("idTx", "idLine", "sum", "told")
    select d."id", g."idLine", g.due, case g.method when 'insurer' then 0 else g.due end from money g join credits d on d."idPayment" = g."idPayment"`)
}

/**
 * Moves the cash of past days to the safe; each closing stores the sums of the books, the register and the terminal.
 */
async function closeShifts(records: Records, tx: Tx): Promise<void> {
  await tx.query(sql`
    with cash as (
      select s."id", s."idDesk", s."localDate", s."dateClosed", k."id" as "idCash", f."id" as "idSafe", sum(e."amount") as amount
      from (select "idShift" from demo_paid union select "idRefundShift" from demo_paid) d
        join cash_shifts s on s."id" = d."idShift" and s."dateClosed" is not null
        join ledger_accounts k on k."kind" = 'desk' and k."idDesk" = s."idDesk" and k."method" = 'cash'
        join ledger_accounts f on f."kind" = 'safe' and f."idDesk" = s."idDesk"
        join ledger_txs t on t."idShift" = s."id" and t."idPayment" in (
          select "idPayment" from demo_paid union all select "idRefund" from demo_paid)
        join ledger_entries e on e."idTx" = t."id" and e."idAccount" = k."id"
      group by 1, 2, 3, 4, 5, 6 having sum(e."amount") <> 0
    ), out as (
      insert into ledger_txs ("key", "kind", "localDate", "idShift", "idUser", "comment", "dateCreate")
      select 'demo-out-' || c."id" || '-' || pg_current_xact_id(), case when c.amount > 0 then 'cashOut' else 'cashIn' end, c."localDate", c."id", ${cashier},
        'Инкассация', c."dateClosed"
      from cash c order by c."id" returning "id", "idShift"
    )
    insert into ledger_entries ("idTx", "idAccount", "amount")
    select e.* from cash c join out o on o."idShift" = c."id"
      cross join lateral (values (o."id", c."idCash", -c.amount), (o."id", c."idSafe", c.amount)) e(tx, account, amount)`)
  const sumOf = (kind: string, cash: boolean) =>
    `coalesce(sum(e."amount") filter (where t."kind" = '${kind}' and (a."method" = 'cash') = ${cash}), 0)`
  const totals = `jsonb_build_object(
    'sell', jsonb_build_object('cash', ${sumOf('payment', true)}, 'electronically', ${sumOf('payment', false)}),
    'sellReturn', jsonb_build_object('cash', -${sumOf('refund', true)}, 'electronically', -${sumOf('refund', false)}))`
  await records.asSystem.updateWhere(
    CashShift,
    {
      rows: sql`select s."id", x.totals, x.card from cash_shifts s cross join lateral (
          select ${raw(totals)} as totals,
            coalesce(sum(e."amount") filter (where a."method" in ('card', 'sbp') and t."kind" in ('payment', 'refund')), 0) as card
          from ledger_txs t join ledger_entries e on e."idTx" = t."id"
            join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'desk' where t."idShift" = s."id") x
        where s."dateClosed" is not null and (s."closing" is null or s."id" in (
          select "idShift" from demo_paid union all select "idRefundShift" from demo_paid))`,
    },
    ({ picked }) => ({
      closing: sql`jsonb_build_object('crm', ${picked}.totals, 'kkt', ${picked}.totals, 'terminal', ${picked}.card)`,
    }),
    pastHooks,
  )
}

/** Makes the register and the terminal agree with the open shift. */
async function simulateDevices(tx: Tx): Promise<void> {
  await tx.query(sql`insert into simulated_charges ("idDesk", "operation", "kind", "amount", "dateCreate")
    select y."idDesk", 'demo-visit-' || y."id", case y."kind" when 'payment' then 'pay' else 'refund' end, (y."sum" * 100)::bigint,
      greatest(y."dateCreate", s."dateOpened")
    from ${movesSql} join payments y on y."id" = p."idMove"
      join cash_shifts s on s."id" = y."idShift" and s."dateClosed" is null
    where p.method in ('card', 'sbp')`)
  await tx.query(sql`insert into simulated_documents ("idDesk", "fd", "key", "kind", "shift", "receipt")
    select t."idDesk", t."fd", t."key", t."kind", d."shift", t."task" from fiscal_tasks t
      join cash_shifts s on s."id" = t."idShift" and s."dateClosed" is null
      join simulated_devices d on d."idDesk" = t."idDesk" and d."device" = 'kkt'
    where t."status" = 'done' and t."fd" is not null and t."kind" in ('sell', 'sellReturn') on conflict do nothing`)
  await tx.query(sql`update simulated_devices d set "lastFd" = greatest(d."lastFd", m.fd)
    from (select "idDesk", max("fd") as fd from fiscal_tasks group by 1) m where m."idDesk" = d."idDesk" and d."device" = 'kkt'`)
}
