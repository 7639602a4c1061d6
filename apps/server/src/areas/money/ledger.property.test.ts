/**
 * Property test: any sequence of operations on money, also concurrent, keeps the equations of the ledger and the
 * agreement of all sums.
 */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let cashier: Caller
let idOrganization: number

beforeAll(async () => {
  world = await cashWorld('Самара')
  ;({ clinic, one: cashier, idOrganization } = world)
})
afterAll(() => clinic.close())

const key = () => world.key()
const sums = async (text: string, ...values: unknown[]): Promise<Record<string, string>> => {
  const [row] = await clinic.db.query<Record<string, string>>({ text, values })
  return row ?? {}
}

interface Step {
  act: 'charge' | 'take' | 'refund' | 'in' | 'out' | 'again'
  who: number
  method: 'cash' | 'card' | 'sbp' | 'transfer'
  kopecks: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('charge', 'take', 'take', 'refund', 'in', 'out', 'again'),
  who: fc.nat(2),
  method: fc.constantFrom('cash', 'card', 'sbp', 'transfer'),
  kopecks: fc.integer({ min: 1, max: 3_000_00 }),
})
/** Steps of one group are sent concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 })

interface ByMethod {
  method: string
  taken: number
  returned: number
}

it('the equations hold over any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      const { idDesk, idShift } = await world.openDesk({ refundLimit: 1_000_000 })
      const people: number[] = []
      for (let at = 0; at < 3; at++) people.push(await world.patient())
      const owed = new Map(people.map((id) => [id, 0]))
      const taken: { id: number; body: object; who: number }[] = []
      let drawer = 0

      const carry = async ({ act, who, method, kopecks }: Step) => {
        const idCustomer = people[who] as number
        const sum = kopecks / 100
        const add = (by: number) => owed.set(idCustomer, (owed.get(idCustomer) ?? 0) + by)
        if (act === 'charge') {
          const body = { key: key(), idCustomer, idOrganization, kind: 'charge', sum, reason: 'Услуга' }
          good(await cashier.post('/ledger/correct', body), 201)
          add(kopecks)
        } else if (act === 'take') {
          const body = { key: key(), idDesk, idCustomer, parts: [{ method, sum }] }
          const { id } = good(await cashier.post('/payments/take', body))
          taken.push({ id, body, who })
          add(-kopecks)
          if (method === 'cash') drawer += kopecks
        } else if (act === 'again' && taken.length) {
          const { id, body } = taken[kopecks % taken.length] as (typeof taken)[number]
          expect(good(await cashier.post('/payments/take', body)).id).toBe(id)
        } else if (act === 'refund' && taken.length) {
          const of = taken[kopecks % taken.length] as (typeof taken)[number]
          const parts = [{ method, sum }]
          const answer = await cashier.post(`/payments/${of.id}/refund`, { key: key(), parts, reason: 'Возврат' })
          if (answer.status === 422) return
          good(answer)
          const whose = people[of.who] as number
          owed.set(whose, (owed.get(whose) ?? 0) + kopecks)
          if (method === 'cash') drawer -= kopecks
        } else if (act === 'in' || act === 'out') {
          const answer = await cashier.post(`/cash-shifts/${idShift}/cash`, {
            key: key(),
            kind: act,
            sum,
            reason: 'Размен',
          })
          if (answer.status === 422) return
          good(answer)
          drawer += act === 'in' ? kopecks : -kopecks
        }
      }
      for (const group of all) await Promise.all(group.map(carry))

      // 1: each transaction balances, and so do all accounts.
      expect(await sums('select coalesce(sum("amount"), 0)::text as sum from ledger_entries')).toEqual({ sum: '0' })
      expect(
        await clinic.db.query({
          text: 'select 1 from ledger_entries group by "idTx", "unit" having sum("amount") <> 0',
        }),
      ).toEqual([])
      // 2: the debt equals the replayed operations.
      for (const [id, balance] of owed) {
        const { debt, advance } = good(await cashier.get(`/customers/${id}/account`))
        expect([debt, advance]).toEqual([Math.max(0, balance) / 100, Math.max(0, -balance) / 100])
      }
      // 3: no payment refunds more than it took.
      expect(
        await clinic.db.query({
          text: `select 1 from payments p join payments_parts t on t."idPayment" = p."id" where p."idDesk" = $1
            group by coalesce(p."idRefundOf", p."id"), t."method"
            having sum(case p."kind" when 'payment' then t."sum" else -t."sum" end) < 0`,
          values: [idDesk],
        }),
      ).toEqual([])
      // 8: the sum in the drawer.
      const report = good(await cashier.get(`/cash-shifts/${idShift}/report`))
      expect(report.drawer).toBe(drawer / 100)
      // The ledger, the payments by method and the cash desk agree.
      const byKinds = await clinic.db.query<ByMethod>({
        text: `select t."method", coalesce(sum(t."sum") filter (where p."kind" = 'payment'), 0)::float8 as taken,
          coalesce(sum(t."sum") filter (where p."kind" = 'refund'), 0)::float8 as returned
          from payments p join payments_parts t on t."idPayment" = p."id"
          where p."idDesk" = $1 and p."idStatus" = 2 group by 1 order by 1`,
        values: [idDesk],
      })
      const ofDesk = report.methods
        .map(({ method, taken, returned }: ByMethod) => ({ method, taken, returned }))
        .toSorted((a: ByMethod, b: ByMethod) => a.method.localeCompare(b.method))
      expect(ofDesk).toEqual(byKinds)
      // 9: the terminal and the register agree with the books.
      expect(report.terminal).toBe(report.card)
      await vi.waitFor(
        async () => {
          await clinic.context.jobs.run('money.receipts')
          expect(good(await cashier.get(`/cash-desks/${idDesk}/state`)).waiting).toBe(0)
        },
        { timeout: 60_000, interval: 50 },
      )
      good(await cashier.post(`/cash-shifts/${idShift}/close`, { key: key(), counted: drawer / 100 }))
      await vi.waitFor(
        async () => {
          await clinic.context.jobs.run('money.receipts')
          const { kkt, crm } = good(await cashier.get(`/cash-shifts/${idShift}/report`))
          expect(kkt).toEqual(crm)
        },
        { timeout: 60_000, interval: 50 },
      )
    }),
    { numRuns: runs(3, 100), endOnFailure: true },
  )
})

it('pages an account of 5,000 lines, each with the debt at that time', async () => {
  const idCustomer = (await clinic.context.engine.for(systemActor).create(Customer, { surname: 'Многолетний' })).id
  const first = { key: key(), idCustomer, idOrganization, kind: 'charge', sum: 1, reason: 'Первая' }
  good(await cashier.post('/ledger/correct', first), 201)
  await clinic.db.query({
    text: `with t as (
        insert into ledger_txs ("key", "kind", "localDate")
        select 'many-' || n, 'charge', '2026-01-01' from generate_series(1, 4999) n returning "id"
      ), a as (select "id", "kind" from ledger_accounts where "kind" = 'patient' and "idCustomer" = $1
        union all (select "id", "kind" from ledger_accounts where "kind" = 'revenue' order by "id" limit 1))
      insert into ledger_entries ("idTx", "idAccount", "amount")
      select t."id", a."id", case a."kind" when 'patient' then 100 else -100 end from t, a`,
    values: [idCustomer],
  })
  await clinic.db.query({ text: 'analyze ledger_entries, ledger_txs, ledger_accounts' })
  const { lines, next, debt } = good(await cashier.get(`/customers/${idCustomer}/account`))
  expect([lines.length, debt, lines[0].balance]).toEqual([50, 5000, 5000])
  const older = good(await cashier.get(`/customers/${idCustomer}/account?before=${next}&limit=200`))
  expect([older.lines.length, older.lines[0].balance]).toEqual([200, 4950])
})
