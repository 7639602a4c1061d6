import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
const DAY = dayAfter(30)

beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

it('a doctor sees the own day, a desk its branch, a manager all, at every exit', async () => {
  const here = await worlds.make()
  const there = await worlds.make()
  const one = good(await here.book('09:00'), 201)
  const two = good(await there.book('09:00'), 201)
  const own = await worlds.doctor(['viewCalendar', 'createAppointments'])
  await worlds.post('service-performers', { idService: here.idService, idUser: own.id })
  await worlds.shift(own.id, here.idFilial)
  const mine = good(await here.book('10:00', {}, { idUser: own.id }), 201)
  const { id: idDesk } = await addPerson(clinic.context, 'desk', [
    'viewCalendar',
    'createAppointments',
    'editAppointments',
    'viewCustomers',
  ])
  await worlds.post('filials/desks', { idFilial: here.idFilial, idUser: idDesk })
  const doctor = clinic.as(own.login)
  const desk = clinic.as('desk')
  const all = [one.id, two.id, mine.id]
  const visibleTo = async (who: Caller) =>
    good(await who.get(`/appointments?filter[id][in]=${all.join()}&sort=id`)).items.map(({ id }: { id: number }) => id)
  expect(await visibleTo(keeper)).toEqual(all)
  expect(await visibleTo(doctor)).toEqual([mine.id])
  expect(await visibleTo(desk)).toEqual([one.id, mine.id])

  for (const [who, id, status] of [
    [doctor, one.id, 404],
    [doctor, mine.id, 200],
    [desk, two.id, 404],
  ] as const)
    for (const url of [`/appointments/${id}`, `/appointments/${id}/history`])
      expect((await who.get(url)).status).toBe(status)
  const lines = (await doctor.get('/appointments/export?format=csv')).text.trim().split('\n')
  expect(lines).toHaveLength(2)
  for (const path of ['coupons', 'coupon-services', 'staff-events']) {
    const list = async (who: Caller) => good(await who.get(`/${path}?limit=100&count=1`))._meta.totalCount
    expect([path, await list(doctor), await list(desk), await list(keeper)]).toEqual([path, 1, 2, 3])
  }
  const day = async (who: Caller, idFilial: number) =>
    good(await who.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
  expect((await day(desk, here.idFilial)).visits).toHaveLength(2)
  expect((await day(desk, there.idFilial)).visits).toEqual([])
  // Without access to customers neither name nor phone is shown.
  const shown = (await day(doctor, here.idFilial)).visits
  expect(shown).toMatchObject([{ idAppointment: mine.id, idCustomer: null, patient: null, phone: null }])
  expect((await day(desk, here.idFilial)).visits[0].patient).toMatch(/^Больной/)

  expect((await desk.post(`/appointments/${two.id}/status`, { status: 'confirmed' })).status).toBe(404)
  expect((await doctor.post(`/appointments/${mine.id}/status`, { status: 'confirmed' })).status).toBe(409)
  expect((await doctor.post(`/appointments/${mine.id}/move`, { localDate: DAY, localStart: '11:00' })).status).toBe(403)
  expect((await there.book('10:00', {}, {}, desk)).status).toBe(403)
  good(await here.book('11:00', {}, {}, desk), 201)
  expect(
    (
      await desk.post('/staff-events', {
        type: 'sick',
        idUser: own.id,
        localDate: DAY,
        localFrom: '09:00',
        localTo: '10:00',
      })
    ).status,
  ).toBe(403)
  const slots = async (who: Caller, idService: number) =>
    good(await who.get(`/appointments/slots?idService=${idService}&from=${DAY}&to=${DAY}`)).items.length
  expect(await slots(desk, here.idService)).toBeGreaterThan(0)
  expect(await slots(desk, there.idService)).toBe(0)
})

it('an absence is visible to every desk where the doctor works, whichever branch it names', async () => {
  const [here, there] = [await worlds.make(), await worlds.make()]
  const [idUser] = here.idDoctors
  const [stranger] = there.idDoctors
  const { id: idDesk, login } = await worlds.doctor(['viewCalendar', 'createAppointments', 'viewCustomers'])
  await worlds.post('filials/desks', { idFilial: here.idFilial, idUser: idDesk })
  const desk = clinic.as(login)
  // User cards list the branches of these doctors.
  good(await keeper.put(`/users/${idUser}`, { filials: [here.idFilial, there.idFilial] }))
  good(await keeper.put(`/users/${stranger}`, { filials: [there.idFilial] }))
  const away = (who: number | undefined, more: object = {}) =>
    worlds.post('staff-events', {
      ...{ type: 'sick', idUser: who, localDate: DAY, localFrom: '00:00', localTo: '24:00' },
      ...more,
    })
  const sick = await away(idUser)
  const elsewhere = await away(idUser, {
    type: 'training',
    idFilial: there.idFilial,
    localFrom: '09:00',
    localTo: '10:00',
  })
  const others = await away(stranger)
  const visibleTo = async (who: Caller) =>
    good(await who.get('/staff-events?filter[type][nin]=shift&sort=id&limit=100')).items.map(
      ({ id }: { id: number }) => id,
    )
  expect(await visibleTo(desk)).toEqual([sick.id, elsewhere.id])
  expect(await visibleTo(keeper)).toEqual(expect.arrayContaining([sick.id, elsewhere.id, others.id]))
  const dayOf = async (who: Caller) =>
    good(await who.get(`/appointments/day?idFilial=${here.idFilial}&date=${DAY}`))
      .events.filter(({ type }: { type: string }) => type !== 'shift')
      .map(({ id }: { id: number }) => id)
      .sort((a: number, b: number) => a - b)
  for (const who of [keeper, desk]) expect(await dayOf(who)).toEqual([sick.id, elsewhere.id])
})

it('a visit is found by its day, its note and its number, within the scope', async () => {
  const { book, idFilial } = await worlds.make()
  const { id } = good(await book('09:00', { note: 'Придёт с переводчицей суахили' }), 201)
  const { login } = await worlds.doctor(['viewCalendar'])
  const stranger = clinic.as(login)
  const found = async (who: Caller, q: string) =>
    good(await who.get(`/search?q=${encodeURIComponent(q)}`)).groups.find(
      ({ path }: { path: string }) => path === 'appointments',
    )?.items ?? []
  const [year, month, date] = DAY.split('-')
  const item = { id, link: `/calendar?filial=${idFilial}&day=${DAY}&visit=${id}` }
  for (const q of ['суахили', `#${id}`]) {
    expect(await found(keeper, q)).toMatchObject([item])
    expect(await found(stranger, q)).toEqual([])
  }
  expect((await found(keeper, `${date}.${month}.${year}`)).length).toBeGreaterThan(0)
  expect(await found(stranger, `${date}.${month}.${year}`)).toEqual([])
})

it('a room is found by its name and its purpose', async () => {
  const { idRooms, idFilial } = await worlds.make({ rooms: [{ equipment: 'Кабинет бальнеолога: ванны' }] })
  const { groups } = good(await keeper.get(`/search?q=${encodeURIComponent('кабинет бальнеолога')}`))
  const rooms = groups.find(({ path }: { path: string }) => path === 'filials/rooms')
  expect(rooms?.items).toMatchObject([{ id: idRooms[0], link: `/calendar?filial=${idFilial}&by=rooms` }])
})

it('a view of a visit is recorded in the access journal', async () => {
  const { book, idCustomer } = await worlds.make()
  const { id } = good(await book('09:00'), 201)
  good(await keeper.get(`/appointments/${id}`))
  await clinic.context.journal.settle()
  const lines = await clinic.db.query<{ action: string }>({
    text: `select "action" from access_log where "entityType" = 'appointments' and "idEntity" = $1 and "idCustomer" = $2`,
    values: [id, idCustomer],
  })
  expect(lines.map(({ action }) => action)).toContain('view')
})

it('notifies those concerned by a visit or a shift, by their own switches', async () => {
  const { idFilial, idService } = await worlds.make()
  const { id: idUser, login } = await worlds.doctor(['viewCalendar'])
  await worlds.post('service-performers', { idService, idUser })
  const doctor = clinic.as(login)
  const notices = async () =>
    good(await doctor.get('/notifications?sort=id')).items.map(({ kind }: { kind: string }) => kind.split('.')[0])
  await worlds.shift(idUser, idFilial)
  expect(await notices()).toEqual([])
  const switches = {
    scheduleUpdate: true,
    appointmentCreate: true,
    appointmentChange: true,
    appointmentDelete: true,
    scheduleNew: true,
    scheduleDelete: true,
  }
  good(await doctor.put('/user-settings/notifications', switches))
  const { id: idShift } = await worlds.shift(idUser, idFilial, { localFrom: '13:00', localTo: '15:00' })
  good(await keeper.put(`/staff-events/${idShift}`, { localTo: '16:00' }))
  const body = {
    idCustomer: await worlds.patient(),
    idFilial,
    localDate: DAY,
    coupons: [{ idUser, localStart: '13:00', services: [{ idService }] }],
  }
  const { id } = good(await keeper.post('/appointments/book', body), 201)
  good(await keeper.post(`/appointments/${id}/move`, { localDate: DAY, localStart: '14:00' }))
  good(await keeper.post(`/appointments/${id}/status`, { status: 'cancelled', cancelReason: 'ill' }))
  expect((await keeper.delete(`/staff-events/${idShift}`)).status).toBe(204)
  expect(await notices()).toEqual([
    'scheduleNew',
    'scheduleUpdate',
    'appointmentCreate',
    'appointmentChange',
    'appointmentDelete',
    'scheduleDelete',
  ])
})
