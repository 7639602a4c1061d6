import type { Chain } from '@ordinator/model/areas/visits/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let registry: Caller
let worlds: ReturnType<typeof worldOf>
let serial = 0
const DAY = dayAfter(30)

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

/** The branch of example 10: blood test, ultrasound and a doctor, each performer free in two spans of the day. */
async function clinicDay() {
  const { idFilial, idCustomer } = await worlds.make({ doctors: 0 })
  const parts: { idService: number; idUser: number }[] = []
  for (const [minutes, price, spans] of [
    [10, 300, ['09:00-09:20', '10:00-11:00']],
    [20, 1500, ['09:30-09:50', '10:30-11:10']],
    [30, 2000, ['10:00-10:40', '11:15-12:00']],
  ] as const) {
    const { id: idService } = await worlds.post('services', { nameService: `Шаг ${++serial}`, priceService: price })
    await worlds.post('service-durations', { idService, minutes })
    const { id: idUser } = await worlds.doctor()
    await worlds.post('service-performers', { idService, idUser })
    for (const [localFrom, localTo] of spans.map((span) => span.split('-')))
      await worlds.shift(idUser, idFilial, { localFrom, localTo })
    parts.push({ idService, idUser })
  }
  const find = async (more: object = {}): Promise<Chain[]> =>
    good(
      await registry.post('/appointments/chains', {
        idFilial,
        parts: parts.map(({ idService }) => ({ idService })),
        from: dayAfter(20),
        to: dayAfter(50),
        ...more,
      }),
    ).items
  const book = (chain: Chain, idPatient = idCustomer) =>
    registry.post('/appointments/book', {
      idCustomer: idPatient,
      idFilial,
      localDate: chain.localDate,
      coupons: chain.parts.map(({ idUser, idRoom, localStart, minutes, idService }) => ({
        idUser,
        idRoom,
        localStart,
        minutes,
        services: [{ idService }],
      })),
    })
  const at = (chain: Chain | undefined) =>
    chain?.parts.map(({ idService, localStart }) => [parts.findIndex((one) => one.idService === idService), localStart])
  return { idFilial, idCustomer, parts, find, book, at }
}

it('finds chains over doctors and spans, shortest first, and in the requested order (example 10)', async () => {
  const { find, at, parts } = await clinicDay()
  const [best] = await find()
  expect(best).toMatchObject({ localDate: DAY, localStart: '10:00', minutes: 60 })
  expect(best?.parts.map(({ price }) => price)).toEqual([300, 2000, 1500])
  expect(at(best)).toEqual([
    [0, '10:00'],
    [2, '10:10'],
    [1, '10:40'],
  ])
  expect(at((await find({ inOrder: true }))[0])).toEqual([
    [0, '10:40'],
    [1, '10:50'],
    [2, '11:15'],
  ])
  expect(await find({ inOrder: true, gap: 0 })).toEqual([])
  const { id: nobody } = await worlds.doctor()
  const [first, ...rest] = parts
  expect(await find({ parts: [{ ...first, idUser: nobody }, ...rest] })).toEqual([])
  const wrong = await registry.post('/appointments/chains', { idFilial: 1, parts: [first], from: DAY, to: DAY })
  expect([wrong.status, wrong.body[0].message]).toEqual([422, 'В цепочке хотя бы две услуги'])
})

it('books a chain completely or not at all: of two concurrent requests one leaves nothing', async () => {
  const { find, book, at, idFilial } = await clinicDay()
  const [best] = (await find()) as [Chain]
  const idOther = await worlds.patient()
  const rivals = await Promise.all([book(best), book(best, idOther)])
  expect(rivals.map(({ status }) => status).sort()).toEqual([201, 409])
  const won = rivals.find(({ status }) => status === 201)?.body
  const coupons = good(await registry.get(`/coupons?filter[idAppointment]=${won.id}&sort=dateFrom`)).items
  expect(coupons.map(({ localStart }: { localStart: string }) => localStart)).toEqual(['10:00', '10:10', '10:40'])
  const left = await clinic.db.query<{ id: number }>({
    text: 'select "id" from coupons where "idFilial" = $1',
    values: [idFilial],
  })
  expect(left).toHaveLength(3)
  // The rest of the day is offered to the next request, around the taken times.
  expect(await find()).toEqual([])
  const [next] = await find({ gap: 120 })
  expect(at(next)).toEqual([
    [1, '09:30'],
    [0, '10:50'],
    [2, '11:15'],
  ])
  good(await book(next as Chain, idOther), 201)
})

it('keeps the cleaning time of a device: offered times can be booked', async () => {
  const { idFilial, idCustomer } = await worlds.make({ doctors: 0 })
  const { id: idKind } = await worlds.post('equipment-kinds', { name: `Аппарат ${++serial}` })
  await worlds.post('filials/equipment', { idFilial, idKind, cleaning: 15 })
  const parts: { idService: number }[] = []
  for (const minutes of [20, 30]) {
    const { id: idService } = await worlds.post('services', { nameService: `Шаг ${++serial}`, priceService: 500 })
    await worlds.post('service-durations', { idService, minutes })
    await worlds.post('service-equipment', { idService, idKind })
    const { id: idUser } = await worlds.doctor()
    await worlds.post('service-performers', { idService, idUser })
    await worlds.shift(idUser, idFilial)
    parts.push({ idService })
  }
  const asked = { idFilial, parts, from: DAY, to: DAY, inOrder: true }
  const [best] = good(await registry.post('/appointments/chains', asked)).items as [Chain]
  expect(best.parts.map(({ localStart }) => localStart)).toEqual(['09:00', '09:35'])
  const booked = await registry.post('/appointments/book', {
    idCustomer,
    idFilial,
    localDate: DAY,
    coupons: best.parts.map(({ idUser, idRoom, localStart, minutes, idService }) => ({
      idUser,
      idRoom,
      localStart,
      minutes,
      services: [{ idService }],
    })),
  })
  good(booked, 201)
})
