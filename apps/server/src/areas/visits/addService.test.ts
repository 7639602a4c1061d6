import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let world: ReturnType<typeof worldOf>
beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      await addPerson(app, 'viewer', ['viewCalendar', 'viewAllAppointments'])
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  world = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

it('adds a service to a visit at its price and duration; before an adjacent visit, within the same time', async () => {
  const { book, idService, idFilial, idDoctors } = await world.make()
  const { id } = good(await book('09:00'), 201)
  const other = await world.post('services', { nameService: 'ЭКГ при визите', priceService: 700 })
  await world.post('service-performers', { idService: other.id, idUser: idDoctors[0] })
  await world.post('service-durations', { idService: other.id, minutes: 20 })
  const add = (body: object, by = keeper) => by.post(`/appointments/${id}/services`, body)
  expect((await add({ idService: other.id }, clinic.as('viewer'))).status).toBe(403)
  expect(good(await add({ idService: other.id, qty: 2 }), 201)).toMatchObject({ price: 700, qty: 2, finalCost: 1400 })
  const coupon = async () => good(await keeper.get(`/coupons?filter[idAppointment]=${id}`)).items[0]
  expect((await coupon()).minutes).toBe(50)
  // The added time is taken.
  expect((await book('09:30')).body.code).toBe('taken')
  good(await book('10:00'), 201)
  expect((await add({ idService })).body).toMatchObject({ code: 'taken' })
  good(await add({ idService, keepTime: true }), 201)
  expect((await coupon()).minutes).toBe(50)
  const lines = async () => good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${id}&sort=id`)).items
  expect((await lines()).map(({ price }: { price: number }) => price)).toEqual([1000, 700, 1000])
  // The same by the coupon's number.
  const byCoupon = (idCoupon: number, by = keeper) =>
    by.post('/coupon-services', { idCoupon, idService: other.id, keepTime: true })
  const own = await coupon()
  expect((await byCoupon(own.id, clinic.as('viewer'))).status).toBe(403)
  const again = good(await byCoupon(own.id), 201)
  expect(again).toMatchObject({ idCoupon: own.id, price: 700 })
  good(
    await keeper.post(`/coupon-services/${again.id}/done`, {
      completed: false,
      cancelled: true,
      refusalReason: 'Дубль',
    }),
    204,
  )
  // A doctor who does not perform the service is refused.
  const stranger = await world.make()
  expect((await add({ idService: stranger.idService, keepTime: true })).body[0]).toMatchObject({ field: 'idUser' })
  expect((await add({ idService, idUser: stranger.idDoctors[0] })).body[0]).toMatchObject({ field: 'idUser' })

  // A line is removed with a reason; the last line stays.
  const out = (line: number, more: object = {}) =>
    keeper.post(`/coupon-services/${line}/done`, { completed: false, cancelled: true, ...more })
  const [first, second, third] = (await lines()).filter(({ cancelled }: { cancelled: boolean }) => !cancelled) as [
    { id: number },
    { id: number },
    { id: number },
  ]
  expect((await out(second.id)).body[0]).toMatchObject({ field: 'refusalReason' })
  // The record itself takes the same act with the same checks.
  const change = (body: object, by = keeper) => by.put(`/coupon-services/${second.id}`, body)
  expect((await change({ cancelled: true })).body[0]).toMatchObject({ field: 'refusalReason' })
  expect((await change({ completed: true })).body).toMatchObject({ code: 'transition' })
  expect((await change({ completed: true }, clinic.as('viewer'))).status).toBe(403)
  expect((await change({ discount: 5 })).body[0]).toMatchObject({ field: 'discount' })
  const named = { cancelled: true, refusalReason: 'Не понадобилась' }
  expect((await change({ ...named, _version: 99 })).status).toBe(409)
  expect(good(await change(named))).toMatchObject({ cancelled: true, refusalReason: 'Не понадобилась' })
  expect(good(await change({ cancelled: false }))).toMatchObject({ cancelled: false, refusalReason: null })
  for (const line of [second, third]) good(await out(line.id, { refusalReason: 'Не понадобилась' }), 204)
  expect((await out(first.id, { refusalReason: 'Не понадобилась' })).body.message).toContain('отмените запись')
  expect([idFilial > 0, idDoctors.length]).toEqual([true, 1])
})

it('a doctor adds services to own visits, and nobody adds to a visit that is over', async () => {
  const { idFilial, book } = await world.make({ shifts: false, doctors: 0 })
  const own = await world.doctor(['viewCalendar', 'createAppointments'])
  const service = await world.post('services', { nameService: 'Осмотр своего', priceService: 500 })
  await world.post('service-performers', { idService: service.id, idUser: own.id })
  await world.shift(own.id, idFilial)
  const { id } = good(await book('09:00', {}, { idUser: own.id, services: [{ idService: service.id }] }), 201)
  const doctor = clinic.as(own.login)
  good(await doctor.post(`/appointments/${id}/services`, { idService: service.id }), 201)
  good(await keeper.post(`/appointments/${id}/status`, { status: 'cancelled', cancelReason: 'time' }))
  expect((await keeper.post(`/appointments/${id}/services`, { idService: service.id })).body.code).toBe('transition')
})
