import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let registry: Caller
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      await addPerson(app, 'registry', registryRights)
      await addPerson(app, 'stranger', ['viewCalendar'])
    },
  })
  keeper = clinic.as('keeper')
  registry = clinic.as('registry')
  await Promise.all([keeper.token(), registry.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const DAY = dayAfter(30)

it('shows the load of a day: shifts without breaks and absences, visits that take time', async () => {
  const { idFilial, idDoctors, book } = await worlds.make({ doctors: 2 })
  const [one, two] = idDoctors as [number, number]
  const event = (idUser: number, type: string, localFrom: string, localTo: string, more: object = {}) =>
    keeper.post('/staff-events', { type, idUser, localDate: DAY, localFrom, localTo, ...more })
  good(await event(one, 'block', '11:00', '11:30', { idFilial }), 201)
  good(await event(one, 'meeting', '11:15', '11:45'), 201)
  good(await event(two, 'sick', '00:00', '24:00'), 201)
  good(await book('09:00', {}, {}, registry), 201)
  const gone = good(await book('10:00', {}, {}, registry), 201)
  good(
    await registry.post(`/appointments/${gone.id}/status`, {
      status: 'cancelled',
      cancelReason: 'ill',
      cancelledBy: 'patient',
    }),
  )
  const at = `/appointments/load?idFilial=${idFilial}&from=${DAY}&to=${DAY}`
  const load = good(await registry.get(at))
  expect(load.items).toEqual([
    { idUser: one, localDate: DAY, shift: 135, booked: 30 },
    { idUser: two, localDate: DAY, shift: 0, booked: 0 },
  ])
  expect(load.doctors.map(({ idUser }: { idUser: number }) => idUser).sort()).toEqual([one, two].sort())
  // A user limited to the own day sees no load of others.
  expect(good(await clinic.as('stranger').get(at))).toEqual({ doctors: [], items: [] })
})

it('refuses a period that ends before it begins, or is longer than a month', async () => {
  const { idFilial } = await worlds.make({ shifts: false })
  const refused = async (to: string) => {
    const { status, body } = await registry.get(`/appointments/load?idFilial=${idFilial}&from=${DAY}&to=${to}`)
    return [status, body[0]]
  }
  expect(await refused(dayAfter(29))).toEqual([422, { field: 'to', message: 'Конец раньше начала' }])
  expect(await refused(dayAfter(61))).toEqual([422, { field: 'to', message: 'Не больше 31 дней' }])
})
