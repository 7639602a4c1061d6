import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

let world: StockWorld
let keeper: Caller
let second: Caller
beforeAll(async () => {
  world = await stockWorld({
    prepare: async (app) => void (await addPerson(app, 'second', ['warehouseDashboard', 'viewAllWarehouses'])),
  })
  keeper = world.keeper
  second = world.clinic.as('second')
})
afterAll(() => world.clinic.close())

const at = (id: number, verb: string) => `/warehouse/documents/${id}/${verb}`
const sheet = async (id: number, who = keeper) => good(await who.get(at(id, 'sheet'))).items

it('counts in pieces and rubles, by several people, while the warehouse operates', async () => {
  const idProduct = await world.product({ nameService: 'Катетер' })
  await world.receive(idProduct, 20, 110)
  const id = await world.make({ kind: 'inventory', idFrom: world.main, blind: true })
  good(await keeper.post(at(id, 'count-start'), undefined))
  good(await keeper.post(at(id, 'count'), { idProduct, qty: 10 }))
  // Each counter has own lines: the counts add up.
  good(await second.post(at(id, 'count'), { idProduct, qty: 7 }))
  good(await second.post(at(id, 'count'), { idProduct, qty: 1, add: true }))
  expect(await sheet(id, second)).toMatchObject([{ book: null, fact: 18, mine: 8, counters: 2, difference: null }])
  // A move after the count changes neither side of the difference.
  const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 3 }])
  good(await keeper.post(at(issue, 'post'), {}))
  good(await keeper.post(at(id, 'check'), {}))
  expect(await sheet(id)).toMatchObject([{ book: 20, fact: 18, difference: -2, differenceCost: -220 }])
  expect((await second.post(at(id, 'post'), {})).status).toBe(403)
  good(await keeper.post(at(id, 'post'), {}))
  expect(await world.stock(idProduct)).toBe(15)
  const lines = good(await keeper.get(at(id, 'lines'))).items
  expect(lines).toMatchObject([{ side: 'out', qty: 2, book: 20, fact: 18, sum: 220 }])
  await world.agree()
})

it('a move between the snapshot and the count is no difference', async () => {
  const idProduct = await world.product()
  await world.receive(idProduct, 10, 5)
  const id = await world.make({ kind: 'inventory', idFrom: world.main })
  good(await keeper.post(at(id, 'count-start'), undefined))
  const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 4 }])
  good(await keeper.post(at(issue, 'post'), {}))
  good(await keeper.post(at(id, 'count'), { idProduct, qty: 6 }))
  const mine = (await sheet(id)).find((row: { idProduct: number }) => row.idProduct === idProduct)
  expect(mine).toMatchObject({ book: 6, fact: 6, difference: 0 })
  good(await keeper.post(at(id, 'unpost'), {}))
})

it('uncounted lines are reported, only a recount counts, and unknown goods become a surplus', async () => {
  const group = good(
    await keeper.post('/services-groups', { nameServiceGroup: 'Считаем', servicesGroupsType: 1 }),
    201,
  ).id
  const [known, forgotten] = [
    await world.product({ idGroup: group }),
    await world.product({ idGroup: group, nameService: 'Забытый' }),
  ]
  const found = await world.product({ barcode: '2000000058177' })
  await world.receive(known, 5, 10)
  await world.receive(forgotten, 3, 10)
  const id = await world.make({ kind: 'inventory', idFrom: world.main, idGroup: group })
  good(await keeper.post(at(id, 'count-start'), undefined))
  good(await keeper.post(at(id, 'count-start'), undefined))
  good(await keeper.post(at(id, 'count'), { idProduct: known, qty: 50 }))
  good(await keeper.post(at(id, 'recount'), { idProducts: [known] }))
  expect((await sheet(id)).find((row: { idProduct: number }) => row.idProduct === known)).toMatchObject({
    fact: null,
    recount: true,
  })
  good(await keeper.post(at(id, 'count'), { idProduct: known, qty: 5 }))
  expect(good(await keeper.post(at(id, 'count'), { code: '2000000058177' })).count).toMatchObject({
    idProduct: found,
    qty: 1,
  })
  const asked = await keeper.post(at(id, 'check'), {})
  expect([asked.status, asked.body.code, asked.body.message]).toEqual([
    409,
    'uncounted',
    expect.stringContaining('Забытый'),
  ])
  good(await keeper.post(at(id, 'check'), { uncounted: true }))
  good(await keeper.post(at(id, 'post'), {}))
  expect([await world.stock(known), await world.stock(forgotten), await world.stock(found)]).toEqual([5, 0, 1])
  expect((await keeper.post(at(id, 'count'), { idProduct: known, qty: 1 })).status).toBe(409)
  await world.agree()
})
