/** Prepayment required after repeated no-shows, at every call that books. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let desk: Caller
let senior: Caller
let worlds: ReturnType<typeof worldOf>
let cash: Awaited<ReturnType<typeof billing>>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', [...new Set([...worldOf.rights, ...billing.rights, 'viewAccessLog' as const])])
      await addPerson(app, 'desk', registryRights)
      await addPerson(app, 'senior', [...registryRights, 'overbookAppointments'])
    },
  })
  keeper = clinic.as('keeper')
  desk = clinic.as('desk')
  senior = clinic.as('senior')
  await Promise.all([keeper.token(), desk.token(), senior.token()])
  worlds = worldOf(clinic, keeper)
  const own = { kind: 'own', shortName: 'ООО «Клиника»', inn: '7707083893', kpp: '770701001' }
  cash = await billing(keeper, worlds, good(await keeper.post('/organizations', own), 201).id)
})
afterAll(() => clinic.close())

const demand = async (noShowDemand: number) => good(await keeper.put('/settings/common', { noShowDemand }))

/** A patient with this many no-shows. */
async function missed(times: number): Promise<number> {
  const idCustomer = await worlds.patient()
  const { idFilial, idDoctors, book } = await worlds.make({ shifts: false })
  const localDate = dayAfter(-1)
  await worlds.shift(idDoctors[0] as number, idFilial, { localDate })
  for (const start of ['09:00', '09:30', '10:00'].slice(0, times)) {
    const { id } = good(await book(start, { localDate, idCustomer }), 201)
    good(await keeper.post(`/appointments/${id}/status`, { status: 'noShow' }))
  }
  return idCustomer
}
const faultsOf = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map(({ field, message }: { field: string; message: string }) =>
        `${field}: ${message}`.replaceAll('\u00a0', ' '),
      )
    : [String(status)]
const NEEDS = 'За год не пришёл 2 раза: запись только с предоплатой. Примите в кассе аванс'
const visitsOf = async (idCustomer: number): Promise<number> =>
  good(await keeper.get(`/appointments?filter[idCustomer]=${idCustomer}&filter[visitStatus]=booked&count=1`))._meta
    .totalCount

it('is refused with a message without it, and booked with it; money of another visit does not count', async () => {
  const idCustomer = await missed(2)
  const { book, idFilial } = await worlds.make()
  const ask = (start: string, more: object = {}) => book(start, { idCustomer, ...more }, {}, desk)
  await demand(0)
  expect(good(await ask('09:00', { dryRun: true }), 201).warnings).toHaveLength(1)
  await demand(3)
  good(await ask('09:00', { dryRun: true }), 201)
  await demand(2)
  expect(faultsOf(await ask('09:00', { dryRun: true }))).toEqual([`idCustomer: ${NEEDS} 1 000,00 ₽ и запишите`])
  expect(faultsOf(await ask('09:00'))).toEqual([`idCustomer: ${NEEDS} 1 000,00 ₽ и запишите`])
  expect(await visitsOf(idCustomer)).toBe(0)
  // Other patients need no prepayment.
  good(await book('11:00', {}, {}, desk), 201)
  good(await cash.take(idCustomer, 400))
  expect(faultsOf(await ask('09:00'))).toEqual([`idCustomer: ${NEEDS} 600,00 ₽ и запишите`])
  good(await cash.take(idCustomer, 600))
  const both = await Promise.all([ask('09:00'), ask('09:30')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
  expect(await visitsOf(idCustomer)).toBe(1)
  // Moving a booked visit needs none.
  const { id } = both.find(({ status }) => status === 201)?.body ?? {}
  good(await desk.post(`/appointments/${id}/move`, { localDate: dayAfter(30), localStart: '10:30' }))
  // Neither does a past visit.
  const past = dayAfter(-1)
  const [idUser] = [(await worlds.doctor()).id]
  await worlds.post('service-performers', { idService: cash.idService, idUser })
  await worlds.shift(idUser, idFilial, { localDate: past })
  const coupons = [{ idUser, localStart: '11:00', services: [{ idService: cash.idService }] }]
  const gone = { idCustomer, idFilial, localDate: past, coupons, dryRun: true }
  good(await keeper.post('/appointments/book', gone), 201)
})

it('a series is booked with money for all of it, or not at all', async () => {
  await demand(2)
  const idCustomer = await missed(2)
  const { body } = await worlds.make()
  const { localDate, ...visit } = body('09:00', { idCustomer })
  const days = ['09:00', '09:30'].map((localStart) => ({ localDate, localStart }))
  const ask = () => desk.post('/appointments/series', { ...visit, days })
  good(await cash.take(idCustomer, 1000))
  expect(faultsOf(await ask())).toEqual([`idCustomer: ${NEEDS} 1 000,00 ₽ и запишите`])
  expect(await visitsOf(idCustomer)).toBe(0)
  good(await cash.take(idCustomer, 1000))
  expect(good(await ask()).ids).toHaveLength(2)
})

it('is waived for users who may overbook, with a stored reason', async () => {
  await demand(2)
  const idCustomer = await missed(2)
  const { book } = await worlds.make()
  const ask = (by: Caller, unpaidReason?: string) => book('09:00', { idCustomer, unpaidReason }, {}, by)
  expect(faultsOf(await ask(desk, 'Острая боль'))).toEqual([`idCustomer: ${NEEDS} 1 000,00 ₽ и запишите`])
  const how = `unpaidReason: ${NEEDS} 1 000,00 ₽ и запишите — или укажите, почему без предоплаты`
  expect(faultsOf(await ask(senior))).toEqual([how])
  expect(faultsOf(await ask(senior, '  '))).toEqual([how])
  const { id } = good(await ask(senior, 'Острая боль'), 201)
  const kept = await clinic.db.query<{ basis: string }>({
    text: `select "basis" from access_log where "entityType" = 'appointments' and "idEntity" = $1 and "basis" is not null`,
    values: [id],
  })
  expect(kept).toEqual([{ basis: 'Записан без предоплаты: Острая боль' }])
  // A past visit does not require the missing sum; the next future one does.
  const { idFilial, idDoctors, book: write } = await worlds.make()
  const past = { idCustomer, localDate: dayAfter(-1) }
  await worlds.shift(idDoctors[0] as number, idFilial, { localDate: past.localDate })
  good(await write('09:00', past), 201)
  expect((await write('09:00', { idCustomer })).status).toBe(422)
})

it('applies to the waiting list too', async () => {
  await demand(2)
  const idCustomer = await missed(2)
  const { idFilial, idService, idDoctors } = await worlds.make()
  const entry = good(await desk.post('/waiting-list', { idCustomer, idFilial, idService }), 201)
  const time = { idUser: idDoctors[0], localDate: dayAfter(30), localStart: '10:00' }
  const { id } = good(await desk.post(`/waiting-list/${entry.id}/offer`, time), 201)
  const answer = (by: Caller, more: object = {}) =>
    by.post(`/waiting-list/offers/${id}/answer`, { accepted: true, ...more })
  expect(faultsOf(await answer(desk))).toEqual([`idCustomer: ${NEEDS} 1 000,00 ₽ и запишите`])
  expect(good(await desk.get(`/waiting-list/${entry.id}`)).status).toBe('offered')
  good(await cash.take(idCustomer, 1000))
  expect(good(await answer(desk)).answer).toBe('accepted')
})
