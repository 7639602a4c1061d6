/** The demo clinic's past: complete batches that agree with the ledger, the shifts and the reports, made once. */
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { demoWithoutYears, makeYears } from './demoYears.ts'
import { rollUp } from './rollups.ts'

let clinic: Clinic
/** Four weeks more than the demo's own days. */
const DAYS = 88
const today = dayIn('Europe/Moscow', Date.now())
const [from, until] = [plusDays(today, -DAYS + 1), plusDays(today, -62)]

beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

const open = () =>
  clinic.db.query(sql`select "id", "number", "zNumber" from cash_shifts where "dateClosed" is null order by "id"`)
const count = async () => (await clinic.db.one<{ n: number }>(sql`select count(*)::int as n from appointments`))?.n ?? 0

it('has patients who came before its first days, also without the years', async () => {
  const undone = new Error('undone')
  const done = clinic.context.engine.for(systemActor).tx(async (records, tx) => {
    const fresh = async () =>
      (
        await tx.one<{ share: number }>(sql`select avg(case when exists (select from appointments b
            where b."idCustomer" = a."idCustomer" and b."dateFrom" < a."dateFrom") then 0 else 1 end)::float8 as share
          from appointments a join customers c on c."id" = a."idCustomer",
            (select min("localDate") as first from staff_events) s
          where not c."phone" ~ '^\\+790000[5-8]' and a."visitStatus" = 'completed'
            and a."localDate" between s.first and s.first + 14`)
      )?.share
    expect(await fresh()).toBeGreaterThan(0.2)
    await demoWithoutYears(records, { config: { ...clinic.context.config, demoYears: false } })
    expect(await fresh()).toBeLessThan(0.1)
    throw undone
  })
  await expect(done).rejects.toBe(undone)
})

it('is made once, before the existing days, and leaves open records unchanged', async () => {
  const [before, shifts] = [await count(), await open()]
  await makeYears(clinic.context, { days: DAYS })
  const made = await count()
  expect(made - before).toBeGreaterThan(500)
  expect(await open()).toEqual(shifts)
  await makeYears(clinic.context, { days: DAYS })
  expect(await count()).toBe(made)
})

it('begins with patients who have come before', async () => {
  const first = plusDays(today, -DAYS)
  const came = await clinic.db.one<{ regular: number; fresh: number }>(sql`
    select count(*)::int as regular, count(*) filter (where not exists (select from appointments b
      where b."idCustomer" = a."idCustomer" and b."dateFrom" < a."dateFrom" and b."visitStatus" = 'completed'))::int as fresh
    from appointments a join customers c on c."id" = a."idCustomer"
    where not c."phone" ~ '^\\+790000[5-8]' and a."visitStatus" = 'completed'
      and a."localDate" between ${first}::date and ${plusDays(first, 14)}::date`)
  expect(came?.regular).toBeGreaterThan(30)
  expect((came?.fresh ?? 0) / (came?.regular ?? 1)).toBeLessThan(0.1)
})

it('is paid in shifts closed without a difference, with a few debts, advances and refunds', async () => {
  const lines = await clinic.db.one<{ given: number; owed: number }>(sql`
    select count(*)::int as given, count(*) filter (where w."allocated" < w."charged")::int as owed
    from coupon_services l join coupons c on c."id" = l."idCoupon" left join ledger_lines w on w."idLine" = l."id"
    where l."completed" and l."price" > 0 and c."localDate" between ${from}::date and ${until}::date`)
  expect(lines?.given).toBeGreaterThan(400)
  expect((lines?.owed ?? 0) / (lines?.given ?? 1)).toBeLessThan(0.1)
  expect(lines?.owed).toBeGreaterThan(0)
  const shifts = await clinic.db.query<{ difference: string; closing: { crm: unknown; kkt: unknown } }>(
    sql`select "difference", "closing" from cash_shifts where "localDate" between ${from}::date and ${until}::date`,
  )
  expect(shifts.length).toBeGreaterThan(40)
  for (const { difference, closing } of shifts) {
    expect(Number(difference)).toBe(0)
    expect(closing.kkt).toEqual(closing.crm)
  }
  const wrong = await clinic.db.one(
    sql`select "idTx" from ledger_entries group by "idTx", "unit" having sum("amount") <> 0`,
  )
  expect(wrong).toBeUndefined()
})

it('is paid by insurers, who have settled their letters, and by certificates sold before', async () => {
  const paid = await clinic.db.query<{ method: string; n: number; without: number }>(sql`
    select r."method", count(*)::int as n,
      count(*) filter (where coalesce(r."idGuarantee", r."idCertificate") is null)::int as without
    from payments p join payments_parts r on r."idPayment" = p."id"
    where r."method" in ('insurer', 'certificate') and p."localDate" between ${from}::date and ${until}::date group by 1 order by 1`)
  expect(paid.map(({ method }) => method)).toEqual(['certificate', 'insurer'])
  for (const { n, without } of paid) {
    expect(n).toBeGreaterThan(3)
    expect(without).toBe(0)
  }
  const settled = await clinic.db.one<{ unpaid: string; owed: string }>(sql`select
    (select sum(r."sum") - (select sum("amount") from letter_moves where "as" = 'paid') from payments_parts r
      where r."method" = 'insurer')::text as unpaid,
    ((select sum(e."amount") from ledger_entries e join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'insurer')
      - (select sum("charged") from payer_lines) + (select sum("amount" * 100)::bigint from payer_moves))::text as owed`)
  expect(settled).toEqual({ unpaid: '0.00', owed: '0' })
  // Each was bought on an earlier day, and holds its sum less the payments with it.
  const certificates = await clinic.db.query<{ held: string; left: string; isLater: boolean }>(sql`
    select (select -sum(e."amount") from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
        where a."kind" = 'certificate' and a."mark" = c."id"::text)::text as held,
      round((c."sum" - r."sum") * 100)::text as left, s."localDate" < p."localDate" as "isLater"
    from payments_parts r join payments p on p."id" = r."idPayment" join certificates c on c."id" = r."idCertificate"
      join payments s on s."idCertificate" = c."id" and s."kind" = 'payment'
    where p."localDate" between ${from}::date and ${until}::date`)
  expect(certificates.length).toBe(paid[0]?.n)
  for (const { held, left, isLater } of certificates) {
    expect(held).toBe(left)
    expect(isLater).toBe(true)
  }
})

it('is equal in the report and in the ledger, day by day', async () => {
  await rollUp(clinic.context)
  const { groups } = good(await clinic.as('admin').get(`/reports/payments?from=${from}&until=${until}&by=day`))
  const ledger = await clinic.db.query<{ day: string; sum: string }>(sql`
    select t."localDate" as day, sum(e."amount")::text as sum from ledger_txs t join ledger_entries e on e."idTx" = t."id"
      join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'desk'
    where t."kind" in ('payment', 'refund') and t."localDate" between ${from}::date and ${until}::date group by 1 order by 1`)
  const kopecks = ({ key, values }: { key: string[]; values: { paid: number } }) => [
    key[0],
    Math.round(values.paid * 100),
  ]
  expect(groups.map(kopecks)).toEqual(ledger.map(({ day, sum }) => [day, Number(sum)]))
  const week = await clinic.db.one<{ sundays: number; tuesdays: number }>(sql`
    select count(*) filter (where extract(isodow from "localDate") = 7)::int as sundays,
      count(*) filter (where extract(isodow from "localDate") = 2)::int as tuesdays
    from appointments where "localDate" between ${from}::date and ${until}::date`)
  expect(week?.sundays).toBeLessThan(week?.tuesdays ?? 0)
})
