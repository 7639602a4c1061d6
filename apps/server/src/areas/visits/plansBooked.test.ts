import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { plusDays } from '@ordinator/model/zone'
import { describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { clinic, desk, keeper, of, openPlansClinic, plan, today, type Wanted, worlds } from './testing/plansClinic.ts'

openPlansClinic()

async function agreed(wanted: Wanted = {}) {
  const made = await plan(wanted)
  good(await keeper.post(`/customer-plans/${made.id}/agree`, {}))
  return made
}

const item = async (id: number) => good(await keeper.get(`/customer-plans/items/${id}`))
const book = (idCustomer: number, idPlanItem: number, qty = 1) =>
  desk.book(idCustomer, [{ idService: desk.idService, qty, idPlanItem }])
const visit = async (idCustomer: number, idPlanItem: number, qty = 1) => {
  const { id } = good(await book(idCustomer, idPlanItem, qty), 201)
  const [line] = await desk.linesOf(id)
  return { id: id as number, line: line as unknown as { id: number } & Record<string, unknown> }
}
const come = async (id: number) => {
  for (const status of ['arrived', 'inProgress', 'completed']) good(await desk.to(id, status))
}

describe('a booking from a plan', () => {
  it('uses the plan prices, is completed and paid with its visit, and adds up to the agreed sum', async () => {
    const made = await agreed({ items: [{ qty: 3, price: 333.34, discount: 0.02 }] })
    const [idItem] = made.items as [number]
    const first = await visit(made.idCustomer, idItem)
    expect(await item(idItem)).toMatchObject({ status: 'booked', qtyBooked: 1, qtyDone: 0 })
    expect(await of(made.id)).toMatchObject({ status: 'inWork', done: 0, left: 1000 })
    await come(first.id)
    good(await desk.take(made.idCustomer, 333.33))
    expect(await of(made.id)).toMatchObject({ done: 333.33, left: 666.67, paid: 333.33, lastVisit: today })
    const second = await visit(made.idCustomer, idItem, 2)
    expect(second.line).toMatchObject({ finalCost: 666.67, isFixed: true, idPlanItem: idItem })
    expect((await book(made.idCustomer, idItem)).status).toBe(409)
    await come(second.id)
    expect(await of(made.id)).toMatchObject({ status: 'done', done: 1000, left: 0 })
    expect(await item(idItem)).toMatchObject({ status: 'done', done: 1000, paid: 333.33 })
  })

  it('costs the lower of plan and list while the plan prices are valid, the list price afterwards', async () => {
    const { id: idService } = await worlds.post('services', {
      nameService: 'Массаж',
      priceService: 2000,
      anyPerformer: true,
    })
    const items = [{ idService, qty: 9 }]
    const made = await agreed({ items })
    const [idPlanItem] = made.items as [number]
    const costs = async () => {
      const { id } = good(await desk.book(made.idCustomer, [{ idService, idPlanItem }]), 201)
      const [line] = await desk.linesOf(id)
      return line?.finalCost
    }
    good(await keeper.put(`/services/${idService}`, { priceService: 2300 }))
    expect(await costs()).toBe(2000)
    good(await keeper.put(`/services/${idService}`, { priceService: 1800 }))
    expect(await costs()).toBe(1800)
    good(await keeper.put(`/services/${idService}`, { priceService: 2300 }))
    await clinic.context.engine.for(systemActor).update(TreatmentPlan, made.id, { validTo: plusDays(today, -1) })
    expect(await costs()).toBe(2300)
    // Each line counts its own part of the agreed sum.
    expect(await of(made.id)).toMatchObject({ agreed: 18_000, left: 18_000 })
  })

  it("costs the price valid on its visit's day when moved, and past the term is no longer fixed", async () => {
    const { id: idService } = await worlds.post('services', {
      nameService: 'Массаж спины',
      priceService: 2000,
      anyPerformer: true,
    })
    const made = await agreed({ items: [{ idService, qty: 2 }], plan: { validTo: plusDays(today, 2) } })
    good(await keeper.put(`/services/${idService}`, { priceService: 2300 }))
    const late = plusDays(today, 5)
    await worlds.shift(desk.idUser, desk.idFilial, { localDate: late, localFrom: '00:00', localTo: '24:00' })
    const { id } = good(await desk.book(made.idCustomer, [{ idService, idPlanItem: made.items[0] }]), 201)
    const moved = async (localDate: string) => {
      good(await keeper.post(`/appointments/${id}/move`, { localDate, localStart: '23:00' }))
      return (await desk.linesOf(id))[0]
    }
    const line = await moved(late)
    expect(line).toMatchObject({ finalCost: 2300, isFixed: false })
    expect((await keeper.put(`/coupon-services/${line?.id}`, { qty: 5 })).body).toMatchObject([{ field: 'qty' }])
    expect(await moved(today)).toMatchObject({ finalCost: 2000, isFixed: true })
  })

  it('an agreed price is not changed by discounts or by hand', async () => {
    const made = await agreed({ items: [{ qty: 2, discount: 200 }] })
    const discount = good(await keeper.post('/discounts', { name: 'Всем', kind: 'percent', value: 50 }), 201)
    good(await keeper.put(`/discounts/${discount.id}`, { status: 'active' }))
    const one = await visit(made.idCustomer, (made.items as [number])[0])
    const body = { idService: desk.idService, idPlanItem: made.items[0] }
    const { id } = good(await desk.book(made.idCustomer, [{ idService: desk.idService }, body]), 201)
    good(await keeper.put(`/discounts/${discount.id}`, { status: 'paused' }))
    expect(one.line).toMatchObject({ finalCost: 900, discount: 100 })
    expect((await desk.linesOf(id)).map(({ finalCost }) => finalCost)).toEqual([500, 900])
    expect((await keeper.put(`/coupon-services/${one.line.id}`, { price: 1 })).body).toMatchObject([{ field: 'price' }])
    const why = good(await keeper.get(`/appointments/${one.id}/price`)).lines
    expect(why).toMatchObject([{ base: 1000, final: 900, applied: [{ name: 'План лечения' }] }])
  })

  it('is only for the patient of an agreed plan, within the agreed quantity, also concurrently', async () => {
    const draft = await plan()
    expect((await book(draft.idCustomer, (draft.items as [number])[0])).body).toMatchObject([{ field: 'idPlanItem' }])
    const made = await agreed({ items: [{ qty: 2 }] })
    const [idItem] = made.items as [number]
    expect((await book(await worlds.patient(), idItem)).body).toMatchObject([{ field: 'idPlanItem' }])
    expect((await book(made.idCustomer, idItem, 3)).status).toBe(409)
    // With four doctors, so that only the plan limits the bookings.
    const place = await worlds.make({ doctors: 4 })
    const one = await agreed({ items: [{ idService: place.idService, qty: 2 }] })
    const services = [{ idService: place.idService, idPlanItem: one.items[0] }]
    const answers = await Promise.all(
      place.idDoctors.map((idUser) => place.book('09:00', { idCustomer: one.idCustomer }, { idUser, services })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(await item((one.items as [number])[0])).toMatchObject({ qtyBooked: 2, status: 'booked' })
  })

  it('is planned again when the visit is cancelled, and does not return to a taken place', async () => {
    const made = await agreed()
    const [idItem] = made.items as [number]
    const first = await visit(made.idCustomer, idItem)
    good(await desk.to(first.id, 'cancelled', { cancelReason: 'ill' }))
    expect(await item(idItem)).toMatchObject({ status: 'planned', qtyBooked: 0 })
    const second = await visit(made.idCustomer, idItem)
    expect((await desk.to(first.id, 'booked')).status).toBe(409)
    good(await desk.to(second.id, 'cancelled', { cancelReason: 'time' }))
    good(await desk.to(first.id, 'booked'))
    good(await desk.to(first.id, 'arrived'))
    good(await desk.refuse(first.line.id), 204)
    const third = await visit(made.idCustomer, idItem)
    expect((await desk.done(first.line.id)).status).toBe(409)
    good(await desk.to(third.id, 'cancelled', { cancelReason: 'time' }))
    good(await desk.done(first.line.id), 204)
    expect(await of(made.id)).toMatchObject({ status: 'done', done: 1000 })
  })
})

describe('a plan item no longer wanted', () => {
  it('is cancelled with a reason unless it is booked, and its completed part stays', async () => {
    const made = await agreed({ items: [{ qty: 2 }, {}] })
    const [twice, once] = made.items as [number, number]
    const { id } = await visit(made.idCustomer, twice)
    const cancel = (body: object = {}) => keeper.post(`/customer-plans/items/${twice}/cancel`, body)
    expect((await cancel({ reason: 'Не нужно' })).status).toBe(409)
    await come(id)
    expect((await cancel()).body).toMatchObject([{ field: 'reason' }])
    good(await cancel({ reason: 'Не нужно' }))
    expect(await of(made.id)).toMatchObject({ agreed: 2000, done: 1000, left: 1000 })
    expect((await book(made.idCustomer, twice)).body).toMatchObject([{ field: 'idPlanItem' }])
    const next = await visit(made.idCustomer, once)
    const no = () => keeper.post(`/customer-plans/${made.id}/refuse`, { reason: 'price' })
    expect((await no()).status).toBe(409)
    good(await desk.to(next.id, 'cancelled', { cancelReason: 'price' }))
    good(await no())
    expect(await of(made.id)).toMatchObject({ status: 'refused', agreed: 1000, done: 1000, left: 0 })
    expect((await keeper.post(`/customer-plans/${made.id}/reopen`, {})).status).toBe(409)
  })

  it('does not return with its visit or on its own', async () => {
    const made = await agreed({ items: [{ qty: 2 }, {}] })
    const [twice, once] = made.items as [number, number]
    const cancel = (id: number) => keeper.post(`/customer-plans/items/${id}/cancel`, { reason: 'Не нужно' })
    const away = await visit(made.idCustomer, twice)
    good(await desk.to(away.id, 'cancelled', { cancelReason: 'ill' }))
    const there = await visit(made.idCustomer, twice)
    good(await desk.to(there.id, 'arrived'))
    good(await desk.refuse(there.line.id), 204)
    good(await cancel(twice))
    expect((await desk.to(away.id, 'booked')).status).toBe(409)
    expect((await desk.done(there.line.id)).status).toBe(409)
    const other = await visit(made.idCustomer, once)
    good(await desk.to(other.id, 'cancelled', { cancelReason: 'ill' }))
    good(await keeper.post(`/customer-plans/${made.id}/refuse`, { reason: 'price' }))
    expect((await desk.to(other.id, 'booked')).status).toBe(409)
  })

  it('is sold as a package: its visits are paid by their shares, what is dropped is refunded and sold anew', async () => {
    const made = await agreed({ items: [{ qty: 3, discount: 1000 }, { qty: 1 }] })
    const [thrice, once] = made.items as [number, number]
    const quote = async () => good(await keeper.get(`/customer-plans/${made.id}/package`))
    expect(await quote()).toMatchObject({
      price: 3000,
      why: null,
      lines: [
        { qty: 3, sum: 2000 },
        { qty: 1, sum: 1000 },
      ],
    })
    const sell = (sum: number, idPlan = made.id) => desk.take(made.idCustomer, sum, { membership: { idPlan } })
    expect((await sell(2999)).status).toBe(422)
    const draft = await plan()
    expect((await sell(1000, draft.id)).body[0].message).toBe('Пакетом продают согласованный план')
    const both = await Promise.all([sell(3000), sell(3000)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    const sale = good(both.find(({ status }) => status === 200) as (typeof both)[0])
    const stateOf = async (id = sale.idMembership) => {
      const { state, used, reserved, rest, held } = good(await keeper.get(`/memberships/${id}`))
      return [state, used, reserved, rest, held]
    }
    expect(await stateOf()).toEqual(['active', 0, 0, 4, 3000])
    expect((await quote()).why).toContain('уже продан пакет')
    // A line of the plan is paid by the package, another service of the same kind is not.
    const first = await visit(made.idCustomer, thrice)
    expect(first.line).toMatchObject({ idMembership: sale.idMembership, finalCost: 666.67, isFixed: true })
    const other = await desk.visit([1], { idCustomer: made.idCustomer })
    expect((await desk.linesOf(other.id))[0]).toMatchObject({ idMembership: null, finalCost: 1000 })
    good(await desk.to(other.id, 'cancelled', { cancelReason: 'ill' }))
    await come(first.id)
    expect(await stateOf()).toEqual(['active', 1, 0, 3, 2333.33])
    expect(await desk.owes(made.idCustomer)).toEqual([0, 0])
    expect(await item(thrice)).toMatchObject({ qtyDone: 1, paid: 666.67 })
    // Moved to another day and cancelled: the place on the package comes back, the plan's price is kept.
    const second = await visit(made.idCustomer, thrice)
    good(await keeper.post(`/coupon-services/${second.line.id}/membership`, { idMembership: null }))
    expect((await desk.linesOf(second.id))[0]).toMatchObject({ idMembership: null, finalCost: 666.66, isFixed: true })
    good(await keeper.post(`/coupon-services/${second.line.id}/membership`, { idMembership: sale.idMembership }))
    expect(await stateOf()).toEqual(['active', 1, 1, 2, 2333.33])
    good(await desk.to(second.id, 'cancelled', { cancelReason: 'ill' }))
    expect(await stateOf()).toEqual(['active', 1, 0, 3, 2333.33])
    // A service is dropped from the plan: the rest is returned, and what is still planned is sold anew.
    good(await keeper.post(`/customer-plans/items/${once}/cancel`, { reason: 'Не нужна' }))
    expect(await stateOf()).toEqual(['active', 1, 0, 3, 2333.33])
    good(await desk.refund(sale.id, 2333.33))
    expect(await quote()).toMatchObject({ price: 1333.33, lines: [{ qty: 2, sum: 1333.33 }] })
    const again = good(await sell(1333.33))
    for (const _ of [1, 2]) await come((await visit(made.idCustomer, thrice)).id)
    expect(await stateOf(again.idMembership)).toEqual(['spent', 2, 0, 0, 0])
    expect(await of(made.id)).toMatchObject({ status: 'done', agreed: 2000, done: 2000, paid: 2000 })
    expect(await desk.owes(made.idCustomer)).toEqual([0, 0])
  })

  it('goes on under the kept card when its patient is merged: done, booked and left stay, with nothing beyond them', async () => {
    const made = await agreed({ items: [{ qty: 3, price: 500 }] })
    const [idItem] = made.items as [number]
    await come((await visit(made.idCustomer, idItem)).id)
    const ahead = await visit(made.idCustomer, idItem)
    const before = await of(made.id)
    expect(before).toMatchObject({ status: 'inWork', done: 500, left: 1000 })
    const kept = await worlds.patient()
    good(await keeper.post(`/customers/${kept}/merge`, { idMerged: made.idCustomer, take: [] }))
    const { done, left, agreed: sum, status } = before
    expect(await of(made.id)).toMatchObject({ idCustomer: kept, done, left, agreed: sum, status })
    const last = await visit(kept, idItem)
    expect(last.line).toMatchObject({ finalCost: 500, isFixed: true })
    expect((await book(kept, idItem)).status).toBe(409)
    for (const { id } of [ahead, last]) await come(id)
    expect(await of(made.id)).toMatchObject({ status: 'done', done: 1500, left: 0 })
    expect(await desk.owes(kept)).toEqual([1500, 0])
  })

  it('and old plans are reported with list-price sums', async () => {
    const idCustomer = await worlds.patient()
    const old = await agreed({ idCustomer, items: [{ qty: 2 }] })
    const fresh = await plan({ idCustomer })
    good(await keeper.post(`/customer-plans/${fresh.id}/offer`, {}))
    const { plan: other } = good(await keeper.post(`/customer-plans/${fresh.id}/copy`, {}), 201)
    good(await keeper.post(`/customer-plans/${other.id}/offer`, {}))
    const system = clinic.context.engine.for(systemActor).asSystem
    await system.update(TreatmentPlan, old.id, { dateAgreed: new Date(Date.now() - 60 * 86_400_000).toISOString() })
    const figures = async () => good(await keeper.get(`/customer-plans/figures?filter[idCustomer]=${idCustomer}`))
    expect(await figures()).toMatchObject({
      offered: { count: 3, sum: 4000 },
      agreed: { count: 1, sum: 2000 },
      left: 2000,
      overdue: 1,
    })
    good(await keeper.post(`/customer-plans/${fresh.id}/agree`, {}))
    // A variant that was not chosen does not count as a plan.
    expect(await figures()).toMatchObject({ offered: { count: 2, sum: 3000 }, agreed: { count: 2, sum: 3000 } })
    const late = good(await keeper.get(`/customer-plans?filter[idCustomer]=${idCustomer}&filter[overdue]=1`)).items
    expect(late.map(({ id }: { id: number }) => id)).toEqual([old.id])
    await visit(idCustomer, (old.items as [number])[0])
    expect((await of(old.id)).overdue).toBe(false)
    good(await keeper.put('/settings/common', { planOverdueDays: 0 }))
    expect((await figures()).overdue).toBe(0)
  })
})
