/**
 * Property test: any sequence of services, payments, refunds and corrections, also concurrent, keeps the sums of lines
 * and ledger.
 */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let idOrganization: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const step = fc.record({
  act: fc.constantFrom(
    'done',
    'done',
    'undone',
    'refuse',
    'price',
    'take',
    'take',
    'choose',
    'refund',
    'refundLine',
    'lend',
    'lend',
    'lendBack',
    'debt',
    'writeOff',
    'finish',
    'reopen',
  ),
  at: fc.nat(20),
  kopecks: fc.integer({ min: 1, max: 2_500_00 }),
})
/** Steps of one group are sent concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 })

/**
 * Checks that receipts agree with the ledger: money in and out, the settlement of each line, and the prepaid rest,
 * which no receipt takes twice.
 */
async function receiptsAgree(idCustomers: number[]): Promise<void> {
  const [{ money = '', ahead = '', free = '', least = '' } = {}] = await clinic.db.query<Record<string, string>>({
    text: `with own as (select * from payments where "idCustomer" = any ($1) and "idStatus" = 2),
        task as (select f."task", case f."kind" when 'sell' then 1 else -1 end as sign
          from fiscal_tasks f join own p on p."id" = f."idPayment"),
        means as (select m ->> 'type' as type, t.sign * (m ->> 'sum')::bigint as sum
          from task t, jsonb_array_elements(t."task" -> 'payments') m),
        item as (select i ->> 'settlement' as kind, t.sign * (i ->> 'amount')::bigint as sum
          from task t, jsonb_array_elements(t."task" -> 'items') i),
        credit as (select c."free" - c."told" + coalesce((select sum(a."sum" - a."told") from ledger_allocations a
            where a."idTx" = c."idTx"), 0) as ahead
          from ledger_credits c join own p on p."id" = c."idPayment")
      select ((select coalesce(sum("sum" * 100 * case "kind" when 'payment' then 1 else -1 end), 0)::bigint from own p
            where exists (select 1 from payments_parts t where t."idPayment" = p."id" and t."method" = 'cash'))
          - (select coalesce(sum(sum), 0) from means where type in ('cash', 'electronically')))::text as money,
        ((select coalesce(sum(sum), 0) from item where kind in ('advance', 'prepayment', 'fullPrepayment'))
          - (select coalesce(sum(sum), 0) from means where type = 'prepaid'))::text as ahead,
        (select coalesce(sum(ahead), 0) from credit)::text as free, (select coalesce(min(ahead), 0) from credit)::text as least`,
    values: [idCustomers],
  })
  expect(money).toBe('0')
  expect(ahead).toBe(free)
  expect(Number(least)).toBeGreaterThanOrEqual(0)
  const wrong = await clinic.db.query({
    text: `select a."idLine", sum(a."told") as told, x.said, p."charged", p."allocated"
      from ledger_allocations a join ledger_lines p on p."idLine" = a."idLine"
        join ledger_accounts o on o."id" = p."idAccount" and o."idCustomer" = any ($1)
        cross join lateral (select coalesce(sum(case f."kind" when 'sell' then 1 else -1 end * (i ->> 'settled')::bigint), 0) as said
          from payments y join fiscal_tasks f on f."idPayment" = y."id", jsonb_array_elements(f."task" -> 'items') i
          where y."idCustomer" = any ($1) and (i ->> 'line')::bigint = a."idLine" and i ? 'settled') x
      group by a."idLine", x.said, p."charged", p."allocated"
      having sum(a."told") <> x.said or (p."charged" > 0 and p."charged" = p."allocated" and sum(a."sum" - a."told")
        filter (where a."sum" > a."told" and exists (select 1 from ledger_credits c where c."idTx" = a."idTx" and c."idPayment" is not null)) > 0)`,
    values: [idCustomers],
  })
  expect(wrong).toEqual([])
}

interface Sums {
  balance: string
  charged: string
  allocated: string
  free: string
}

it('pays no line twice, and the ledger equals the cost of lines less payments', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      const desk = await billing(keeper, worlds, idOrganization)
      const one = await desk.visit([1, 0.5])
      const two = await desk.visit([1.333], { idCustomer: one.idCustomer })
      const { idCustomer } = one
      const relative = await worlds.patient()
      const lines = [...one.lines, ...two.lines]
      const payments: number[] = []
      let others = 0
      const loans: number[] = []
      let lent = 0
      const carry = async ({ act, at, kopecks }: { act: string; at: number; kopecks: number }) => {
        const line = lines[at % lines.length] as number
        const visit = at % 2 ? one.id : two.id
        const sum = kopecks / 100
        if (act === 'done' || act === 'undone') await desk.done(line, act === 'done')
        else if (act === 'refuse') await desk.refuse(line)
        else if (act === 'price') await keeper.put(`/coupon-services/${line}`, { price: sum, reason: 'Другая цена' })
        else if (act === 'finish') {
          await desk.to(visit, 'inProgress')
          await desk.to(visit, 'completed')
        } else if (act === 'reopen') await desk.to(visit, 'inProgress')
        else if (act === 'take') payments.push(good(await desk.take(idCustomer, sum)).id)
        else if (act === 'choose') {
          const answer = await desk.take(idCustomer, sum, { lines: [{ idCouponService: line, sum }] })
          if (answer.status !== 422) payments.push(good(answer).id)
        } else if (act === 'refund' && payments.length) {
          const answer = await desk.refund(payments[at % payments.length] as number, sum)
          if (answer.status !== 422) good(answer)
        } else if (act === 'refundLine' && payments.length) {
          const chosen = { lines: [{ idCouponService: line, sum }] }
          const answer = await desk.refund(payments[at % payments.length] as number, sum, chosen)
          if (answer.status !== 422) good(answer)
        } else if (act === 'lend') {
          good(await desk.correct(relative, 'charge', sum), 201)
          const more = { idPayer: idCustomer, parts: [{ method: 'advance', sum }] }
          const answer = await desk.take(relative, sum, more)
          if (answer.status !== 422) {
            loans.push(good(answer).id)
            lent += kopecks
          }
        } else if (act === 'lendBack' && loans.length) {
          // Back to the account that it came from.
          const parts = [{ method: 'advance', sum }]
          const answer = await desk.refund(loans[at % loans.length] as number, sum, { parts })
          if (answer.status !== 422) good(answer)
        } else if (act === 'debt') {
          good(await desk.correct(idCustomer, 'charge', sum), 201)
          others += kopecks
        } else if (act === 'writeOff') {
          const answer = await desk.correct(idCustomer, 'writeOff', sum)
          if (answer.status !== 422) good(answer, 201)
        }
      }
      for (const group of all) {
        const answers = await Promise.allSettled(group.map(carry))
        expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
        // The account: the debt equals the cost of lines plus corrections, less payments.
        const [sums] = await clinic.db.query<Sums>({
          text: `select coalesce(sum(e."amount"), 0)::text as balance,
              (select coalesce(sum("charged"), 0) from ledger_lines where "idLine" = any ($2))::text as charged,
              (select coalesce(sum("allocated"), 0) from ledger_lines where "idLine" = any ($2))::text as allocated,
              (select coalesce(sum(c."free"), 0) from ledger_credits c join ledger_accounts o on o."id" = c."idAccount"
                where o."idCustomer" = $1)::text as free
            from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" where a."idCustomer" = $1`,
          values: [idCustomer, lines],
        })
        const [balance, charged, allocated, free] = [sums?.balance, sums?.charged, sums?.allocated, sums?.free].map(
          Number,
        ) as [number, number, number, number]
        expect(balance).toBe(charged + others - allocated - free)
        await receiptsAgree([idCustomer, relative])
        // Each line, and each credit.
        const rows = await clinic.db.query<Record<string, unknown>>({
          text: `select l."id", l."completed" and not l."cancelled" as given, p."charged"::float8 as charged, p."allocated"::float8 as allocated,
              (case when l."cancelled" then 0 else greatest(0, round(l."price" * l."qty", 2) - l."discount") * 100 end)::float8 as due,
              (select coalesce(sum(a."sum"), 0) from ledger_allocations a where a."idLine" = l."id")::float8 as parts,
              (select coalesce(sum(e."amount"), 0) from ledger_txs t join ledger_entries e on e."idTx" = t."id"
                join ledger_accounts o on o."id" = e."idAccount" and o."kind" = 'patient' where t."idCouponService" = l."id")::float8 as ledger
            from coupon_services l join ledger_lines p on p."idLine" = l."id" where l."id" = any ($1)`,
          values: [lines],
        })
        for (const row of rows) {
          expect(row.charged).toBe(row.given ? row.due : 0)
          expect(row.ledger).toBe(row.charged)
          expect(row.allocated).toBe(row.parts)
          expect(row.allocated).toBeLessThanOrEqual(row.due as number)
        }
        const unpaid = rows.some(({ charged: is, allocated: paid }) => (is as number) > (paid as number))
        if (unpaid) expect(free).toBeLessThanOrEqual(others)
        const over = await clinic.db.query({
          text: `select 1 from ledger_credits c join payments p on p."id" = c."idPayment" where p."idCustomer" = $1
            and not exists (select 1 from payments b where b."idPayer" = $1)
            and c."free" + coalesce((select sum(a."sum") from ledger_allocations a where a."idTx" = c."idTx"), 0)
              <> (p."sum" - coalesce((select sum(b."sum") from payments b where b."idRefundOf" = p."id" and b."idStatus" = 2), 0)) * 100`,
          values: [idCustomer],
        })
        expect(over).toEqual([])
      }
      if (lent > 0) return
      // After refunding everything, no receipt settles any line.
      for (const id of payments) {
        const { sum, refunded } = good(await keeper.get(`/payments/${id}`))
        if (sum > refunded) good(await desk.refund(id, Math.round((sum - refunded) * 100) / 100))
      }
      await receiptsAgree([idCustomer, relative])
      const leftovers = await clinic.db.query({
        text: `select 1 from ledger_allocations a join ledger_credits c on c."idTx" = a."idTx"
          join payments p on p."id" = c."idPayment" where p."idCustomer" = $1 and (a."told" > 0 or c."told" > 0)`,
        values: [idCustomer],
      })
      expect(leftovers).toEqual([])
    }),
    { numRuns: runs(3, 100), endOnFailure: true },
  )
  expect(
    await clinic.db.query({ text: 'select 1 from ledger_entries group by "idTx", "unit" having sum("amount") <> 0' }),
  ).toEqual([])
})
