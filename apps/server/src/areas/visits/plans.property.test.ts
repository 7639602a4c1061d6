/**
 * Property test: any sequence of bookings, completions, cancellations and restores of a plan, also concurrent, keeps
 * its sums.
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
      const plans = ['viewCustomerPlansReport', 'editPlans', 'discountPlans', 'agreePlans'] as const
      await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights, ...plans])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const item = fc
  .record({ qty: fc.integer({ min: 1, max: 5 }), price: fc.integer({ min: 1, max: 99_999 }), off: fc.nat() })
  .map(({ qty, price, off }) => ({ qty, price: price / 100, discount: (off % (qty * price + 1)) / 100 }))
const step = fc.record({
  act: fc.constantFrom('book', 'book', 'book', 'come', 'cancel', 'back', 'refuse', 'unrefuse', 'noMore', 'again'),
  at: fc.nat(20),
  qty: fc.integer({ min: 1, max: 3 }),
})
/** Steps of one group are sent concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 10 })

const cents = (rubles: number): number => Math.round(rubles * 100)

it('done and left equal the agreed sum, and no more than it is booked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 3 }), groups, async (items, all) => {
      const desk = await billing(keeper, worlds, idOrganization)
      const { idService } = desk
      // No price list is below the plan.
      good(await keeper.put(`/services/${idService}`, { priceService: 100_000 }))
      const idCustomer = await worlds.patient()
      const body = { name: 'Курс', idCustomer, idDoctor: desk.idUser, idFilial: desk.idFilial }
      const { id } = good(await keeper.post('/customer-plans', body), 201)
      const { id: idStage } = good(await keeper.post('/customer-plans/stages', { idPlan: id, name: 'Этап' }), 201)
      const ids: number[] = []
      for (const one of items)
        ids.push(good(await keeper.post('/customer-plans/items', { idStage, idService, ...one }), 201).id)
      const total = items.reduce((sum, { qty, price, discount }) => sum + qty * cents(price) - cents(discount), 0)
      expect(cents(good(await keeper.get(`/customer-plans/${id}`)).sum)).toBe(total)
      good(await keeper.post(`/customer-plans/${id}/agree`, {}))
      const visits: { id: number; line: number }[] = []
      const carry = async ({ act, at, qty }: { act: string; at: number; qty: number }) => {
        const idPlanItem = ids[at % ids.length] as number
        const visit = visits[at % Math.max(1, visits.length)]
        if (act === 'book') {
          const answer = await desk.book(idCustomer, [{ idService, qty, idPlanItem }])
          if (answer.status === 201) {
            const [line] = await desk.linesOf(answer.body.id)
            visits.push({ id: answer.body.id, line: line?.id as number })
          } else expect([409, 422]).toContain(answer.status)
          return
        }
        const cancel = (more: object) => keeper.post(`/customer-plans/items/${idPlanItem}/cancel`, more)
        if (act === 'noMore') await cancel({ reason: 'Не нужно' })
        else if (act === 'again') await cancel({ cancelled: false })
        else if (visit && act === 'come')
          for (const status of ['arrived', 'inProgress', 'completed']) await desk.to(visit.id, status)
        else if (visit && act === 'cancel') await desk.to(visit.id, 'cancelled', { cancelReason: 'ill' })
        else if (visit && act === 'back') await desk.to(visit.id, 'booked')
        else if (visit && act === 'refuse') {
          await desk.to(visit.id, 'arrived')
          await desk.refuse(visit.line)
        } else if (visit && act === 'unrefuse') await desk.done(visit.line)
      }
      for (const group of all) {
        const results = await Promise.allSettled(group.map(carry))
        expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
        const plan = good(await keeper.get(`/customer-plans/${id}`))
        expect(cents(plan.done) + cents(plan.left)).toBe(cents(plan.agreed))
        const known = good(await keeper.get(`/customer-plans/items?filter[stage.idPlan]=${id}&sort=id`)).items
        for (const [at, one] of known.entries()) {
          const { qty, price, discount } = items[at] as (typeof items)[number]
          const whole = qty * cents(price) - cents(discount)
          expect(one.qtyDone + one.qtyBooked).toBeLessThanOrEqual(qty)
          expect(cents(one.done)).toBeLessThanOrEqual(whole)
          if (one.qtyDone === qty) expect(cents(one.done)).toBe(whole)
        }
        // The charged sum equals the completed part.
        expect((await desk.owes(idCustomer))[0]).toBe(plan.done)
      }
    }),
    { numRuns: runs(4, 60) },
  )
})
