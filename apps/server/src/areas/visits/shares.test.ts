/** Performers of a coupon line and their shares, set together. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', [...worldOf.rights, 'editVisitPrices'])
      await addPerson(app, 'desk', registryRights)
      await addPerson(app, 'stranger', ['viewCalendar', 'editVisitPrices'])
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const outcomeOf = ({ status, body }: Answer): [number, unknown] => [
  status,
  body.map?.(({ field, message }: { field: string; message: string }) =>
    `${field}: ${message}`.replaceAll('\u00a0', ' '),
  ),
]

/** A booked line and three possible performers. */
async function line() {
  const { book } = await worlds.make()
  const visit = good(await book('09:00'), 201)
  const [{ id }] = good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${visit.id}`)).items
  const [a, b, c] = [await worlds.doctor(), await worlds.doctor(), await worlds.doctor()]
  const say = (shares: readonly (readonly [number, number])[], by = keeper) =>
    by.post(`/coupon-services/${id}/performers`, {
      performers: shares.map(([idUser, share]) => ({ idUser, share })),
    })
  const stand = async (): Promise<[number, number][]> =>
    good(await keeper.get(`/coupon-services/${id}?expand=performers`)).performers.map(
      ({ idUser, share }: { idUser: number; share: number }) => [idUser, share],
    )
  return { id: id as number, idVisit: visit.id as number, a: a.id, b: b.id, c: c.id, say, stand }
}

it("replaces the previous set, adds up to the whole, and is recorded in the visit's history", async () => {
  const { idVisit, a, b, c, say, stand } = await line()
  good(
    await say([
      [a, 70],
      [b, 30],
    ]),
    204,
  )
  // Each step between two sets stays within the whole.
  good(
    await say([
      [b, 66.66],
      [c, 33.34],
    ]),
    204,
  )
  expect(await stand()).toEqual([
    [b, 66.66],
    [c, 33.34],
  ])
  good(
    await say([
      [b, 10],
      [a, 56.66],
      [c, 33.34],
    ]),
    204,
  )
  expect((await stand()).toSorted(([x], [y]) => x - y)).toEqual([
    [a, 56.66],
    [b, 10],
    [c, 33.34],
  ])
  // The first performer gets more only after the last gets less.
  good(
    await say([
      [b, 56.66],
      [c, 33.34],
      [a, 10],
    ]),
    204,
  )
  expect((await stand()).map(([, share]) => share).toSorted()).toEqual([10, 33.34, 56.66])
  good(await say([]), 204)
  expect(await stand()).toEqual([])
  const { items } = good(await keeper.get(`/appointments/${idVisit}/history?parts=1&limit=50`))
  const own = items.filter(({ path }: { path: string }) => path === 'coupon-services/performers')
  expect(own.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    'create',
    'create',
    'create',
    'create',
    'delete',
    'delete',
    'delete',
    'delete',
    'update',
    'update',
    'update',
    'update',
  ])
})

it('errors are at their fields, and nothing is changed', async () => {
  const { id, a, b, say, stand } = await line()
  good(
    await say([
      [a, 60],
      [b, 40],
    ]),
    204,
  )
  for (const [shares, errors] of [
    [
      [
        [a, 60],
        [b, 30],
      ],
      ['performers: Вместе должно быть 100 %, сейчас 90 %'],
    ],
    [
      [
        [a, 60],
        [b, 40.01],
      ],
      ['performers: Вместе должно быть 100 %, сейчас 100,01 %'],
    ],
    [[[a, 99]], ['performers: Вместе должно быть 100 %, сейчас 99 %']],
    [
      [
        [a, 50],
        [a, 50],
      ],
      ['performers.1.idUser: Этот исполнитель уже есть'],
    ],
    [
      [
        [a, 0],
        [b, 100],
      ],
      ['performers.0.share: Доля больше нуля'],
    ],
    [
      [
        [a, -1],
        [b, 101],
      ],
      ['performers.0.share: Доля больше нуля', 'performers.1.share: Не больше 100 %'],
    ],
    [
      [
        [a, 33.333],
        [b, 66.667],
      ],
      ['performers.0.share: Не больше 2 знаков после запятой', 'performers.1.share: Не больше 2 знаков после запятой'],
    ],
    [
      [
        [b, 40],
        [999_999_999, 60],
      ],
      ['performers.1.idUser: Запись не найдена'],
    ],
  ] as const)
    expect(outcomeOf(await say(shares))).toEqual([422, errors])
  expect((await say(Array.from({ length: 11 }, (_, at) => [at + 1, 1] as const))).status).toBe(422)
  expect(await stand()).toEqual([
    [a, 60],
    [b, 40],
  ])
  // Of two concurrent requests one set is stored, never a mix.
  const { id: other } = await worlds.doctor()
  const both = await Promise.all([
    say([[a, 100]]),
    say([
      [other, 55],
      [b, 45],
    ]),
  ])
  expect(both.map(({ status }) => status)).toEqual([204, 204])
  expect((await stand()).reduce((sum, [, share]) => sum + share, 0)).toBe(100)
  expect((await keeper.post('/coupon-services/999999999/performers', { performers: [] })).status).toBe(404)
  expect(id).toBeGreaterThan(0)
})

it('needs the right to set prices and access to the visit', async () => {
  const { a, say } = await line()
  expect((await say([[a, 100]], clinic.as('desk'))).status).toBe(403)
  expect((await say([[a, 100]], clinic.as('stranger'))).status).toBe(404)
})
