/** Offset of an advance when its service is given, with a process killed between any two of its steps: done once. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type Deaths, deathsIn } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { booksOf } from '#testing/ledgerChecks.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

let clinic: Clinic
let deaths: Deaths
let books: ReturnType<typeof booksOf>
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
  deaths = await deathsIn(clinic)
  books = booksOf(clinic)
})
afterAll(() => clinic.close())

/** A visit with one service of 1000 ₽, prepaid with 500 extra. */
async function paidAhead() {
  const desk = await billing(keeper, worlds, idOrganization)
  const visit = await desk.visit([1])
  const [line] = visit.lines as [number]
  const payment = good(await desk.take(visit.idCustomer, 1500, { lines: [{ idCouponService: line, sum: 1000 }] }))
  await books.printed()
  const stateOf = async () =>
    (await desk.receipts(payment.id)).map(({ kind, task }: any) => [kind, task.items.map((one: any) => one.settlement)])
  return { ...desk, ...visit, line, stateOf }
}
const settled = [
  ['sell', ['fullPrepayment', 'advance']],
  ['sell', ['fullPayment']],
]

it('when the service is done', async () => {
  const died = await deaths.each(async (dying) => {
    const one = await paidAhead()
    const give = () => one.done(one.line)
    await dying(give)
    good(await give(), 204)
    good(await give(), 204)
    await books.printed()
    expect(await one.owes(one.idCustomer)).toEqual([0, 500])
    expect(await one.stateOf()).toEqual(settled)
    expect(await books.of(one.idDesk)).toEqual({ drawer: 1500, card: 0, printed: ['openShift', 'sell', 'sell'] })
  })
  expect(died).toBeGreaterThan(6)
})

it('when the next shift is opened, for work done after the previous one', async () => {
  const died = await deaths.each(async (dying) => {
    const one = await paidAhead()
    good(await keeper.post(`/cash-shifts/${one.idShift}/close`, { key: one.key(), counted: 1500 }))
    good(await one.done(one.line), 204)
    await books.printed()
    expect(await one.stateOf()).toEqual(settled.slice(0, 1))
    const body = { key: one.key(), idDesk: one.idDesk }
    const open = () => keeper.post('/cash-shifts/open', body)
    await dying(open)
    const { id } = good(await open(), 201)
    expect(good(await open(), 201).id).toBe(id)
    await books.printed()
    expect(await one.owes(one.idCustomer)).toEqual([0, 500])
    expect(await one.stateOf()).toEqual(settled)
    expect(await books.of(one.idDesk)).toEqual({
      drawer: 1500,
      card: 0,
      printed: ['openShift', 'sell', 'closeShift', 'openShift', 'sell'],
    })
  })
  expect(died).toBeGreaterThan(8)
})

it('when the service is taken back: the money is an advance again', async () => {
  const died = await deaths.each(async (dying) => {
    const one = await paidAhead()
    good(await one.done(one.line), 204)
    await books.printed()
    const refuse = () => one.refuse(one.line)
    await dying(refuse)
    good(await refuse(), 204)
    await books.printed()
    expect(await one.owes(one.idCustomer)).toEqual([0, 1500])
    expect((await books.of(one.idDesk)).drawer).toBe(1500)
  })
  expect(died).toBeGreaterThan(1)
})
