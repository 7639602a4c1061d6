/** Treatment plans: access, fixed fields, agreement, booking and completion. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

const own = ['viewPlans', 'editPlans', 'viewCustomers', 'editCustomers'] as const
const today = dayIn('Europe/Moscow', Date.now())
let sms: SmsSimulator
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let desk: Awaited<ReturnType<typeof billing>>
let idOrganization = 0
const doctors: number[] = []

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url },
    async prepare(app) {
      await addPerson(app, 'keeper', [
        ...worldOf.rights,
        ...billing.rights,
        'viewCustomerPlansReport',
        'editPlans',
        'discountPlans',
        'agreePlans',
        'viewAccessLog',
        'viewDiscounts',
        'editDiscounts',
        'viewMemberships',
      ])
      for (const login of ['one', 'two']) doctors.push((await addPerson(app, login, own)).id)
      await addPerson(app, 'desk', ['viewPlans', 'agreePlans', 'viewCustomers'])
      await addPerson(app, 'stranger', ['viewCustomers'])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  desk = await billing(keeper, worlds, idOrganization)
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

interface Wanted {
  idCustomer?: number
  idFilial?: number
  by?: Caller
  idDoctor?: number
  items?: object[]
  plan?: object
}

/** A plan with one stage at the desk's branch; its service costs 1000 ₽ there. */
async function plan({ idCustomer, by = keeper, idDoctor = desk.idUser, items = [{}], plan: more = {} }: Wanted = {}) {
  const patient = idCustomer ?? (await worlds.patient())
  const body = { name: 'Курс', idCustomer: patient, idDoctor, idFilial: desk.idFilial, ...more }
  const { id } = good(await by.post('/customer-plans', body), 201)
  const stage = good(await by.post('/customer-plans/stages', { idPlan: id, name: 'Первый' }), 201)
  const ids: number[] = []
  for (const item of items) {
    const row = { idStage: stage.id, idService: desk.idService, ...item }
    ids.push(good(await by.post('/customer-plans/items', row), 201).id)
  }
  return { id: id as number, idCustomer: patient, idStage: stage.id as number, items: ids }
}
async function agreed(wanted: Wanted = {}) {
  const made = await plan(wanted)
  good(await keeper.post(`/customer-plans/${made.id}/agree`, {}))
  return made
}
const of = async (id: number, by = keeper) => good(await by.get(`/customer-plans/${id}`))
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

describe('rights', () => {
  it('a doctor sees own plans, the report right sees all; other plans are not found by any call', async () => {
    const idCustomer = await worlds.patient()
    const mine = await plan({ by: clinic.as('one'), idDoctor: doctors[0] as number, idCustomer })
    const doors = [
      `/customer-plans/${mine.id}`,
      `/customer-plans/stages/${mine.idStage}`,
      `/customer-plans/items/${mine.items[0]}`,
      `/customer-plans/${mine.id}/print`,
      `/customer-plans/${mine.id}/estimate`,
      `/customer-plans/${mine.id}/history`,
    ]
    for (const door of doors) {
      expect((await clinic.as('one').get(door)).status, door).toBe(200)
      expect((await keeper.get(door)).status, door).toBe(200)
      expect((await clinic.as('two').get(door)).status, door).toBe(404)
      expect((await clinic.as('stranger').get(door)).status, door).toBe(403)
    }
    const two = clinic.as('two')
    expect(good(await two.get(`/customer-plans?filter[idCustomer]=${idCustomer}&count=1`))._meta.totalCount).toBe(0)
    expect(good(await two.get(`/customer-plans/items?filter[stage.idPlan]=${mine.id}`)).items).toEqual([])
    expect(good(await two.get('/customer-plans/figures')).offered.count).toBe(0)
    expect((await two.get('/customer-plans/export?format=csv')).text).not.toContain('Курс')
    const thread = async (by: Caller) =>
      good(await by.get(`/customers/${idCustomer}/thread`)).items.filter(
        ({ kind }: { kind: string }) => kind === 'plans',
      )
    expect(await thread(two)).toEqual([])
    expect(await thread(clinic.as('one'))).toMatchObject([{ title: 'Курс' }])
    expect((await two.put(`/customer-plans/${mine.id}`, { name: 'Чужой' })).status).toBe(404)
    expect((await two.post(`/customer-plans/${mine.id}/offer`, {})).status).toBe(404)
  })

  it('the desk of the branch views and agrees, but does not edit; custom prices need a right', async () => {
    const made = await plan({ by: clinic.as('one'), idDoctor: doctors[0] as number })
    const one = clinic.as('one')
    expect((await clinic.as('desk').get(`/customer-plans/${made.id}`)).status).toBe(404)
    const idUser = (
      await clinic.db.query<{ id: number }>({ text: `select "id" from users where "login" = 'desk'`, values: [] })
    )[0]?.id
    good(await keeper.post('/filials/desks', { idFilial: desk.idFilial, idUser }), 201)
    expect((await clinic.as('desk').get(`/customer-plans/${made.id}`)).status).toBe(200)
    expect((await clinic.as('desk').put(`/customer-plans/${made.id}`, { name: 'Нет' })).status).toBe(403)
    const at = `/customer-plans/items/${made.items[0]}`
    expect((await one.put(at, { discount: 10 })).body).toMatchObject([{ field: 'discount' }])
    expect((await one.put(at, { price: 10 })).body).toMatchObject([{ field: 'price' }])
    good(await one.put(at, { qty: 2 }))
    expect((await one.post(`/customer-plans/${made.id}/agree`, {})).status).toBe(403)
    good(await clinic.as('desk').post(`/customer-plans/${made.id}/agree`, {}))
  })

  it('of a restricted card are hidden without a reason', async () => {
    const idCustomer = await worlds.patient()
    const made = await plan({ by: clinic.as('one'), idDoctor: doctors[0] as number, idCustomer })
    good(await keeper.put(`/customers/${idCustomer}`, { secretLevel: 'vip' }))
    for (const by of [clinic.as('one'), keeper])
      expect((await by.get(`/customer-plans/${made.id}`)).body).toMatchObject({ code: 'sealed' })
    good(await clinic.as('one').post(`/customers/${idCustomer}/open`, { reason: 'Приём' }), 204)
    expect((await clinic.as('one').get(`/customer-plans/${made.id}`)).status).toBe(200)
  })
})

describe('a draft', () => {
  it('takes the branch price, adds up to the kopeck and is not agreed without services', async () => {
    const made = await plan({ items: [{ qty: 3, discount: 0.02, price: 333.34 }, { qty: 2 }] })
    expect(await of(made.id)).toMatchObject({ status: 'draft', sum: 3000, agreed: 0, left: 0, stagesCount: 1 })
    expect((await keeper.put(`/customer-plans/items/${made.items[1]}`, { discount: 2000.01 })).body).toMatchObject([
      { field: 'discount' },
    ])
    const empty = await plan({ items: [] })
    expect((await keeper.post(`/customer-plans/${empty.id}/agree`, {})).status).toBe(409)
    good(await keeper.post(`/customer-plans/${made.id}/offer`, {}))
    expect((await of(made.id)).status).toBe('offered')
    good(await keeper.post(`/customer-plans/${made.id}/offer`, { offered: false }))
    expect((await keeper.delete(`/customer-plans/${made.id}`)).status).toBe(204)
  })

  it('is estimated with the discounts of today and their reasons, before and after', async () => {
    const made = await plan({ items: [{ qty: 2 }, { discount: 300 }] })
    const estimate = async () => good(await keeper.get(`/customer-plans/${made.id}/estimate`))
    expect(await estimate()).toMatchObject({ base: 3000, final: 3000, now: 2700 })
    const body = { name: 'Пенсионерам', kind: 'percent', value: 10, filials: [desk.idFilial] }
    const discount = good(await keeper.post('/discounts', body), 201)
    good(await keeper.put(`/discounts/${discount.id}`, { status: 'active' }))
    expect(await estimate()).toMatchObject({
      ...{ base: 3000, final: 2700, now: 2700 },
      lines: [
        { base: 2000, final: 1800, now: 2000, applied: [{ name: 'Пенсионерам', why: '10 %', amount: 200 }] },
        { base: 1000, final: 900, now: 700 },
      ],
    })
    good(await keeper.put(`/discounts/${discount.id}`, { status: 'paused' }))
  })

  it('is printed, and the print is recorded in the journal', async () => {
    const made = await plan({ items: Array.from({ length: 30 }, () => ({ qty: 2 })), plan: { note: 'Натощак' } })
    const pdf = await keeper.get(`/customer-plans/${made.id}/print`)
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    const lines = good(await keeper.get(`/access-log?idCustomer=${made.idCustomer}&limit=100`)).items
    expect(lines).toContainEqual(expect.objectContaining({ action: 'print', label: 'План лечения', idEntity: made.id }))
  })
})

describe('an agreement', () => {
  it('is refused with a future date or with expired prices', async () => {
    const day = today
    const [made, past] = [await plan(), await plan({ plan: { validTo: plusDays(day, -1) } })]
    const refused = async (id: number, body: object) => (await keeper.post(`/customer-plans/${id}/agree`, body)).body
    expect(await refused(made.id, { signedOn: plusDays(day, 1) })).toEqual([
      { field: 'signedOn', message: 'Этот день ещё не наступил' },
    ])
    expect(await refused(past.id, {})).toEqual([
      { field: 'validTo', message: 'Цены плана действовали раньше: укажите новый срок' },
    ])
    expect((await of(made.id)).status).toBe('draft')
    good(await keeper.post(`/customer-plans/${made.id}/agree`, { signedOn: plusDays(day, -3) }))
    good(await keeper.post(`/customer-plans/${past.id}/agree`, { signedOn: plusDays(day, -2) }))
    expect([(await of(made.id)).status, (await of(past.id)).status]).toEqual(['agreed', 'agreed'])
  })

  it('fixes services and prices; signing a plan that has changed meanwhile is refused', async () => {
    const made = await plan()
    const { _version } = await of(made.id)
    good(await keeper.put(`/customer-plans/items/${made.items[0]}`, { qty: 2 }))
    expect((await keeper.post(`/customer-plans/${made.id}/agree`, { _version })).status).toBe(409)
    good(await keeper.post(`/customer-plans/${made.id}/agree`, {}))
    expect(await of(made.id)).toMatchObject({ status: 'agreed', agreed: 2000, left: 2000, signMethod: 'paper' })
    expect((await keeper.put(`/customer-plans/items/${made.items[0]}`, { qty: 3 })).status).toBe(409)
    expect((await keeper.delete(`/customer-plans/items/${made.items[0]}`)).status).toBe(409)
    expect((await keeper.post('/customer-plans/stages', { idPlan: made.id, name: 'Ещё' })).status).toBe(409)
    expect((await keeper.put(`/customer-plans/stages/${made.idStage}`, { name: 'Иначе' })).status).toBe(409)
    good(await keeper.put(`/customer-plans/stages/${made.idStage}`, { plannedMonth: '2027-03-15' }))
    expect((await keeper.put(`/customer-plans/${made.id}`, { diagnosis: 'Иной' })).body).toMatchObject([
      { field: 'diagnosis' },
    ])
    good(await keeper.put(`/customer-plans/${made.id}`, { validTo: plusDays(today, 200) }))
    expect((await keeper.delete(`/customer-plans/${made.id}`)).status).toBe(409)
    expect(
      (await keeper.post(`/customer-plans`, { ...made, name: 'x', idDoctor: 1, dateAgreed: '2026-01-01' })).status,
    ).toBe(422)
  })

  it('is of one variant: the others are refused, and of two concurrent ones one succeeds', async () => {
    const first = await plan()
    const { plan: second } = good(await keeper.post(`/customer-plans/${first.id}/copy`, {}), 201)
    expect(second).toMatchObject({ idFirst: first.id, variant: 'Вариант Б', sum: 1000, status: 'draft' })
    expect((await of(first.id)).variant).toBe('Вариант А')
    const answers = await Promise.all([first.id, second.id].map((id) => keeper.post(`/customer-plans/${id}/agree`, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const both = await Promise.all([first.id, second.id].map((id) => of(id)))
    expect(both.map(({ status }) => status).sort()).toEqual(['agreed', 'refused'])
    const refused = both.find(({ status }) => status === 'refused')
    expect(refused?.refuseReason).toBe('variant')
    good(await keeper.post(`/customer-plans/${refused?.id}/reopen`, {}))
    expect((await keeper.post(`/customer-plans/${refused?.id}/agree`, {})).status).toBe(409)
  })

  it('is signed by a code for the plan at the time of sending', async () => {
    const { id: idCustomer } = good(
      await keeper.post('/customers', { surname: 'Кодова', name: 'Анна', phone: '+79120000321' }),
      201,
    )
    const made = await plan({ idCustomer })
    const codeOf = () => /Код подписи: (\d+)/.exec(sms.messages.at(-1)?.text ?? '')?.[1] ?? ''
    good(await keeper.post(`/customer-plans/${made.id}/code`, {}))
    const stale = codeOf()
    good(await keeper.put(`/customer-plans/items/${made.items[0]}`, { qty: 5 }))
    expect((await keeper.post(`/customer-plans/${made.id}/confirm`, { code: stale })).body).toMatchObject([
      { field: 'code' },
    ])
    good(await keeper.post(`/customer-plans/${made.id}/code`, {}))
    expect(good(await keeper.get(`/customer-plans/${made.id}/code`)).sent).toMatchObject({ triesLeft: 5 })
    const code = codeOf()
    expect(
      (await keeper.post(`/customer-plans/${made.id}/confirm`, { code: code === '111111' ? '2' : '111111' })).status,
    ).toBe(422)
    good(await keeper.post(`/customer-plans/${made.id}/confirm`, { code }))
    expect(await of(made.id)).toMatchObject({ status: 'agreed', signMethod: 'sms', agreed: 5000 })
  })

  it('of a child is signed by an authorized representative', async () => {
    const { id: idCustomer } = good(
      await keeper.post('/customers', { surname: 'Малых', name: 'Оля', birthday: '01.02.2020', phone: '+79120000322' }),
      201,
    )
    const made = await plan({ idCustomer })
    expect((await keeper.post(`/customer-plans/${made.id}/agree`, {})).body).toMatchObject([{ field: 'idRelation' }])
    const mother = good(
      await keeper.post('/customers/relations', { idCustomer, relation: 'mother', fio: 'Малых Ира', signs: 'yes' }),
      201,
    )
    const other = await plan()
    expect((await keeper.post(`/customer-plans/${other.id}/agree`, { idRelation: mother.id })).body).toMatchObject([
      { field: 'idRelation' },
    ])
    const signed = good(await keeper.post(`/customer-plans/${made.id}/agree`, { idRelation: mother.id }))
    expect(signed.representative).toMatchObject({ fio: 'Малых Ира' })
  })
})

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
    const seen = async (id = sale.idMembership) => {
      const { state, used, reserved, rest, held } = good(await keeper.get(`/memberships/${id}`))
      return [state, used, reserved, rest, held]
    }
    expect(await seen()).toEqual(['active', 0, 0, 4, 3000])
    expect((await quote()).why).toContain('уже продан пакет')
    // A line of the plan is paid by the package, another service of the same kind is not.
    const first = await visit(made.idCustomer, thrice)
    expect(first.line).toMatchObject({ idMembership: sale.idMembership, finalCost: 666.67, isFixed: true })
    const other = await desk.visit([1], { idCustomer: made.idCustomer })
    expect((await desk.linesOf(other.id))[0]).toMatchObject({ idMembership: null, finalCost: 1000 })
    good(await desk.to(other.id, 'cancelled', { cancelReason: 'ill' }))
    await come(first.id)
    expect(await seen()).toEqual(['active', 1, 0, 3, 2333.33])
    expect(await desk.owes(made.idCustomer)).toEqual([0, 0])
    expect(await item(thrice)).toMatchObject({ qtyDone: 1, paid: 666.67 })
    // Moved to another day and cancelled: the place on the package comes back, the plan's price is kept.
    const second = await visit(made.idCustomer, thrice)
    good(await keeper.post(`/coupon-services/${second.line.id}/membership`, { idMembership: null }))
    expect((await desk.linesOf(second.id))[0]).toMatchObject({ idMembership: null, finalCost: 666.66, isFixed: true })
    good(await keeper.post(`/coupon-services/${second.line.id}/membership`, { idMembership: sale.idMembership }))
    expect(await seen()).toEqual(['active', 1, 1, 2, 2333.33])
    good(await desk.to(second.id, 'cancelled', { cancelReason: 'ill' }))
    expect(await seen()).toEqual(['active', 1, 0, 3, 2333.33])
    // A service is dropped from the plan: the rest is returned, and what is still planned is sold anew.
    good(await keeper.post(`/customer-plans/items/${once}/cancel`, { reason: 'Не нужна' }))
    expect(await seen()).toEqual(['active', 1, 0, 3, 2333.33])
    good(await desk.refund(sale.id, 2333.33))
    expect(await quote()).toMatchObject({ price: 1333.33, lines: [{ qty: 2, sum: 1333.33 }] })
    const again = good(await sell(1333.33))
    for (const _ of [1, 2]) await come((await visit(made.idCustomer, thrice)).id)
    expect(await seen(again.idMembership)).toEqual(['spent', 2, 0, 0, 0])
    expect(await of(made.id)).toMatchObject({ status: 'done', agreed: 2000, done: 2000, paid: 2000 })
    expect(await desk.owes(made.idCustomer)).toEqual([0, 0])
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
