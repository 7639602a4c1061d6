import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let world: ReturnType<typeof worldOf>
beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
  world = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

it('a service is performed by named doctors, by the speciality of its group, or by any; no others', async () => {
  const { idFilial, idDoctors, idCustomer } = await world.make({ doctors: 2 })
  const [first, second] = idDoctors as [number, number]
  const { id: idSpeciality } = await world.post('specialities', { name: 'Мануальный терапевт' })
  good(await keeper.put(`/users/${second}`, { idSpeciality }))
  const outer = await world.post('services-groups', { nameServiceGroup: 'Терапия' })
  const inner = await world.post('services-groups', { nameServiceGroup: 'Мануальная', idParentGroup: outer.id })
  const { id: idService } = await world.post('services', {
    nameService: 'Мануальная терапия',
    priceService: 3000,
    idGroup: inner.id,
  })
  const day = dayAfter(30)
  const performedBy = async () => good(await keeper.get(`/services/${idService}`)).performedBy
  const offered = async () => {
    const { items } = good(
      await keeper.get(`/appointments/slots?idService=${idService}&idFilial=${idFilial}&from=${day}&to=${day}`),
    )
    return [...new Set(items.map(({ idUser }: { idUser: number }) => idUser))].sort()
  }
  const booked = async (idUser: number) =>
    keeper.post('/appointments/book', {
      ...{ idCustomer, idFilial, localDate: day, dryRun: true },
      coupons: [{ idUser, localStart: '10:00', services: [{ idService }] }],
    })
  const refused = async (idUser: number) => expect((await booked(idUser)).body[0]).toMatchObject({ field: 'idUser' })

  expect([await performedBy(), await offered()]).toEqual(['nobody', []])
  await refused(first)
  expect(good(await keeper.get(`/services?filter[performedBy]=nobody&filter[id]=${idService}`)).items).toHaveLength(1)
  // The speciality of a group covers its subgroups.
  good(await keeper.put(`/services-groups/${outer.id}`, { specialities: [idSpeciality] }))
  expect([await performedBy(), await offered()]).toEqual(['speciality', [second]])
  await refused(first)
  good(await booked(second), 201)
  // Any doctor may, except those excluded by name.
  good(await keeper.put(`/services/${idService}`, { anyPerformer: true }))
  expect([await performedBy(), await offered()]).toEqual(['any', [first, second].sort()])
  const { id: refusal } = await world.post('service-performers', { idService, idUser: second, allowed: false })
  expect(await offered()).toEqual([first])
  await refused(second)
  good(await keeper.delete(`/service-performers/${refusal}`), 204)
  // Named doctors replace the speciality.
  good(await keeper.put(`/services/${idService}`, { anyPerformer: false }))
  await world.post('service-performers', { idService, idUser: first })
  expect([await performedBy(), await offered()]).toEqual(['named', [first]])
  await refused(second)
})
