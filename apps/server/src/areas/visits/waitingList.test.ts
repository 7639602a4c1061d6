import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let desk: Caller
let idDesk: number
let worlds: ReturnType<typeof worldOf>
const DAY = dayAfter(30)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      ;({ id: idDesk } = await addPerson(
        app,
        'desk',
        registryRights.filter((right) => right !== 'viewAllAppointments'),
      ))
    },
  })
  keeper = clinic.as('keeper')
  desk = clinic.as('desk')
  await Promise.all([keeper.token(), desk.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

/** A doctor with half-hours from nine to twelve, the first one taken, and its waiting list. */
async function made() {
  const world = await worlds.make()
  const [idUser] = world.idDoctors as [number]
  await worlds.post('filials/desks', { idFilial: world.idFilial, idUser: idDesk })
  const waits = async (more: object = {}) => {
    const idCustomer = await worlds.patient()
    const { idFilial, idService } = world
    return good(await desk.post('/waiting-list', { idCustomer, idFilial, idService, ...more }), 201)
  }
  const time = { idUser, localDate: DAY, localStart: '10:00' }
  const offer = (id: number, by = desk) => by.post(`/waiting-list/${id}/offer`, time)
  const answer = (id: number, accepted: boolean, by = desk) =>
    by.post(`/waiting-list/offers/${id}/answer`, { accepted })
  const matches = async (by = desk) =>
    good(
      await by.get(
        `/waiting-list/matches?idFilial=${world.idFilial}&idUser=${idUser}&date=${DAY}&start=10:00&minutes=30`,
      ),
    ) as { items: { id: number; idCustomer: number; reasons: string[] }[]; unfit: { id: number; reason: string }[] }
  const status = async (id: number) => good(await desk.get(`/waiting-list/${id}`)).status
  return { ...world, idUser, waits, offer, answer, matches, status }
}

describe('a freed time', () => {
  it('notifies the desk with matching entries, in order and with the reason, and why others do not match', async () => {
    const { book, waits, matches, idFilial } = await made()
    const visit = good(await book('10:00'), 201)
    const [late, soon, other] = [await waits(), await waits({ urgency: 2 }), await waits({ clockFrom: '15:00' })]
    good(await keeper.post(`/appointments/${visit.id}/status`, { status: 'cancelled', cancelReason: 'ill' }))
    const { items } = good(await desk.get('/notifications?filter[kind]=waitingList.freed&sort=-id&limit=1'))
    expect(items[0]).toMatchObject({
      title: 'Освободилось время',
      text: expect.stringMatching(/подходит 2\sпациентам из листа ожидания/),
      link: expect.stringContaining(`filial=${idFilial}`),
    })
    const found = await matches()
    expect(found.items.map(({ id, idCustomer }) => [id, idCustomer])).toEqual([
      [soon.id, soon.idCustomer],
      [late.id, late.idCustomer],
    ])
    expect(found.items[0]?.reasons).toEqual(['срочно', 'займёт всё время', 'ждёт с сегодняшнего дня'])
    expect(found.unfit).toMatchObject([{ id: other.id, reason: 'Не может в это время' }])
  })

  it('is reported after a move too, and not without waiting entries', async () => {
    const { book, waits } = await made()
    const count = async () =>
      good(await desk.get('/notifications?filter[kind]=waitingList.freed&count=1'))._meta.totalCount
    const before = await count()
    const visit = good(await book('10:00'), 201)
    const move = (localStart: string) => keeper.post(`/appointments/${visit.id}/move`, { localDate: DAY, localStart })
    good(await move('10:30'))
    expect(await count()).toBe(before)
    await waits()
    good(await move('11:00'))
    expect(await count()).toBe(before + 1)
  })
})

describe('an offer', () => {
  it('holds the time, is booked when accepted, and closes the waiting entry', async () => {
    const { waits, offer, answer, book, idFilial, status, matches } = await made()
    const entry = await waits()
    const offered = good(await offer(entry.id), 201)
    expect(offered).toMatchObject({ answer: 'pending', localStart: '10:00', minutes: 30 })
    expect(await status(entry.id)).toBe('offered')
    // No one else can take it, nor the employee who offered it.
    for (const by of [keeper, desk]) expect((await book('10:00', {}, {}, by)).status).toBe(409)
    const { holds } = good(await desk.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
    expect(holds).toMatchObject([{ localStart: '10:00', mine: false, author: null }])
    expect((await matches()).items).toEqual([])
    expect((await desk.delete(`/waiting-list/${entry.id}`)).status).toBe(409)
    expect(good(await answer(offered.id, true)).answer).toBe('accepted')
    const booked = good(await desk.get(`/waiting-list/${entry.id}?expand=appointment`))
    expect(booked).toMatchObject({ status: 'booked', appointment: { localStart: '10:00', visitStatus: 'booked' } })
    expect((await answer(offered.id, true)).status).toBe(409)
  })

  it('that is declined, or expires, releases the time to the next entry and is not repeated', async () => {
    const { waits, offer, answer, matches, status, idUser } = await made()
    const [one, two] = [await waits(), await waits()]
    const refused = good(await offer(one.id), 201)
    expect((await offer(two.id)).status).toBe(409)
    good(await answer(refused.id, false))
    expect(await status(one.id)).toBe('waiting')
    const after = await matches()
    expect(after.items.map(({ id }) => id)).toEqual([two.id])
    expect(after.unfit).toMatchObject([{ id: one.id, reason: 'Уже отказался от этого времени' }])
    const silent = good(await offer(two.id), 201)
    await clinic.db.query({
      text: `update waiting_list_offers set "expiresAt" = now() - interval '1 second' where "id" = $1`,
      values: [silent.id],
    })
    await clinic.context.jobs.run('visits.offers')
    expect(await status(two.id)).toBe('waiting')
    expect((await answer(silent.id, true)).status).toBe(409)
    const [taken] = await clinic.db.query<{ count: number }>({
      text: 'select count(*)::int as count from visit_occupancy where "resource" = $1',
      values: [idUser],
    })
    expect(taken?.count).toBe(0)
  })

  it('is accepted once, under concurrent requests', async () => {
    const { waits, offer, answer, idDoctors } = await made()
    const entry = await waits()
    const offers = await Promise.all([offer(entry.id), offer(entry.id, keeper)])
    expect(offers.map(({ status }) => status).sort()).toEqual([201, 409])
    const id: number = offers.find(({ status }) => status === 201)?.body.id
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => answer(id, true, at % 2 ? desk : keeper)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    const [taken] = await clinic.db.query<{ visits: number; lines: number }>({
      text: `select (select count(*) from coupons where "idUser" = any ($1))::int as visits,
        (select count(*) from visit_occupancy where "resource" = any ($1))::int as lines`,
      values: [idDoctors],
    })
    expect(taken).toEqual({ visits: 1, lines: 1 })
  })
})

it('a waiting patient can be booked the ordinary way, which closes the entry', async () => {
  const { waits, book, status } = await made()
  const entry = await waits()
  good(await book('11:00', { idCustomer: entry.idCustomer }), 201)
  expect(await status(entry.id)).toBe('booked')
})

it('the list is visible to the desk of its branch, and to the author of an entry', async () => {
  const here = await made()
  const there = await worlds.make()
  const strange = good(
    await keeper.post('/waiting-list', {
      idCustomer: await worlds.patient(),
      idFilial: there.idFilial,
      idService: there.idService,
    }),
    201,
  )
  const own = await here.waits()
  const visibleTo = async (by: Caller) =>
    good(await by.get(`/waiting-list?filter[id][in]=${own.id},${strange.id}&sort=id`)).items.map(
      ({ id }: { id: number }) => id,
    )
  expect(await visibleTo(keeper)).toEqual([strange.id, own.id].sort((a, b) => a - b))
  expect(await visibleTo(desk)).toEqual([own.id])
  expect((await here.offer(strange.id)).status).toBe(404)
  const doctor = await worlds.doctor(['viewCalendar'])
  expect((await clinic.as(doctor.login).get('/waiting-list')).status).toBe(403)
})

it.each([
  [{ dateFrom: '2027-02-02', dateTo: '2027-02-01' }, 'dateTo', 'Последний день раньше первого'],
  [{ clockFrom: '12:00', clockTo: '12:00' }, 'clockTo', 'Конец должен быть позже начала'],
  [{ clockFrom: '25:00' }, 'clockFrom', 'Нужно время, например 09:30'],
])('an invalid window is refused at its field: %o', async (more, field, message) => {
  const { idFilial, idService } = await worlds.make()
  const body = { idCustomer: await worlds.patient(), idFilial, idService, ...more }
  const answer = await desk.post('/waiting-list', body)
  expect([answer.status, answer.body]).toEqual([422, [{ field, message }]])
})
