import type { Slot } from '@ordinator/model/areas/visits/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { lockWaits } from '#testing/locks.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let registry: Caller
let overbooker: Caller
let worlds: ReturnType<typeof worldOf>
let serial = 0

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      await addPerson(app, 'registry', registryRights)
      await addPerson(app, 'overbooker', [...registryRights, 'overbookAppointments'])
    },
  })
  keeper = clinic.as('keeper')
  registry = clinic.as('registry')
  overbooker = clinic.as('overbooker')
  await Promise.all([keeper.token(), registry.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

/** A branch of doctors with their own rooms, whose service needs the branch's equipment of a kind. */
async function equipped(doctors: number, more: object = {}) {
  const world = await worlds.make({ doctors })
  const { idFilial, idService } = world
  const name = `Аппарат УЗИ ${++serial}`
  const { id: idKind } = await worlds.post('equipment-kinds', { name })
  await worlds.post('service-equipment', { idService, idKind })
  const piece = await worlds.post('filials/equipment', { idFilial, idKind, ...more })
  const slots = async (query = ''): Promise<string[]> =>
    good(
      await registry.get(
        `/appointments/slots?idService=${idService}&idFilial=${idFilial}&from=${dayAfter(30)}&to=${dayAfter(30)}&limit=100${query}`,
      ),
    ).items.map(({ idUser, localStart }: Slot) => `${world.idDoctors.indexOf(idUser)} ${localStart}`)
  const marked = async (id: number) => good(await registry.get(`/appointments/${id}`)).needsRebook
  return { ...world, name, idKind, piece, slots, marked }
}

it('is taken by a visit: of two concurrent bookings one succeeds, the other gets what is busy', async () => {
  const { book, idDoctors, name, slots } = await equipped(2)
  const rivals = await Promise.all([book('10:00'), book('10:00', {}, { idUser: idDoctors[1] })])
  expect(rivals.map(({ status }) => status).sort()).toEqual([201, 409])
  const late = rivals.find(({ status }) => status === 409)?.body
  expect(late).toMatchObject({ code: 'taken', message: `Оборудование в это время занято: ${name}` })
  // No doctor is offered while it is busy.
  expect(late.alternatives.map(({ localStart }: Slot) => localStart)).not.toContain('10:00')
  const free = await slots()
  expect(free).toContain('1 10:30')
  expect(free.filter((one) => one.endsWith('10:00'))).toEqual([])
  const visit = rivals.find(({ status }) => status === 201)?.body
  const [coupon] = good(await registry.get(`/coupons?filter[idAppointment]=${visit.id}`)).items
  expect(coupon.equipment).toBe(name)
})

it('serves as many visits at once as there are pieces, and is cleaned after each', async () => {
  const { book, idDoctors, slots } = await equipped(3, { capacity: 2, cleaning: 15 })
  good(await book('10:00'), 201)
  good(await book('10:00', {}, { idUser: idDoctors[1] }), 201)
  expect((await book('10:00', {}, { idUser: idDoctors[2] })).status).toBe(409)
  expect((await book('10:30', {}, { idUser: idDoctors[2] })).status).toBe(409)
  expect((await book('09:20', {}, { idUser: idDoctors[2] })).status).toBe(409)
  const third = (await slots(`&idUser=${idDoctors[2]}`)).map((one) => one.slice(2))
  expect(third).toEqual(['09:00', '10:45', '11:15'])
  good(await book('10:45', {}, { idUser: idDoctors[2] }), 201)
})

it('is freed by a cancellation, moves with the visit and is taken again when the visit is restored', async () => {
  const { book, idDoctors } = await equipped(2)
  const visit = good(await book('10:00'), 201)
  const other = () => book('10:00', {}, { idUser: idDoctors[1] })
  expect((await other()).status).toBe(409)
  const to = (status: string, more: object = {}) =>
    registry.post(`/appointments/${visit.id}/status`, { status, ...more })
  good(await to('cancelled', { cancelReason: 'time' }))
  const second = good(await other(), 201)
  const back = await to('booked')
  expect([back.status, back.body.message.startsWith('Оборудование')]).toEqual([409, true])
  const move = { localDate: dayAfter(30), localStart: '11:00' }
  good(await registry.post(`/appointments/${second.id}/move`, move))
  good(await to('booked'))
  expect((await other()).status).toBe(409)
})

it('leaves visits uncovered when reduced, and covers them again when increased', async () => {
  const { book, idDoctors, piece, marked } = await equipped(2, { capacity: 2 })
  const first = good(await book('10:00'), 201)
  const second = good(await book('10:00', {}, { idUser: idDoctors[1] }), 201)
  const later = good(await book('11:00', {}, { idUser: idDoctors[1] }), 201)
  const all = async () => [await marked(first.id), await marked(second.id), await marked(later.id)]
  good(await keeper.put(`/filials/equipment/${piece.id}`, { capacity: 1 }))
  expect(await all()).toEqual([false, true, false])
  good(await keeper.delete(`/filials/equipment/${piece.id}`), 204)
  expect(await all()).toEqual([true, true, true])
  good(await keeper.post(`/filials/equipment/${piece.id}/restore`, {}))
  good(await keeper.put(`/filials/equipment/${piece.id}`, { capacity: 2 }))
  expect(await all()).toEqual([false, false, false])
})

it('missing in the branch blocks the service, with a message', async () => {
  const { book, idService, slots } = await equipped(1)
  const { id: idKind } = await worlds.post('equipment-kinds', { name: `Лазер ${++serial}` })
  await worlds.post('service-equipment', { idService, idKind })
  const { status, body } = await book('10:00')
  expect([status, body[0]]).toMatchObject([
    422,
    { field: 'idService', message: `В филиале нет нужного оборудования: Лазер ${serial}` },
  ])
  expect(await slots()).toEqual([])
})

/** Three doctors whose service needs no equipment yet, and two visits at one time. */
async function plain() {
  const world = await worlds.make({ doctors: 3 })
  const { book, idDoctors, idFilial, idService } = world
  const first = good(await book('10:00'), 201)
  const second = good(await book('10:00', {}, { idUser: idDoctors[1] }), 201)
  const third = () => book('10:00', {}, { idUser: idDoctors[2] })
  const marks = async () =>
    Promise.all(
      [first, second].map(async ({ id }) => good(await registry.get(`/appointments/${id}`)).needsRebook as boolean),
    )
  const kind = () => worlds.post('equipment-kinds', { name: `Лазер ${++serial}` })
  const piece = (idKind: number, capacity = 1) => worlds.post('filials/equipment', { idFilial, idKind, capacity })
  const tie = (idKind: number) => worlds.post('service-equipment', { idService, idKind })
  const to = (id: number, status: string, more: object = {}) =>
    registry.post(`/appointments/${id}/status`, { status, ...more })
  const cancel = (id: number) => to(id, 'cancelled', { cancelReason: 'time' })
  return { ...world, first, second, third, marks, kind, piece, tie, to, cancel }
}

it('added to a service is taken by existing visits as far as it reaches', async () => {
  const { third, marks, kind, piece, tie } = await plain()
  const { id: idKind } = await kind()
  const { id: idTie } = await tie(idKind)
  expect(await marks()).toEqual([true, true])
  const { id } = await piece(idKind)
  expect(await marks()).toEqual([false, true])
  expect((await third()).status).toBe(409)
  good(await keeper.put(`/filials/equipment/${id}`, { capacity: 2 }))
  expect(await marks()).toEqual([false, false])
  expect((await third()).status).toBe(409)
  good(await keeper.put(`/filials/equipment/${id}`, { capacity: 1 }))
  expect(await marks()).toEqual([false, true])
  good(await keeper.delete(`/service-equipment/${idTie}`), 204)
  expect(await marks()).toEqual([false, false])
  good(await keeper.post(`/service-equipment/${idTie}/restore`, {}))
  expect(await marks()).toEqual([false, true])
})

it('of a deleted kind blocks nothing, and is taken again when the kind is restored', async () => {
  const { book, third, marks, kind, piece, tie, idDoctors, idFilial, idService } = await plain()
  const { id: idKind } = await kind()
  await piece(idKind)
  await tie(idKind)
  expect(await marks()).toEqual([false, true])
  good(await keeper.delete(`/equipment-kinds/${idKind}?sure=1`), 204)
  expect(await marks()).toEqual([false, false])
  const { items } = good(
    await registry.get(
      `/appointments/slots?idService=${idService}&idFilial=${idFilial}&idUser=${idDoctors[2]}&from=${dayAfter(30)}&to=${dayAfter(30)}&limit=100`,
    ),
  )
  expect(items.map(({ localStart }: Slot) => localStart)).toContain('10:00')
  const late = good(await third(), 201)
  good(await keeper.post(`/equipment-kinds/${idKind}/restore`, {}))
  expect(await marks()).toEqual([false, true])
  expect(good(await registry.get(`/appointments/${late.id}`)).needsRebook).toBe(true)
  good(await book('10:30'), 201)
  expect((await book('10:30', {}, { idUser: idDoctors[1] })).status).toBe(409)
})

it('that is freed covers a visit that lacked it', async () => {
  const { third, marks, kind, piece, tie, first, second, cancel } = await plain()
  const { id: idKind } = await kind()
  await piece(idKind)
  await tie(idKind)
  expect(await marks()).toEqual([false, true])
  good(await registry.post(`/appointments/${first.id}/move`, { localDate: dayAfter(30), localStart: '11:00' }))
  expect(await marks()).toEqual([false, false])
  expect((await third()).status).toBe(409)
  good(await cancel(second.id))
  good(await third(), 201)
  const other = await plain()
  const { id: idOther } = await other.kind()
  await other.piece(idOther)
  await other.tie(idOther)
  good(await other.cancel(other.first.id))
  expect(await other.marks()).toEqual([false, false])
  // A restored visit finds it taken.
  expect((await other.to(other.first.id, 'booked')).status).toBe(409)
})

it('a room with fewer places leaves visits uncovered, and keeps them; a freed place serves the next', async () => {
  const { book, idDoctors, idRooms } = await worlds.make({ doctors: 2, rooms: [{ capacity: 2 }] })
  const first = good(await book('10:00'), 201)
  const second = good(await book('10:00', {}, { idUser: idDoctors[1] }), 201)
  const marks = () =>
    Promise.all([first, second].map(async ({ id }) => good(await registry.get(`/appointments/${id}`)).needsRebook))
  const room = `/filials/rooms/${idRooms[0]}`
  good(await keeper.put(room, { capacity: 1 }))
  expect(await marks()).toEqual([false, true])
  good(await keeper.put(room, { capacity: 2 }))
  expect(await marks()).toEqual([false, false])
  const gone = await keeper.delete(`${room}?sure=1`)
  expect([gone.status, gone.body.code]).toEqual([409, 'inUse'])
  expect(gone.body.message.replace(/\u00a0/g, ' ')).toContain('2 приёма впереди')
  expect(await marks()).toEqual([false, false])
  good(await keeper.put(room, { capacity: 1 }))
  expect(await marks()).toEqual([false, true])
  good(await registry.post(`/appointments/${first.id}/move`, { localDate: dayAfter(30), localStart: '11:00' }))
  expect(await marks()).toEqual([false, false])
})

it('a freed doctor is taken by the overbooked visit', async () => {
  const { book } = await worlds.make()
  const first = good(await book('10:00'), 201)
  const over = good(await book('10:00', { overbook: true }, {}, overbooker), 201)
  const overbooked = async () =>
    good(await registry.get(`/coupons?filter[idAppointment]=${over.id}`)).items[0].overbooked as boolean
  expect(await overbooked()).toBe(true)
  good(await registry.delete(`/appointments/${first.id}`), 204)
  expect(await overbooked()).toBe(false)
  expect((await book('10:00')).status).toBe(409)
})

it('is counted at the moment of taking: concurrent booking and reduction see each other', async () => {
  const { book, idDoctors, piece, marked } = await equipped(2, { capacity: 2 })
  const first = good(await book('10:00'), 201)
  const blocker = await clinic.db.connect()
  await blocker.query('begin')
  await blocker.query(`select pg_advisory_xact_lock(hashtextextended('visits', $1::bigint))`, [idDoctors[1]])
  // It waits for the doctor's lock, and has read the equipment.
  const booking = book('10:00', {}, { idUser: idDoctors[1] })
  await lockWaits(clinic.db, 1)
  const less = keeper.put(`/filials/equipment/${piece.id}`, { capacity: 1 })
  let isOver = false
  less.finally(() => (isOver = true)).catch(() => {})
  await lockWaits(clinic.db, 2, () => isOver)
  await blocker.query('commit')
  await blocker.end()
  good(await less)
  const second = await booking
  const standing = [first.id, ...(second.status === 201 ? [second.body.id] : [])]
  const unmarked = (await Promise.all(standing.map(marked))).filter((mark) => !mark)
  expect(unmarked).toHaveLength(1)
})

it('is not offered to the waiting list while busy', async () => {
  const { book, idDoctors, idFilial, idService, name } = await equipped(2)
  good(await book('10:00'), 201)
  const idCustomer = await worlds.patient()
  const { id } = good(await registry.post('/waiting-list', { idCustomer, idFilial, idService }), 201)
  const place = { idUser: idDoctors[1], localDate: dayAfter(30) }
  const matches = async (start: string) =>
    good(
      await registry.get(
        `/waiting-list/matches?idFilial=${idFilial}&idUser=${idDoctors[1]}&date=${dayAfter(30)}&start=${start}&minutes=30`,
      ),
    )
  expect((await matches('10:00')).unfit).toMatchObject([{ id, reason: `Занято оборудование: ${name}` }])
  expect((await matches('10:30')).items).toMatchObject([{ id }])
  const refused = await registry.post(`/waiting-list/${id}/offer`, { ...place, localStart: '10:00' })
  expect([refused.status, refused.body.message]).toEqual([409, `Оборудование в это время занято: ${name}`])
  // Neither an offer nor a hold remains.
  const offered = good(await registry.post(`/waiting-list/${id}/offer`, { ...place, localStart: '10:30' }), 201)
  expect((await book('10:30')).status).toBe(409)
  good(await registry.post(`/waiting-list/offers/${offered.id}/answer`, { accepted: true }))
  expect((await book('10:30')).status).toBe(409)
})

it('of a removed kind hides no time, even with a hold on it', async () => {
  const { idDoctors, idFilial, idService, idKind, slots } = await equipped(2)
  const idCustomer = await worlds.patient()
  const { id } = good(await registry.post('/waiting-list', { idCustomer, idFilial, idService }), 201)
  const place = { idUser: idDoctors[1], localDate: dayAfter(30), localStart: '10:30' }
  good(await registry.post(`/waiting-list/${id}/offer`, place), 201)
  const mine = async () => (await slots(`&idUser=${idDoctors[0]}`)).map((one) => one.slice(2))
  expect(await mine()).not.toContain('10:30')
  good(await keeper.delete(`/equipment-kinds/${idKind}?sure=1`), 204)
  expect(await mine()).toContain('10:30')
})
