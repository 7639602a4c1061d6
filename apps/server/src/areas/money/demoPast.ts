/**
 * Non-money payments of the demo clinic's past: insurers by letters, and certificates sold before. Both work on
 * `demo_paid` of `demoVisits.ts` and set the source of its lines.
 */
import { Certificate } from '@ordinator/model/areas/money/certificate'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { LedgerAccount } from '@ordinator/model/areas/money/ledger'
import { DONE, GuaranteeLetter, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

const pastHooks = { pastHooks: 'The letters and certificates of the demo clinic are of its own patients' }
/** Days after the service in which an insurer pays. */
const INSURER_DAYS = 30

/** Gives each insured patient a letter of one insurer for each year. */
export async function insure(records: Records, tx: Tx, idOrganization: number): Promise<void> {
  const system = records.asSystem
  const number = `'ДМС-' || to_char(p.day, 'YY') || '-' || lpad(p."idCustomer"::text, 5, '0')`
  await system.createFrom(
    GuaranteeLetter,
    sql`(select distinct p."idCustomer", date_trunc('year', p.day)::date as day from demo_paid p where p.method = 'insurer') p
      join (select o."id", row_number() over (order by o."id") - 1 as n, count(*) over () as total from organizations o
        where o."kind" = 'insurer' and not o."deleted") o on o.n = p."idCustomer" % o.total
      where not exists (select from guarantee_letters g where g."number" = ${raw(number)})
      order by p.day, p."idCustomer"`,
    {
      idCustomer: raw('p."idCustomer"'),
      idInsurer: raw('o."id"'),
      number: raw(number),
      dateFrom: raw('p.day'),
      dateTo: raw(`(p.day + interval '1 year - 1 day')::date`),
      limit: 300_000,
      services: 'Амбулаторная помощь по программе',
      status: raw(`case when p.day < date_trunc('year', now()) then 'closed' else 'active' end`),
      dateCreate: raw('p.day::timestamptz'),
    },
    pastHooks,
  )
  await system.createFrom(
    LedgerAccount,
    sql`organizations o where o."kind" = 'insurer' and not exists (select from ledger_accounts a
      where a."kind" = 'insurer' and a."idInsurer" = o."id" and a."idOrganization" = ${idOrganization}) order by o."id"`,
    { kind: 'insurer', idInsurer: raw('o."id"'), idOrganization },
    pastHooks,
  )
  await tx.query(sql`update demo_paid p set "idGuarantee" = g."id", "idMoney" = k."id"
    from guarantee_letters g join ledger_accounts k on k."kind" = 'insurer' and k."idInsurer" = g."idInsurer"
      and k."idOrganization" = ${idOrganization}
    where p.method = 'insurer' and g."number" = ${raw(number)}`)
  await tx.query(sql`update demo_paid set method = 'card' where method = 'insurer' and "idGuarantee" is null`)
}

interface Sold {
  idOrganization: number
  cashier: Sql
  /** The fiscal drive of the registers. */
  drive: string
}

/**
 * Gives each line paid by certificate its own certificate of whole thousands, bought by another patient by card in an
 * earlier shift of the desk; the rest stays on it. Without an earlier shift the line is paid by card.
 */
export async function sellCertificates(
  records: Records,
  tx: Tx,
  { idOrganization, cashier, drive }: Sold,
): Promise<void> {
  const system = records.asSystem
  await tx.query(sql`create temp table demo_sold on commit drop as
    select p."idLine", p."idDesk", s."id" as "idShift", s."localDate" as day, s."dateOpened" + interval '3 hours' as at, b."idCustomer" as "idBuyer",
      ceil(p.due / 100000.0)::bigint * 100000 as sum, 'ПС-' || to_char(p.day, 'YY') || '-' || lpad(p."idLine"::text, 6, '0') as number
    from demo_paid p
      cross join lateral (select s.* from cash_shifts s join demo_paid e on e."idShift" = s."id"
        where s."idDesk" = p."idDesk" and s."localDate" < p.day order by s."localDate" limit 1) s
      cross join lateral (select e."idCustomer" from demo_paid e where e."idShift" = s."id" order by e."idLine" limit 1) b
    where p.method = 'certificate'`)
  await system.createFrom(
    Certificate,
    sql`demo_sold p order by p.at, p."idLine"`,
    {
      number: raw('p.number'),
      idOrganization,
      idBuyer: raw('p."idBuyer"'),
      sum: raw('round(p.sum::numeric / 100, 2)'),
      dateTo: raw('p.day + 365'),
      dateCreate: raw('p.at'),
    },
    pastHooks,
  )
  const made = raw(`demo_sold p join certificates c on c."number" = p.number and not c."deleted"`)
  await system.createFrom(
    LedgerAccount,
    sql`${made} order by c."id"`,
    { kind: 'certificate', idOrganization, mark: raw('c."id"::text') },
    pastHooks,
  )
  await system.createFrom(
    Payment,
    sql`${made} order by c."id"`,
    {
      kind: 'payment',
      idStatus: DONE as typeof DONE,
      idCustomer: raw('p."idBuyer"'),
      idOrganization,
      idDesk: raw('p."idDesk"'),
      idShift: raw('p."idShift"'),
      localDate: raw('p.day'),
      sum: raw('c."sum"'),
      idCertificate: raw('c."id"'),
      idAuthor: cashier,
      dateCreate: raw('p.at'),
    },
    pastHooks,
  )
  const paid = raw(`${made.sql} join payments y on y."idCertificate" = c."id" and y."kind" = 'payment'`)
  await system.createFrom(
    PaymentPart,
    sql`${paid} order by y."id"`,
    { idPayment: raw('y."id"'), method: 'card', sum: raw('y."sum"') },
    pastHooks,
  )
  await system.createFrom(
    FiscalTask,
    sql`(select y.*, row_number() over (partition by y."idDesk" order by y."id")
        + (select coalesce(max(t."fd"), 1) from fiscal_tasks t where t."idDesk" = y."idDesk" and t."fn" = ${drive}) as fd
      from ${paid}) y order by y."id"`,
    {
      idDesk: raw('y."idDesk"'),
      idShift: raw('y."idShift"'),
      idPayment: raw('y."id"'),
      kind: 'sell',
      status: 'done',
      key: raw(`'payment-' || y."id"`),
      fn: drive,
      fd: raw('y.fd'),
      fpd: raw('(1000000000 + y."idDesk" * 100000 + y.fd)::text'),
      task: raw(`jsonb_build_object('items', '[]'::jsonb, 'total', (y."sum" * 100)::bigint, 'payments',
        jsonb_build_array(jsonb_build_object('type', 'electronically', 'sum', (y."sum" * 100)::bigint)))`),
      dateCreate: raw('y."dateCreate"'),
      dateDone: raw('y."dateCreate"'),
    },
    pastHooks,
  )
  const accounts = sql`${paid} join ledger_accounts a on a."kind" = 'certificate' and a."mark" = c."id"::text
    and a."idOrganization" = ${idOrganization}`
  await tx.query(sql`
    with sales as (
      select y."id", p.sum, p.day, p."idShift", p.at, a."id" as "idHeld", k."id" as "idMoney" from ${accounts}
        join ledger_accounts k on k."kind" = 'desk' and k."idDesk" = p."idDesk" and k."method" = 'card'
    ), txs as (
      insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift", "idUser", "dateCreate")
      select 'payment:' || "id", 'payment', day, "id", "idShift", ${cashier}, at from sales s order by s."id"
      returning "id", "idPayment"
    )
    insert into ledger_entries ("idTx", "idAccount", "amount")
    select e.* from sales s join txs t on t."idPayment" = s."id"
      cross join lateral (values (t."id", s."idMoney", s.sum), (t."id", s."idHeld", -s.sum)) e(tx, account, amount)`)
  await tx.query(sql`update demo_paid d set "idCertificate" = c."id", "idMoney" = a."id" from ${accounts}
    where d."idLine" = p."idLine"`)
  await tx.query(sql`update demo_paid set method = 'card' where method = 'certificate' and "idCertificate" is null`)
}

/** Payments of insurers since then, letter by letter, to the account of the desk. */
export async function settleWithInsurers(tx: Tx): Promise<void> {
  await tx.query(sql`
    with due as (
      select p."idGuarantee", p."idMoney", g."number", y."idOrganization", min(p."idDesk") as "idDesk", sum(p.due) as sum,
        max(p.day) + ${INSURER_DAYS}::int as day
      from demo_paid p join payments y on y."id" = p."idPayment" join guarantee_letters g on g."id" = p."idGuarantee"
      group by 1, 2, 3, 4 having max(p.day) + ${INSURER_DAYS}::int < current_date
    ), moved as (
      insert into letter_moves ("idGuarantee", "idOrganization", "as", "amount", "dateCreate")
      select "idGuarantee", "idOrganization", 'paid', round(sum / 100, 2), day::timestamptz from due
    ), txs as (
      insert into ledger_txs ("key", "kind", "localDate", "comment", "dateCreate")
      select 'demo-letter-' || "idGuarantee" || '-' || day, 'insurerPaid', day, 'Письмо № ' || "number", day::timestamptz from due
      order by "idGuarantee" returning "id", "key"
    )
    insert into ledger_entries ("idTx", "idAccount", "amount")
    select e.* from due d join txs t on t."key" = 'demo-letter-' || d."idGuarantee" || '-' || d.day
      join ledger_accounts k on k."kind" = 'desk' and k."idDesk" = d."idDesk" and k."method" = 'transfer'
      cross join lateral (values (t."id", k."id", d.sum), (t."id", d."idMoney", -d.sum)) e(tx, account, amount)`)
}
