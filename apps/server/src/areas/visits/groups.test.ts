import type { Slot } from '@ordinator/model/areas/visits/calls'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let registry: Caller
let other: Caller
let worlds: ReturnType<typeof worldOf>
let serial = 0
const DAY = dayAfter(30)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      await addPerson(app, 'registry', registryRights)
      await addPerson(app, 'other', registryRights)
    },
  })
  keeper = clinic.as('keeper')
  registry = clinic.as('registry')
  other = clinic.as('other')
  await Promise.all([keeper.token(), registry.token(), other.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

/** A doctor with a half-hour group of this size. */
async function classOf(groupSize: number, more: Parameters<typeof worlds.make>[0] = {}) {
  const world = await worlds.make({ rooms: [{}], ...more })
  const { idFilial, idService, idDoctors } = world
  good(await keeper.put(`/services/${idService}`, { groupSize }))
  const patients: number[] = []
  const join = async (localStart: string, extra: object = {}, by = registry) => {
    const idCustomer = await worlds.patient()
    patients.push(idCustomer)
    return world.book(localStart, { idCustomer, ...extra }, {}, by)
  }
  const day = async () => good(await registry.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
  /** Start, taken places and size of each group. */
  const groups = async (): Promise<[string, number, number][]> =>
    (await day()).groups.map((one: { localStart: string; taken: number; capacity: number }) => [
      one.localStart,
      one.taken,
      one.capacity,
    ])
  const slots = async (by = registry, service = idService): Promise<Slot[]> =>
    good(await by.get(`/appointments/slots?idService=${service}&idFilial=${idFilial}&from=${DAY}&to=${DAY}&limit=100`))
      .items
  const cancel = (id: number) =>
    registry.post(`/appointments/${id}/status`, { status: 'cancelled', cancelReason: 'time' })
  const move = (id: number, localStart: string, body: object = {}) =>
    registry.post(`/appointments/${id}/move`, { localDate: DAY, localStart, ...body })
  /** Another service of the same doctor, for one patient at a time. */
  const single = async () => {
    const { id } = await worlds.post('services', { nameService: `Приём один ${++serial}`, priceService: 500 })
    await worlds.post('service-durations', { idService: id, minutes: 30 })
    await worlds.post('service-performers', { idService: id, idUser: idDoctors[0] })
    return id as number
  }
  return { ...world, join, day, groups, slots, cancel, move, single }
}

it('refuses one of four concurrent bookings of a group of three; a freed place is reused (example 5)', async () => {
  const { join, groups, cancel, slots } = await classOf(3)
  const all = await Promise.all([1, 2, 3, 4].map(() => join('10:00')))
  expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409])
  const late = all.find(({ status }) => status === 409)?.body
  expect(late).toMatchObject({ code: 'taken', message: 'Мест в группе больше нет' })
  expect(late.alternatives.map(({ localStart }: Slot) => localStart)).toEqual(['09:30', '10:30'])
  expect(await groups()).toEqual([['10:00', 3, 3]])
  expect((await slots()).map(({ localStart }) => localStart)).not.toContain('10:00')
  const [first] = all.filter(({ status }) => status === 201)
  good(await cancel(first?.body.id))
  expect(await groups()).toEqual([['10:00', 2, 3]])
  expect((await slots()).find(({ localStart }) => localStart === '10:00')?.places).toEqual({ taken: 2, capacity: 3 })
  good(await join('10:00'), 201)
  const seats = await clinic.db.query<{ seat: number }>({ text: 'select "seat" from visit_seats order by 1' })
  expect(seats.map(({ seat }) => seat)).toEqual([1, 2, 3])
  const back = await registry.post(`/appointments/${first?.body.id}/status`, { status: 'booked' })
  expect([back.status, back.body.message]).toEqual([409, 'Мест в группе больше нет'])
})

it('takes its doctor and room once, and releases them with the last patient', async () => {
  const { join, groups, cancel, slots, single, idDoctors, idFilial, idCustomer } = await classOf(8)
  const idSingle = await single()
  const free = async () => (await slots(registry, idSingle)).map(({ localStart }) => localStart)
  const alone = (localStart: string) =>
    registry.post('/appointments/book', {
      idCustomer,
      idFilial,
      localDate: DAY,
      coupons: [{ idUser: idDoctors[0], localStart, services: [{ idService: idSingle }] }],
    })
  const one = good(await join('10:00'), 201)
  const two = good(await join('10:00'), 201)
  expect((await alone('10:00')).status).toBe(409)
  expect((await join('10:10')).status).toBe(409)
  expect(await free()).not.toContain('10:00')
  expect(
    (await registry.get(`/appointments/load?idFilial=${idFilial}&from=${DAY}&to=${DAY}`)).body.items,
  ).toMatchObject([{ shift: 180, booked: 30 }])
  good(await cancel(one.id))
  expect((await alone('10:00')).status).toBe(409)
  good(await registry.post(`/appointments/${two.id}/status`, { status: 'cancelled', cancelReason: 'time' }))
  expect(await groups()).toEqual([])
  expect(await free()).toContain('10:00')
  good(await alone('10:00'), 201)
  expect((await registry.post(`/appointments/${two.id}/status`, { status: 'booked' })).status).toBe(409)
})

it('refuses another service that begins at the same time of the doctor', async () => {
  const { join, book, single } = await classOf(8)
  const idOther = await single()
  good(await keeper.put(`/services/${idOther}`, { groupSize: 4 }))
  good(await join('10:00'), 201)
  const late = await book('10:00', {}, { services: [{ idService: idOther }] })
  expect([late.status, late.body.code]).toEqual([409, 'taken'])
  expect(late.body.alternatives.length).toBeGreaterThan(0)
})

it('moves, changes state and is priced for each patient separately', async () => {
  const { join, groups, move, day } = await classOf(8)
  const one = good(await join('10:00'), 201)
  const two = good(await join('10:00'), 201)
  const three = good(await join('11:00'), 201)
  good(await move(one.id, '11:00'))
  expect(await groups()).toEqual([
    ['10:00', 1, 8],
    ['11:00', 2, 8],
  ])
  // The group keeps its original length.
  good(await move(two.id, '11:00', { minutes: 60 }))
  expect(await groups()).toEqual([['11:00', 3, 8]])
  const { visits, groups: booked } = await day()
  expect(visits.map(({ idGroup, minutes }: { idGroup: number; minutes: number }) => [idGroup, minutes])).toEqual(
    [1, 2, 3].map(() => [booked[0].id, 30]),
  )
  good(await registry.post(`/appointments/${three.id}/status`, { status: 'confirmed' }))
  expect(good(await registry.get(`/appointments/${one.id}`)).visitStatus).toBe('booked')
  const lines = good(await registry.get(`/coupon-services?filter[coupon.idAppointment]=${two.id}`)).items
  expect(lines).toMatchObject([{ price: 1000 }])
  // A move to the same place.
  good(await move(three.id, '11:00'))
  expect(await groups()).toEqual([['11:00', 3, 8]])
})

it('keeps a held place from others, and frees it when the hold ends', async () => {
  const { join, slots, idDoctors, idFilial, groups } = await classOf(2)
  good(await join('10:00'), 201)
  const hold = () =>
    registry.post('/appointments/holds', {
      idUser: idDoctors[0],
      idFilial,
      localDate: DAY,
      localStart: '10:00',
      minutes: 30,
    })
  const held = good(await hold(), 201)
  expect(await groups()).toEqual([['10:00', 1, 2]])
  expect((await slots()).map(({ localStart }) => localStart)).toContain('10:00')
  expect((await slots(other)).map(({ localStart }) => localStart)).not.toContain('10:00')
  expect((await join('10:00', {}, other)).status).toBe(409)
  good(await registry.delete(`/appointments/holds/${held.id}`), 204)
  const again = good(await hold(), 201)
  good(await join('10:00', { idHold: again.id }), 201)
  expect(await groups()).toEqual([['10:00', 2, 2]])
  const full = await hold()
  expect([full.status, full.body.message]).toEqual([409, 'Мест в группе больше нет'])
})

it('keeps the time of a held place when the last patient leaves', async () => {
  const { join, slots, idDoctors, idFilial, cancel } = await classOf(2)
  const only = good(await join('10:00'), 201)
  const held = good(
    await registry.post('/appointments/holds', {
      idUser: idDoctors[0],
      idFilial,
      localDate: DAY,
      localStart: '10:00',
      minutes: 30,
    }),
    201,
  )
  good(await cancel(only.id))
  expect((await slots(other)).map(({ localStart }) => localStart)).not.toContain('10:00')
  expect((await join('10:00', {}, other)).status).toBe(409)
  good(await join('10:00', { idHold: held.id }), 201)
})

it('is separate per service, keeps its settings, and is offered from the waiting list of its service', async () => {
  const { join, single, book, idService, idDoctors, idFilial, groups, cancel } = await classOf(2)
  const idSingle = await single()
  const mixed = await book('10:00', {}, { services: [{ idService }, { idService: idSingle }] })
  expect([mixed.status, mixed.body[0].message]).toEqual([422, 'Групповую услугу записывают отдельно от других'])
  const one = good(await join('10:00'), 201)
  good(await join('10:00'), 201)
  good(await keeper.put(`/services/${idService}`, { groupSize: 5 }))
  expect((await join('10:00')).status).toBe(409)
  const waits = async (service: number) =>
    good(
      await registry.post('/waiting-list', { idCustomer: await worlds.patient(), idFilial, idService: service }),
      201,
    ).id as number
  const [same, different] = [await waits(idService), await waits(idSingle)]
  good(await cancel(one.id))
  const found = good(
    await registry.get(
      `/waiting-list/matches?idFilial=${idFilial}&idUser=${idDoctors[0]}&date=${DAY}&start=10:00&minutes=30`,
    ),
  )
  expect(found.items.map(({ id }: { id: number }) => id)).toEqual([same])
  expect(found.unfit).toMatchObject([{ id: different, reason: 'Место в группе другой услуги' }])
  const place = { idUser: idDoctors[0], localDate: DAY, localStart: '10:00' }
  const offered = good(await registry.post(`/waiting-list/${same}/offer`, place), 201)
  expect((await join('10:00')).status).toBe(409)
  good(await registry.post(`/waiting-list/offers/${offered.id}/answer`, { accepted: true }))
  expect(await groups()).toEqual([['10:00', 2, 2]])
})

it('needs one piece of equipment for all, and becomes uncovered with all of its patients', async () => {
  const { join, idService, idFilial } = await classOf(8)
  const one = good(await join('10:00'), 201)
  const two = good(await join('10:00'), 201)
  const marks = () =>
    Promise.all([one, two].map(async ({ id }) => good(await registry.get(`/appointments/${id}`)).needsRebook))
  const { id: idKind } = await worlds.post('equipment-kinds', { name: `Дорожка ${++serial}` })
  await worlds.post('service-equipment', { idService, idKind })
  expect(await marks()).toEqual([true, true])
  await worlds.post('filials/equipment', { idFilial, idKind })
  expect(await marks()).toEqual([false, false])
  const [coupon] = good(await registry.get(`/coupons?filter[idAppointment]=${two.id}`)).items
  expect(coupon.equipment).toBe(`Дорожка ${serial}`)
  good(await join('10:00'), 201)
})

it('concurrent random bookings, moves and cancellations never exceed the places of a group', async () => {
  const step = fc.record({
    what: fc.constantFrom('book', 'book', 'book', 'move', 'cancel', 'back'),
    start: fc.constantFrom('09:00', '09:30', '10:00'),
    which: fc.nat({ max: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 24 }), async (steps) => {
      const { join, move, cancel, groups, day, idDoctors } = await classOf(3)
      const ids: number[] = []
      const run = async ({ what, start, which }: (typeof steps)[number]) => {
        const id = ids[which % Math.max(1, ids.length)]
        if (what === 'book' || id === undefined) {
          const answer = await join(start)
          if (answer.status === 201) ids.push(answer.body.id)
          return answer.status
        }
        if (what === 'move') return (await move(id, start)).status
        if (what === 'cancel') return (await cancel(id)).status
        return (await registry.post(`/appointments/${id}/status`, { status: 'booked' })).status
      }
      const seen = new Set<number>()
      for (let at = 0; at < steps.length; at += 6)
        for (const status of await Promise.all(steps.slice(at, at + 6).map(run))) seen.add(status)
      expect([...seen].filter((status) => ![200, 201, 409].includes(status))).toEqual([])
      const { visits } = await day()
      const counted = Map.groupBy(
        visits as { localStart: string; idGroup: number | null }[],
        ({ localStart }) => localStart,
      )
      expect(visits.every(({ idGroup }: { idGroup: number | null }) => idGroup !== null)).toBe(true)
      // A group exists while it has patients, counts them, and takes the doctor once.
      expect(new Map((await groups()).map(([start, taken]) => [start, taken]))).toEqual(
        new Map([...counted].sort().map(([start, some]) => [start, some.length])),
      )
      for (const [, taken] of await groups()) expect(taken).toBeLessThanOrEqual(3)
      const [ledger] = await clinic.db.query<{ lines: number }>({
        text: 'select count(*)::int as lines from visit_occupancy where "resource" = any ($1)',
        values: [idDoctors],
      })
      expect(ledger?.lines).toBe(counted.size)
    }),
    { numRuns: runs(2, 40) },
  )
})

it('moves with all of its patients, or not at all', async () => {
  const { join, groups, book, day, idDoctors, idService, idFilial, single } = await classOf(3)
  const members = [good(await join('10:00'), 201), good(await join('10:00'), 201)]
  good(await registry.post(`/appointments/${members[0].id}/status`, { status: 'confirmed' }))
  const [group] = (await day()).groups
  const to = (localStart: string, body: object = {}, by = registry) =>
    by.post(`/appointments/groups/${group.id}/move`, { localDate: DAY, localStart, ...body })
  const [{ login = '' } = {}] = await clinic.db.query<{ login: string }>({
    text: 'select "login" from users where "id" = $1',
    values: [idDoctors[0]],
  })
  good(await clinic.as(login).put('/user-settings/notifications', { appointmentChange: true }))
  const notices = async () => good(await clinic.as(login).get('/notifications?limit=100')).items.length
  const noticesBefore = await notices()
  const held = await registry.post('/appointments/holds', {
    idUser: idDoctors[0],
    idFilial,
    localDate: DAY,
    localStart: '10:00',
    minutes: 30,
  })
  good(held, 201)
  expect(good(await to('11:00'))).toEqual({ id: group.id, moved: 2, version: group.version + 1 })
  expect(await groups()).toEqual([['11:00', 2, 3]])
  const { visits } = await day()
  expect(
    visits.map(({ localStart, idGroup, visitStatus }: Record<string, unknown>) => [localStart, idGroup, visitStatus]),
  ).toEqual([
    ['11:00', group.id, 'booked'],
    ['11:00', group.id, 'booked'],
  ])
  expect(await notices()).toBe(noticesBefore + 2)
  for (const { id } of members)
    expect(good(await registry.get(`/appointments/moves?filter[idAppointment]=${id}`)).items).toMatchObject([
      { fromStart: '10:00', toStart: '11:00' },
    ])
  // The old time is free; at the new time only a place of the group can be booked.
  const idSingle = await single()
  good(await book('10:00', {}, { services: [{ idService: idSingle }] }), 201)
  expect((await book('11:00', {}, { services: [{ idService: idSingle }] })).status).toBe(409)
  good(await join('11:00'), 201)
  // The time is taken: no patient of the group moves, and alternatives are returned.
  const taken = await to('10:00')
  expect([taken.status, taken.body.code, taken.body.alternatives.length]).toEqual([409, 'taken', 3])
  // Another group of the service stays separate, and is not offered.
  good(await join('09:00'), 201)
  const besides = await to('09:00')
  expect([besides.status, besides.body.alternatives.length]).toEqual([409, 3])
  for (const { localDate, localStart, idUser, places } of besides.body.alternatives)
    expect([places?.taken, localDate === DAY && ['09:00', '11:00'].includes(localStart) && idUser]).toEqual([0, false])
  // An outdated version is refused; a move to the same time does nothing.
  expect((await to('12:00', { _version: group.version })).status).toBe(409)
  const before = await notices()
  expect(good(await to('11:00'))).toMatchObject({ moved: 0 })
  expect(await notices()).toBe(before)
  expect(await groups()).toEqual([
    ['09:00', 1, 3],
    ['11:00', 3, 3],
  ])
  expect((await to('14:00')).body.code).toBe('outside')
  expect((await to('11:00', { idUser: 2 ** 40 })).status).toBe(422)
  // A patient already being seen keeps the whole group in place.
  good(await registry.post(`/appointments/${members[1].id}/status`, { status: 'cancelled', cancelReason: 'time' }))
  good(await to('11:30'))
  expect(await groups()).toEqual([
    ['09:00', 1, 3],
    ['11:30', 2, 3],
  ])
  await clinic.db.query({
    text: `update appointments set "visitStatus" = 'inProgress' where "id" = $1`,
    values: [members[0].id],
  })
  const begun = await to('11:00')
  expect([begun.status, begun.body.message]).toEqual([
    409,
    'Кто-то из группы уже на приёме: остальных перенесите по одному',
  ])
  await addPerson(clinic.context, `looker${idService}`, ['viewCalendar', 'viewAllAppointments'])
  const looker = clinic.as(`looker${idService}`)
  expect((await to('11:00', {}, looker)).status).toBe(403)
  await addPerson(clinic.context, `stranger${idService}`, ['viewCalendar', 'editAppointments'])
  expect((await to('11:00', {}, clinic.as(`stranger${idService}`))).status).toBe(404)
})

it('may be a step of a chain: a place of an existing group, or the first of a new one', async () => {
  const { join, groups, idService, idFilial, idDoctors, single, move, day } = await classOf(2)
  const idSingle = await single()
  const { id: idUser } = await worlds.doctor()
  await worlds.post('service-performers', { idService: idSingle, idUser })
  await worlds.shift(idUser, idFilial, { localFrom: '10:30', localTo: '11:00' })
  good(await join('10:00'), 201)
  const find = async () =>
    good(
      await registry.post('/appointments/chains', {
        idFilial,
        parts: [{ idService }, { idService: idSingle, idUser }],
        from: DAY,
        to: DAY,
        gap: 30,
      }),
    ).items
  const [chain] = await find()
  expect(
    chain.parts.map(({ localStart, places }: { localStart: string; places: unknown }) => [localStart, places]),
  ).toEqual([
    ['10:00', { taken: 1, capacity: 2 }],
    ['10:30', null],
  ])
  const idCustomer = await worlds.patient()
  const coupons = chain.parts.map(
    ({ idUser: by, idRoom, localStart, minutes, idService: one }: Record<string, number | string>) => ({
      idUser: by,
      idRoom,
      localStart,
      minutes,
      services: [{ idService: one }],
    }),
  )
  const booked = good(await registry.post('/appointments/book', { idCustomer, idFilial, localDate: DAY, coupons }), 201)
  expect(await groups()).toEqual([['10:00', 2, 2]])
  // The group is full: the next chain creates a new one.
  expect((await find())[0]?.parts.find((one: { idService: number }) => one.idService === idService)).not.toMatchObject({
    localStart: '10:00',
  })
  // Only the coupon in the group moves with it, and not to another day.
  const [group] = (await day()).groups
  const to = (localDate: string, localStart: string) =>
    registry.post(`/appointments/groups/${group.id}/move`, { localDate, localStart })
  const refused = await to(dayAfter(31), '10:00')
  expect([refused.status, refused.body[0]?.field]).toEqual([422, 'localDate'])
  good(await to(DAY, '09:00'))
  const parts = good(await registry.get(`/coupons?filter[idAppointment]=${booked.id}&sort=localStart`)).items
  expect(parts.map(({ localStart }: { localStart: string }) => localStart)).toEqual(['09:00', '10:30'])
  expect(good(await registry.get(`/appointments/${booked.id}`)).localStart).toBe('09:00')
  good(await move(booked.id, '11:00', { idCoupon: parts[0].id, idUser: idDoctors[0] }))
  expect(await groups()).toEqual([
    ['09:00', 1, 2],
    ['11:00', 1, 2],
  ])
})
