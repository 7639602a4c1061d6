/** Discounts of a visit: shown in advance, applied and counted with the given services, reversed with them. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { weekdayOf } from '@ordinator/model/hours'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let chief: Caller
let idOrganization: number
let idKeeper: number
let merger: Caller
const today = dayIn('Europe/Moscow', Date.now())

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      const rights = [...worldOf.rights, ...billing.rights, 'viewDiscounts', 'editDiscounts'] as const
      idKeeper = (await addPerson(app, 'keeper', rights)).id
      await addPerson(app, 'chief', ['viewDiscounts', 'approveDiscounts', 'viewCustomers', 'editAppointments'])
      await addPerson(app, 'merger', ['viewCustomers', 'editCustomers'])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  chief = clinic.as('chief')
  merger = clinic.as('merger')
  for (const caller of [keeper, chief, merger]) await caller.token()
})
afterAll(() => clinic.close())

let serial = 0
/** A separate branch, so that discounts of tests do not mix. */
const branch = () => billing(keeper, worldOf(clinic, keeper), idOrganization)
const discount = async (idFilial: number, more: object = {}): Promise<number> => {
  const body = { name: `Скидка ${++serial}`, kind: 'percent', value: 10, filials: [idFilial], ...more }
  const { id } = good(await keeper.post('/discounts', body), 201)
  good(await keeper.put(`/discounts/${id}`, { status: 'active' }))
  return id
}
const uses = async (id: number): Promise<number> => good(await keeper.get(`/discounts/${id}`)).uses
const price = async (id: number) => good(await keeper.get(`/appointments/${id}/price`))
const fault = ({ status, body }: { status: number; body: { field: string; message: string }[] }) => [
  status,
  body[0]?.field,
  body[0]?.message,
]

// Runs first: the clinic has no discounts yet.
it('created later do not change completed work', async () => {
  const desk = await branch()
  const before = await desk.visit([1, 2])
  good(await desk.done(before.lines[0] as number), 204)
  const [open, id] = [await desk.visit([1]), await discount(desk.idFilial)]
  expect((await price(open.id)).lines[0].final).toBe(900)
  const settled = { given: true, lines: [{ final: 1000, discount: 0, applied: [] }, { final: 2000 }] }
  expect(await price(before.id)).toMatchObject(settled)
  good(await desk.done(before.lines[1] as number), 204)
  expect(await price(before.id)).toMatchObject(settled)
  expect([await uses(id), await desk.owes(before.idCustomer)]).toEqual([0, [3000, 0]])
  good(await keeper.put(`/discounts/${id}`, { status: 'paused' }))
})

it('that began after the booking are asked and taken at the desk as the visit shows them', async () => {
  const desk = await branch()
  const { id, idCustomer, lines } = await desk.visit([1, 2])
  const later = await discount(desk.idFilial, { value: 15 })
  const shown = (await price(id)).lines.map(({ final }: { final: number }) => final)
  expect(shown).toEqual([850, 1700])
  const owed = await desk.owed(idCustomer, `?idAppointment=${id}`)
  expect([owed.owed, owed.lines.map(({ due }: { due: number }) => due)]).toEqual([2550, shown])
  const chosen = (sums: number[]) => lines.map((idCouponService, at) => ({ idCouponService, sum: sums[at] }))
  const old = await desk.take(idCustomer, 3000, { lines: chosen([1000, 2000]) })
  expect(fault(old)).toEqual([422, 'lines.0.sum', 'Больше, чем осталось заплатить за услугу'])
  good(await desk.take(idCustomer, 2550, { lines: chosen(shown) }))
  for (const line of lines) good(await desk.done(line), 204)
  expect(await desk.owes(idCustomer)).toEqual([0, 0])
  good(await keeper.put(`/discounts/${later}`, { status: 'paused' }))
})

it('are shown with reasons at booking, and counted once when a service is given', async () => {
  const desk = await branch()
  const id = await discount(desk.idFilial)
  const other = await discount(desk.idFilial, { gender: 'female' })
  const visit = await desk.visit([1, 2])
  expect((await desk.linesOf(visit.id)).map(({ finalCost }) => finalCost)).toEqual([900, 1800])
  const shown = await price(visit.id)
  expect(shown).toMatchObject({
    given: false,
    lines: [
      { base: 1000, discount: 100, final: 900, applied: [{ idDiscount: id, amount: 100, why: '10 %' }] },
      { base: 2000, discount: 200, final: 1800 },
    ],
  })
  expect(shown.lines[0].refused.map(({ idDiscount }: { idDiscount: number }) => idDiscount)).toEqual([other])
  expect(await uses(id)).toBe(0)
  good(await desk.done(visit.lines[0] as number), 204)
  expect([await uses(id), await desk.owes(visit.idCustomer)]).toEqual([1, [900, 0]])
  good(await desk.to(visit.id, 'inProgress'))
  good(await desk.to(visit.id, 'completed'))
  expect([await uses(id), await desk.owes(visit.idCustomer)]).toEqual([1, [2700, 0]])
  expect((await price(visit.id)).lines[1]).toMatchObject({ final: 1800, applied: [{ amount: 200, why: '10 %' }] })
  const kept = good(await keeper.get(`/discounts/uses?filter[idDiscount]=${id}`)).items
  expect(kept.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([100, 200])
  // After reopening nothing is given; without the cancelled line the other keeps its own discount.
  good(await desk.to(visit.id, 'inProgress'))
  expect([await uses(id), await desk.owes(visit.idCustomer)]).toEqual([0, [0, 0]])
  good(await desk.refuse(visit.lines[1] as number), 204)
  good(await desk.to(visit.id, 'completed'))
  expect([await uses(id), await desk.owes(visit.idCustomer)]).toEqual([1, [900, 0]])
})

it('change no price on a tariff without discounts, and apply again on one that has them', async () => {
  const desk = await branch()
  await discount(desk.idFilial)
  const costs = async () => {
    const { id } = await desk.visit([1])
    return [(await desk.linesOf(id))[0]?.finalCost, (await price(id)).lines[0].final]
  }
  expect(await costs()).toEqual([900, 900])
  good(await keeper.put('/settings/common', { tariff: 'basic' }))
  try {
    expect(await costs()).toEqual([1000, 1000])
  } finally {
    good(await keeper.put('/settings/common', { tariff: 'premium' }))
  }
  expect(await costs()).toEqual([900, 900])
})

it('of a first visit apply while it goes on, and not to the next', async () => {
  const desk = await branch()
  await discount(desk.idFilial, { onlyFirstVisit: true })
  const first = await desk.visit([1])
  good(await desk.to(first.id, 'inProgress'))
  good(await desk.to(first.id, 'completed'))
  expect(await desk.owes(first.idCustomer)).toEqual([900, 0])
  const next = await desk.visit([1], { idCustomer: first.idCustomer })
  expect((await desk.linesOf(next.id))[0]?.finalCost).toBe(1000)
})

it('by earlier payments follow the payments', async () => {
  const desk = await branch()
  await discount(desk.idFilial, { kind: 'accumulative', value: null, tiers: [{ fromSum: 500, percent: 5 }] })
  const { idCustomer, id } = await desk.visit([1])
  expect((await desk.linesOf(id))[0]?.finalCost).toBe(1000)
  const payment = good(await desk.take(idCustomer, 600))
  const next = await desk.visit([1], { idCustomer })
  expect((await desk.linesOf(next.id))[0]?.finalCost).toBe(950)
  good(await desk.refund(payment.id, 200))
  const last = await desk.visit([1], { idCustomer })
  expect((await desk.linesOf(last.id))[0]?.finalCost).toBe(1000)
})

it('by a code apply until it is used up, and return when the service is cancelled', async () => {
  const desk = await branch()
  const id = await discount(desk.idFilial, { kind: 'promo', value: 20 })
  const code = `КОД-${Date.now()}`
  good(await keeper.post('/discounts/promo-codes', { idDiscount: id, code, limit: 1 }), 201)
  const [one, two] = [await desk.visit([1]), await desk.visit([1])]
  const set = (visit: number, body: object) => keeper.post(`/appointments/${visit}/discounts`, body)
  expect(fault(await set(one.id, { code: 'НЕТ-ТАКОГО' }))).toEqual([422, 'code', 'Такого кода нет'])
  expect(good(await set(one.id, { code: ` ${code.toLowerCase()}` })).lines[0].final).toBe(800)
  expect(good(await set(two.id, { code })).lines[0].final).toBe(800)
  good(await desk.done(one.lines[0] as number), 204)
  // The code is used up: the other visit proceeds without it.
  good(await desk.done(two.lines[0] as number), 204)
  expect([await desk.owes(one.idCustomer), await desk.owes(two.idCustomer)]).toEqual([
    [800, 0],
    [1000, 0],
  ])
  good(await desk.refuse(one.lines[0] as number), 204)
  expect(await uses(id)).toBe(0)
  const third = await desk.visit([1])
  expect(good(await set(third.id, { code })).lines[0].final).toBe(800)
})

it('by hand are limited by the user, and need approval above the limit', async () => {
  const desk = await branch()
  const visit = await desk.visit([1])
  const set = (body: object, by = keeper) => by.post(`/appointments/${visit.id}/discounts`, body)
  const manual = { unit: 'percent', value: 15, reason: 'Ждал час' }
  expect(fault(await set({ manual }))).toEqual([
    422,
    'manual',
    'Выше вашего предела: нужно согласование другого сотрудника',
  ])
  expect(fault(await set({ manual: { ...manual, reason: '' } }))[1]).toBe('manual.reason')
  expect((await desk.linesOf(visit.id))[0]?.discount).toBe(0)
  const role = good(await keeper.post('/roles', { name: `Касса ${Date.now()}`, maxDiscount: 10 }), 201)
  good(await keeper.post('/user-roles', { idUser: idKeeper, idRole: role.id }), 201)
  // What is being typed is priced, and nothing of it is kept.
  expect(good(await set({ manual: { ...manual, value: 5 }, dryRun: true })).lines[0]).toMatchObject({ final: 950 })
  expect(await price(visit.id)).toMatchObject({ manual: null, lines: [{ final: 1000 }] })
  expect(good(await set({ manual: { ...manual, value: 10 } })).lines[0]).toMatchObject({
    final: 900,
    applied: [{ idDiscount: null, name: 'Скидка вручную', why: 'Ждал час' }],
  })
  expect((await set({ manual })).status).toBe(422)
  expect((await price(visit.id)).limit).toBe(10)
  const question = { amount: 150, reason: 'Ждал час', idCustomer: visit.idCustomer }
  const asked = good(await keeper.post('/discounts/approvals', question), 201)
  good(await chief.post(`/discounts/approvals/${asked.id}/decide`, { agree: true }))
  expect(good(await set({ manual, approvals: [asked.id] })).lines[0].final).toBe(850)
  good(await desk.done(visit.lines[0] as number), 204)
  expect(await desk.owes(visit.idCustomer)).toEqual([850, 0])
  // An approval covers the discount: reversed and applied again, it is the same approval.
  good(await desk.done(visit.lines[0] as number, false), 204)
  good(await desk.done(visit.lines[0] as number), 204)
  expect(await desk.owes(visit.idCustomer)).toEqual([850, 0])
  // The patient's timeline names the visit with its state, its service and its doctor.
  const { items } = good(await keeper.get(`/customers/${visit.idCustomer}/thread`))
  const lines = items as { kind: string; title: string; link: string }[]
  expect(lines.find(({ kind }) => kind === 'visits')).toMatchObject({
    title: expect.stringMatching(/^[А-Яа-яё ]+: \S/),
    link: expect.stringContaining(`visit=${visit.id}`),
  })
  // Without access to visits nothing can be changed.
  expect((await set({ code: null }, chief)).status).toBe(403)
  expect(good(await set({ manual: null })).lines[0].final).toBe(1000)
})

it('requested with a visit are shown to approvers, and apply at once when approved', async () => {
  const desk = await branch()
  const visit = await desk.visit([1])
  const question = { idAppointment: visit.id, unit: 'percent', value: 30, amount: 300, reason: 'Ждал два часа' }
  const asked = good(await keeper.post('/discounts/approvals', question), 201)
  expect(asked).toMatchObject({ idCustomer: visit.idCustomer, status: 'asked' })
  const notices = async (who: Caller) =>
    good(await who.get(`/notifications?filter[path]=discounts/approvals&filter[idEntity]=${asked.id}`)).items
  expect(await notices(chief)).toMatchObject([
    { kind: 'discountApproval.asked', link: `/discounts/approvals?decide=${asked.id}`, text: 'Ждал два часа' },
  ])
  expect((await price(visit.id)).lines[0].final).toBe(1000)
  good(await chief.post(`/discounts/approvals/${asked.id}/decide`, { agree: true }))
  expect(await price(visit.id)).toMatchObject({ manual: { unit: 'percent', value: 30 }, lines: [{ final: 700 }] })
  expect(await notices(keeper)).toMatchObject([{ kind: 'discountApproval.decided' }])
  // A refusal changes nothing, and gives a reason.
  const other = await desk.visit([1])
  const refused = good(await keeper.post('/discounts/approvals', { ...question, idAppointment: other.id }), 201)
  good(await chief.post(`/discounts/approvals/${refused.id}/decide`, { agree: false, answer: 'Много' }))
  expect((await price(other.id)).lines[0].final).toBe(1000)
  // A visit that is over accepts one until it is paid; afterwards the approval stays unused.
  const late = good(await keeper.post('/discounts/approvals', { ...question, idAppointment: other.id }), 201)
  good(await desk.done(other.lines[0] as number), 204)
  good(await desk.to(other.id, 'inProgress'))
  good(await desk.to(other.id, 'completed'))
  good(await chief.post(`/discounts/approvals/${late.id}/decide`, { agree: true }))
  expect((await price(other.id)).lines[0].final).toBe(700)
  expect(await desk.owes(other.idCustomer)).toEqual([700, 0])
  const more = { ...question, idAppointment: other.id, value: 50, amount: 500 }
  const after = good(await keeper.post('/discounts/approvals', more), 201)
  good(await desk.take(other.idCustomer, 700))
  good(await chief.post(`/discounts/approvals/${after.id}/decide`, { agree: true }))
  expect((await price(other.id)).lines[0].final).toBe(700)
  const refused409 = await keeper.post(`/appointments/${other.id}/discounts`, { manual: null })
  expect([refused409.status, refused409.body.message]).toEqual([
    409,
    'Визит завершён и оплачен: чтобы изменить скидки, возобновите его',
  ])
  expect(fault(await keeper.post('/discounts/approvals', { ...question, value: 120 }))[1]).toBe('value')
})

it('an approval is for one visit: another goes without it, and a third is refused', async () => {
  const desk = await branch()
  const first = await desk.visit([1])
  const { idCustomer } = first
  const [second, third] = [await desk.visit([1], { idCustomer }), await desk.visit([1], { idCustomer })]
  const asked = good(await keeper.post('/discounts/approvals', { amount: 500, reason: 'Ждал день', idCustomer }), 201)
  good(await chief.post(`/discounts/approvals/${asked.id}/decide`, { agree: true }))
  const body = { manual: { unit: 'percent', value: 50, reason: 'Ждал день' }, approvals: [asked.id] }
  const set = (visit: { id: number }) => keeper.post(`/appointments/${visit.id}/discounts`, body)
  for (const visit of [first, second]) expect(good(await set(visit)).lines[0].final).toBe(500)
  await Promise.all([first, second].map(({ lines }) => desk.done(lines[0] as number).then((one) => good(one, 204))))
  expect(await desk.owes(idCustomer)).toEqual([1500, 0])
  expect(fault(await set(third)).slice(0, 2)).toEqual([422, 'approvals'])
  // Terms of one visit do not apply to another.
  expect(await price(third.id)).toMatchObject({ code: null, manual: null, lines: [{ final: 1000 }] })
})

describe('quoted at the booking', () => {
  /** A visit of today that is booked with a discount of half the price, and not yet begun. */
  async function promised(more: object = {}) {
    const desk = await branch()
    const id = await discount(desk.idFilial, { value: 50, ...more })
    const visit = await desk.visit([1])
    const priced = async () => {
      const [line] = (await price(visit.id)).lines
      return [line.final, line.isPromised]
    }
    expect(await priced()).toEqual([500, false])
    return { desk, id, visit, priced }
  }

  it.each([
    ['paused', (id: number) => keeper.put(`/discounts/${id}`, { status: 'paused' })],
    ['made smaller', (id: number) => keeper.put(`/discounts/${id}`, { value: 5 })],
    ['turned to other services', (id: number) => keeper.put(`/discounts/${id}`, { category: 'products' })],
    ['kept for others', (id: number) => keeper.put(`/discounts/${id}`, { tags: ['vip'] })],
    ['archived', (id: number) => keeper.put(`/discounts/${id}`, { status: 'archived' })],
  ])('holds when the discount is %s, is shown as promised, and is charged', async (_, change) => {
    const { desk, id, visit, priced } = await promised()
    const { status } = await change(id)
    expect(status).toBe(200)
    expect(await priced()).toEqual([500, true])
    expect((await price(visit.id)).lines[0].applied[0].why).toBe('50 %, обещано при записи')
    good(await desk.to(visit.id, 'inProgress'))
    good(await desk.to(visit.id, 'completed'))
    expect(await desk.owes(visit.idCustomer)).toEqual([500, 0])
    expect(await priced()).toEqual([500, true])
    // Booked again, it costs what it costs today.
    const again = await desk.visit([1])
    expect((await price(again.id)).lines[0].final).toBeGreaterThan(500)
  })

  it('holds beside a smaller one of today, and a greater one replaces it', async () => {
    const { desk, id, priced } = await promised()
    good(await keeper.put(`/discounts/${id}`, { status: 'paused' }))
    await discount(desk.idFilial, { value: 20 })
    expect(await priced()).toEqual([500, true])
    await discount(desk.idFilial, { value: 70 })
    expect((await priced())[0]).toBeLessThan(500)
  })

  it('holds when the card is merged into one that has come before', async () => {
    const { desk, visit, priced } = await promised({ onlyFirstVisit: true })
    const regular = await desk.visit([1])
    good(await desk.to(regular.id, 'inProgress'))
    good(await desk.to(regular.id, 'completed'))
    good(await merger.post(`/customers/${regular.idCustomer}/merge`, { idMerged: visit.idCustomer, take: [] }))
    expect(await priced()).toEqual([500, true])
  })

  it('does not go along to a day on which the discount never was, and is there on its way back', async () => {
    const { visit, priced, desk, id } = await promised({ weekdays: [weekdayOf(today)] })
    const worlds = worldOf(clinic, keeper)
    await worlds.shift(desk.idUser, desk.idFilial, { localDate: dayAfter(1), localFrom: '08:00', localTo: '20:00' })
    good(await keeper.put(`/discounts/${id}`, { status: 'paused' }))
    good(await desk.to(visit.id, 'booked'))
    good(await keeper.post(`/appointments/${visit.id}/move`, { localDate: dayAfter(1), localStart: '10:00' }))
    expect(await priced()).toEqual([1000, false])
    good(await keeper.post(`/appointments/${visit.id}/move`, { localDate: today, localStart: '23:00' }))
    expect(await priced()).toEqual([500, true])
  })

  it('is taken back with a reason by an employee with the right, and not once it is given', async () => {
    const { desk, id, visit, priced } = await promised()
    good(await keeper.put(`/discounts/${id}`, { status: 'paused' }))
    const withdraw = (by: Caller, body: object) => by.post(`/appointments/${visit.id}/promise/withdraw`, body)
    expect((await withdraw(chief, { reason: 'Ошиблись' })).status).toBe(403)
    expect(fault(await withdraw(keeper, { reason: ' ' }))).toEqual([422, 'reason', 'Укажите причину'])
    expect(good(await withdraw(keeper, { reason: 'Назвали цену другой услуги' })).lines[0]).toMatchObject({
      final: 1000,
      isPromised: false,
      promise: 'Обещанная цена отозвана: Назвали цену другой услуги',
    })
    expect((await withdraw(keeper, { reason: 'Ещё раз' })).status).toBe(409)
    good(await desk.to(visit.id, 'inProgress'))
    good(await desk.to(visit.id, 'completed'))
    expect([await desk.owes(visit.idCustomer), await priced()]).toEqual([
      [1000, 0],
      [1000, false],
    ])
  })
})

it('shows the cost and its reasons before the booking, as the bill does after it', async () => {
  const { idFilial, idService, idDoctors, idCustomer, book, body } = await worldOf(clinic, keeper).make()
  await discount(idFilial, { name: 'Первый визит', value: 3, onlyFirstVisit: true })
  const { localDate } = body('10:00')
  const ask = (more: object) =>
    keeper.post('/appointments/estimate', {
      idCustomer,
      idFilial,
      localDate,
      localStart: '10:00',
      lines: [{ idService, idUser: idDoctors[0] }],
      ...more,
    })
  const expected = { base: 1000, final: 970, lines: [{ idService, applied: [{ name: 'Первый визит', amount: 30 }] }] }
  expect(good(await ask({}))).toMatchObject(expected)
  // A patient without a card is a first visit too.
  expect(good(await ask({ idCustomer: null }))).toMatchObject(expected)
  const { id } = good(await book('10:00'), 201)
  expect((await price(id)).lines).toMatchObject([{ base: 1000, final: 970 }])
  expect((await ask({ lines: [] })).status).toBe(422)
})
