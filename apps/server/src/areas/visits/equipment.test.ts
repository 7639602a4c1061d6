import type { Slot } from '@ordinator/model/areas/visits/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '../../testing/good.ts'
import { type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPerson } from '../../testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let registry: Caller
let worlds: ReturnType<typeof worldOf>
let serial = 0

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      await addPerson(app, 'registry', registryRights)
    },
  })
  keeper = clinic.as('keeper')
  registry = clinic.as('registry')
  await Promise.all([keeper.token(), registry.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

/** A branch of doctors with rooms of their own, whose service takes what the branch has of a kind. */
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

it('is taken by a visit: of two at once one wins, and the other is told what is busy', async () => {
  const { book, idDoctors, name, slots } = await equipped(2)
  const rivals = await Promise.all([book('10:00'), book('10:00', {}, { idUser: idDoctors[1] })])
  expect(rivals.map(({ status }) => status).sort()).toEqual([201, 409])
  const late = rivals.find(({ status }) => status === 409)?.body
  expect(late).toMatchObject({ code: 'taken', message: `Оборудование в это время занято: ${name}` })
  // Neither of the doctors is offered while it is busy.
  expect(late.alternatives.map(({ localStart }: Slot) => localStart)).not.toContain('10:00')
  const free = await slots()
  expect(free).toContain('1 10:30')
  expect(free.filter((one) => one.endsWith('10:00'))).toEqual([])
  const visit = rivals.find(({ status }) => status === 201)?.body
  const [coupon] = good(await registry.get(`/coupons?filter[idAppointment]=${visit.id}`)).items
  expect(coupon.equipment).toBe(name)
})

it('serves as many at once as there is of it, and is made ready after each', async () => {
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

it('is freed by a cancellation, moved with the visit and taken again by who comes back', async () => {
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

it('that there is less of leaves visits in the air, and more of it takes them back', async () => {
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

it('that the branch does not have keeps the service out, in words', async () => {
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
