/** The order of deals and the sums of columns under many moves of several people. */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
let clinic: Clinic
let callers: Caller[]

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const login of ['anna', 'boris', 'vera']) await addPerson(app, login, ['editSalesManagement', 'editFunnels'])
    },
  })
  callers = ['anna', 'boris', 'vera'].map((login) => clinic.as(login))
})
afterAll(() => clinic.close())

const anna = () => callers[0] as Caller

type Move =
  | { kind: 'put'; deal: number; stage: number }
  | { kind: 'move'; deal: number; stage: number; beside: number; side: 'before' | 'after' }
  | { kind: 'end'; deal: number; stage: number; at: 'first' | 'last' }
  | { kind: 'price'; deal: number; kopecks: number }

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), deal: fc.nat(99), stage: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      deal: fc.nat(99),
      stage: fc.nat(2),
      beside: fc.nat(99),
      side: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      deal: fc.nat(99),
      stage: fc.nat(2),
      at: fc.constantFrom('first' as const, 'last' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('price' as const), deal: fc.nat(99), kopecks: fc.nat(99_999_999_999) }),
  },
)

async function board(count: number) {
  const { id, stages } = await deals(anna()).funnel()
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await deals(anna()).deal(stages[i % 3])).id)
  return { id: id as number, stages: stages.slice(0, 3), ids }
}

const columns = (caller: Caller, stages: readonly number[]) =>
  Promise.all(stages.map((stage) => deals(caller).column(stage)))

/** Performs a move over HTTP; a neighbour in another stage is refused by 422 and changes nothing. */
async function play(caller: Caller, stages: readonly number[], ids: readonly number[], move: Move): Promise<number> {
  const id = ids[move.deal % ids.length] as number
  if (move.kind === 'price')
    return (await caller.put(`${S}/leads/${id}`, { price: Number((move.kopecks / 100).toFixed(2)) })).status
  const idStage = stages[move.stage] as number
  if (move.kind === 'put') return (await deals(caller).go(id, idStage)).status
  const place = move.kind === 'end' ? { at: move.at } : { [move.side]: ids[move.beside % ids.length] as number }
  return (await caller.post(`${S}/leads/${id}/move`, { ...place, to: { idStage } })).status
}

/** The same with plain lists. */
function model(lists: number[][], ids: readonly number[], move: Move): void {
  if (move.kind === 'price') return
  const id = ids[move.deal % ids.length] as number
  const from = lists.find((list) => list.includes(id)) as number[]
  const to = lists[move.stage] as number[]
  if (move.kind === 'put' && from === to) return
  const rest = to.filter((one) => one !== id)
  let at = 0
  if (move.kind === 'end' && move.at === 'last') at = rest.length
  if (move.kind === 'move') {
    const beside = rest.indexOf(ids[move.beside % ids.length] as number)
    if (beside < 0) return
    at = move.side === 'before' ? beside : beside + 1
  }
  from.splice(from.indexOf(id), 1)
  to.splice(at, 0, id)
}

it("one person's moves give the same result as plain lists", async () => {
  const { stages, ids } = await board(9)
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 20, maxLength: 60 }), async (moves) => {
      const lists = await columns(anna(), stages)
      for (const move of moves) {
        model(lists, ids, move)
        expect([200, 422]).toContain(await play(anna(), stages, ids, move))
      }
      expect(await columns(anna(), stages)).toEqual(lists)
    }),
    { numRuns: runs(5, 60) },
  )
})

it('thousands of concurrent moves by three people end in one order, and every sum equals its rows', async () => {
  const { id, stages, ids } = await board(24)
  const sample = fc.sample(anyMove, { numRuns: runs(600, 8_000), seed: 20_261_120 })
  await Promise.all(
    callers.map(async (caller, i) => {
      for (const move of sample.filter((_, n) => n % 3 === i))
        expect([200, 422]).toContain(await play(caller, stages, ids, move))
    }),
  )
  const orders = await Promise.all(callers.map((caller) => columns(caller, stages)))
  expect(orders[1]).toEqual(orders[0])
  expect(orders[2]).toEqual(orders[0])
  expect(orders[0]?.flat().sort((a, b) => a - b)).toEqual(ids)
  const ties = await clinic.db.query({
    text: 'select "idStage", "order" from sales_management_leads where id = any($1::bigint[]) group by 1, 2 having count(*) > 1',
    values: [ids],
  })
  expect(ties).toEqual([])

  const totals = good(await anna().get(`${S}/funnels/${id}/totals`))
  for (const { idStage, count, sum } of totals.items) {
    const rows = (await deals(anna()).list(`leads?filter[idStage]=${idStage}&limit=500&fields=price`)) as {
      price: number | null
    }[]
    expect([count, kopecks(sum)]).toEqual([rows.length, rows.reduce((all, row) => all + kopecks(row.price ?? 0), 0n)])
  }
  expect(kopecks(totals.sum)).toBe(
    totals.items.reduce((all: bigint, one: { sum: number }) => all + kopecks(one.sum), 0n),
  )

  // Each stay in a stage follows the one before, and the last one is the deal's current stage.
  const broken = await clinic.db.query({
    text: `select v."idLead" from sales_management_lead_visits v join sales_management_leads l on l.id = v."idLead"
      left join lateral (select n.* from sales_management_lead_visits n where n."idLead" = v."idLead" and n.id > v.id order by n.id limit 1) n on true
      where v."idLead" = any($1::bigint[]) and not case when n.id is null then v."dateEnd" is null and v."idStage" = l."idStage"
        else v."dateEnd" = n."dateStart" and v."idNext" = n."idStage" end`,
    values: [ids],
  })
  expect(broken).toEqual([])
})

const kopecks = (rubles: number): bigint => BigInt(Math.round(rubles * 100))

it('concurrently created and moved deals share no place', async () => {
  const { stages } = await board(0)
  const [from, to] = stages as [number, number]
  const apart = async (idStage: number) => {
    const found = await clinic.db.query<{ order: string }>({
      text: 'select "order" from sales_management_leads where "idStage" = $1 and not deleted',
      values: [idStage],
    })
    expect([found.length, new Set(found.map(({ order }) => order)).size]).toEqual([12, 12])
  }
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => deals(callers[n % 3] as Caller).deal(from)))
  await apart(from)
  await Promise.all(made.map(async ({ id }) => good(await deals(anna()).go(id, to))))
  await apart(to)
})
