/**
 * Property test: any sequence of posts, unposts and back-dated documents, also concurrent, keeps stock equal to the sum
 * of moves.
 */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { closeDays } from './ledger.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

let world: StockWorld
beforeAll(async () => {
  world = await stockWorld()
})
afterAll(() => world.clinic.close())

interface Step {
  act: 'receipt' | 'issue' | 'transfer' | 'accept' | 'unpost' | 'writeOff' | 'close'
  good: number
  qty: number
  price: number
  daysAgo: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('receipt', 'receipt', 'issue', 'issue', 'transfer', 'accept', 'unpost', 'writeOff', 'close'),
  good: fc.nat(2),
  qty: fc.integer({ min: 1, max: 9_000 }),
  price: fc.integer({ min: 1, max: 99_999 }),
  daysAgo: fc.nat(80),
})
/** Steps of one group are sent concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 })

it('the books stay consistent after any documents, posts, unposts, back-dated ones and closes', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      const { keeper, main, room, idSupplier, day } = world
      const goods = [await world.product(), await world.product(), await world.product()]
      const posted: number[] = []
      const carry = async ({ act, good: which, qty: thousandths, price, daysAgo }: Step) => {
        const idProduct = goods[which] as number
        const qty = thousandths / 1000
        if (act === 'close') return void (await closeDays(world.clinic.db, 5))
        if (act === 'accept' || act === 'unpost') {
          const id = posted[price % Math.max(1, posted.length)]
          if (id === undefined) return
          const { status } = await keeper.post(`/warehouse/documents/${id}/${act}`, act === 'unpost' ? {} : undefined)
          expect([200, 409, 422]).toContain(status)
          return
        }
        const head = {
          receipt: { idTo: main, idSupplier },
          issue: { idFrom: main },
          transfer: { idFrom: main, idTo: room },
          writeOff: { idFrom: main, reason: 'Бой' },
        }[act]
        const id = await world.make({ kind: act, localDate: day(-daysAgo), ...head }, [
          { idProduct, qty, price: price / 100 },
          { idProduct, qty: 1, price: price / 100 },
        ])
        const answer = await keeper.post(`/warehouse/documents/${id}/post`, {})
        expect([200, 422]).toContain(answer.status)
        if (answer.status === 200) posted.push(id)
      }
      for (const group of all) await Promise.all(group.map(carry))
      await world.agree()
      // At any day the balance is the sum of moves, with and without closes.
      await closeDays(world.clinic.db, 5)
      const at = day(-40)
      const { items } = good(await keeper.get(`/warehouse/balance?from=${at}&to=${at}&limit=500`))
      const totals = new Map(
        items.map((one: { idProduct: number; closing: number; cost: number }) => [
          one.idProduct,
          [one.closing, one.cost],
        ]),
      )
      const summed = await world.clinic.db.query<{ id: number; qty: number; cost: number }>({
        text: `select "idProduct" as id, sum(qty)::float8 as qty, sum(cost)::float8 as cost from warehouse_moves
          where "localDate" <= $1 and "idProduct" = any ($2) group by 1`,
        values: [at, goods],
      })
      for (const { id, qty, cost } of summed) expect(totals.get(id) ?? [0, 0]).toEqual([qty, cost])
      // A turnover is the same, whatever was closed within its period.
      const [from, to] = [day(-60), day(-20)]
      const turns = good(await keeper.get(`/warehouse/balance?from=${from}&to=${to}&limit=500`)).items
      const moved = await world.clinic.db.query<{ id: number; came: number; went: number }>({
        text: `select "idProduct" as id, coalesce(sum(qty) filter (where (qty > 0) = ("idReverses" is null)), 0)::float8 as came,
            coalesce(-sum(qty) filter (where (qty < 0) = ("idReverses" is null)), 0)::float8 as went
          from warehouse_moves where "localDate" between $1 and $2 and "idProduct" = any ($3) group by 1`,
        values: [from, to, goods],
      })
      for (const { id, came, went } of moved)
        expect(turns.find((one: { idProduct: number }) => one.idProduct === id) ?? { came: 0, went: 0 }).toMatchObject({
          came,
          went,
        })
    }),
    { numRuns: runs(4, 100), endOnFailure: true },
  )
})
