/** Money of a month: the ledger, the payments, the cash desks and the report agree after any sequence of operations. */
import { moneyMethods } from '@ordinator/model/areas/money/methods'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let cashier: Caller
let accountant: Caller
let idOrganization: number

beforeAll(async () => {
  world = await cashWorld('Омск')
  ;({ clinic, one: cashier, idOrganization } = world)
  await addPerson(clinic.context, 'accountant', ['viewPaymentsReport', 'viewAllCashDesks'])
  accountant = clinic.as('accountant')
})
afterAll(() => clinic.close())

const key = () => world.key()

interface Step {
  act: 'take' | 'split' | 'sell' | 'redeem' | 'refund' | 'in' | 'out'
  method: (typeof moneyMethods)[number]
  kopecks: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('take', 'take', 'split', 'sell', 'redeem', 'refund', 'refund', 'in', 'out'),
  method: fc.constantFrom(...moneyMethods),
  kopecks: fc.integer({ min: 1, max: 900_00 }),
})
/** The month, and a day before and after it. */
const days = ['2024-01-31', '2024-02-01', '2024-02-17', '2024-02-29', '2024-03-01'] as const
const month = fc.tuple(...days.map(() => fc.array(step, { minLength: 1, maxLength: 6 })))
const [FROM, TO] = ['2024-02-01', '2024-02-29']

type Sums = Record<string, { taken: number; returned: number }>
const none = (): Sums => Object.fromEntries(moneyMethods.map((method) => [method, { taken: 0, returned: 0 }]))
const add = (sums: Sums, method: string, of: 'taken' | 'returned', kopecks: number) => {
  const one = sums[method]
  if (one) one[of] += kopecks
}
const kop = (rubles: number) => Math.round(rubles * 100)

it('the ledger, the payments, the shifts of the desks and the report agree', async () => {
  await fc.assert(
    fc.asyncProperty(month, async (all) => {
      const idDesk = await world.desk({ kktMode: 'none', terminalMode: 'none', refundLimit: 1_000_000 })
      const idCustomer = await world.patient()
      const debt = { key: key(), idCustomer, idOrganization, kind: 'charge', sum: 9_000, reason: 'Услуги' }
      good(await cashier.post('/ledger/correct', debt), 201)
      const made: { id: number; method: string }[] = []
      const numbers: string[] = []
      let drawer = 0
      for (const [at, steps] of all.entries()) {
        const { id: idShift } = good(await cashier.post('/cash-shifts/open', { key: key(), idDesk }), 201)
        const carry = async ({ act, method, kopecks }: Step) => {
          const sum = kopecks / 100
          const take = async (parts: object[], more: object = {}) => {
            const answer = await cashier.post('/payments/take', { key: key(), idDesk, idCustomer, parts, ...more })
            if (answer.status !== 422) made.push({ id: good(answer).id, method })
            return answer.status === 200
          }
          const number = `М-${key()}`
          const known = made[kopecks % Math.max(1, made.length)]
          if (act === 'take') await take([{ method, sum }])
          else if (act === 'split')
            await take([
              { method, sum },
              { method: method === 'cash' ? 'card' : 'cash', sum: 1 },
            ])
          else if (act === 'sell') {
            if (await take([{ method, sum }], { sells: { number, dateTo: '2999-12-31' } })) numbers.push(number)
          } else if (act === 'redeem') await take([{ method: 'certificate', certificate: numbers[0] ?? 'НЕТ', sum: 1 }])
          else if (act === 'refund' && known) {
            const parts = [{ method: known.method, sum: Math.min(sum, 5) }]
            await cashier.post(`/payments/${known.id}/refund`, { key: key(), parts, reason: 'Возврат' })
          } else if (act === 'in' || act === 'out')
            await cashier.post(`/cash-shifts/${idShift}/cash`, { key: key(), kind: act, sum, reason: 'Размен' })
        }
        for (const one of steps) await carry(one)
        drawer = good(await cashier.get(`/cash-shifts/${idShift}/report`)).drawer
        good(await cashier.post(`/cash-shifts/${idShift}/close`, { key: key(), counted: drawer }))
        // Made today; moved to a day of the month.
        await clinic.db.tx(async (tx) => {
          await tx.query({ text: 'alter table ledger_txs disable trigger ledger_txs_keep' })
          for (const table of ['payments', 'ledger_txs'])
            await tx.query({
              text: `update ${table} set "localDate" = $1 where "idShift" = $2`,
              values: [days[at], idShift],
            })
          await tx.query({
            text: 'update cash_shifts set "localDate" = $1 where "id" = $2',
            values: [days[at], idShift],
          })
          await tx.query({ text: 'alter table ledger_txs enable trigger ledger_txs_keep' })
        })
      }

      const [ledger, payments, shifts] = [none(), none(), none()]
      const entries = await clinic.db.query<{ kind: string; method: string; sum: number }>({
        text: `select t."kind", a."method", sum(e."amount")::float8 as sum from ledger_txs t
          join ledger_entries e on e."idTx" = t."id" join ledger_accounts a on a."id" = e."idAccount"
          where a."kind" = 'desk' and a."idDesk" = $1 and t."localDate" between $2 and $3 group by 1, 2`,
        values: [idDesk, FROM, TO],
      })
      for (const { kind, method, sum } of entries)
        if (kind === 'payment' || kind === 'refund')
          add(ledger, method, kind === 'payment' ? 'taken' : 'returned', Math.abs(sum))
      const period = `filter[idDesk]=${idDesk}&filter[localDate][gte]=${FROM}&filter[localDate][lte]=${TO}&limit=500`
      const list = good(await cashier.get(`/payments?${period}&filter[idStatus]=2&expand=parts`))
      for (const { kind, parts } of list.items)
        for (const { method, sum } of parts) add(payments, method, kind === 'payment' ? 'taken' : 'returned', kop(sum))
      let moved = 0
      for (const { id } of good(await cashier.get(`/cash-shifts?${period}`)).items) {
        const report = good(await cashier.get(`/cash-shifts/${id}/report`))
        moved += kop(report.cashIn) - kop(report.cashOut)
        for (const { method, taken, returned } of report.methods) {
          add(shifts, method, 'taken', kop(taken))
          add(shifts, method, 'returned', kop(returned))
        }
      }
      // The report of the month, from the rollup and from the facts.
      const reports: Sums[] = []
      const asked = `from=${FROM}&until=${TO}&is=desk:${idDesk}`
      for (const isCounted of [false, true]) {
        if (isCounted) await clinic.context.jobs.run('reports.rollup')
        const report = none()
        const { groups, total } = good(await accountant.get(`/reports/payments?${asked}&by=method`))
        for (const { key: of, values } of groups) {
          add(report, of[0], 'taken', kop(values.taken))
          add(report, of[0], 'returned', kop(values.returned))
        }
        const all = Object.values(report).reduce((sum, { taken, returned }) => sum + taken - returned, 0)
        expect(kop(total.values.paid)).toBe(all)
        reports.push(report)
      }
      expect(payments).toEqual(ledger)
      expect(shifts).toEqual(ledger)
      expect(reports).toEqual([ledger, ledger])
      const cash = entries.filter(({ method }) => method === 'cash').reduce((sum, one) => sum + one.sum, 0)
      expect(moved + (ledger.cash?.taken ?? 0) - (ledger.cash?.returned ?? 0)).toBe(cash)
      // The drawer holds the sum of all days.
      expect(good(await cashier.get(`/cash-desks/${idDesk}/state`)).drawer).toBe(drawer)
    }),
    { numRuns: runs(2, 40), endOnFailure: true },
  )
})
