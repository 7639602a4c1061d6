/** Rights of their own for desk operations: each is refused with all other rights, and allowed with it. */
import type { Permission } from '@ordinator/model/permissions'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

const own: Permission[] = [
  'overbookAppointments',
  'editPastAppointments',
  'reopenVisit',
  'editVisitPrices',
  'viewDiscounts',
  'refundPayments',
]
const base: Permission[] = [...registryRights, 'takePayments', 'viewAllCashDesks']

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let desk: Awaited<ReturnType<typeof billing>>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', [...new Set([...worldOf.rights, ...billing.rights])])
      await addPerson(app, 'all', [...base, ...own])
      for (const right of own)
        await addPerson(app, `no${right}`.toLowerCase(), [...base, ...own.filter((one) => one !== right)])
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  const { id } = good(
    await keeper.post('/organizations', {
      kind: 'own',
      shortName: 'ООО «Клиника»',
      inn: '7707083893',
      kpp: '770701001',
    }),
    201,
  )
  desk = await billing(keeper, worlds, id)
})
afterAll(() => clinic.close())

const DAY = dayAfter(30)
const PAST = dayAfter(-3)
const today = () => dayIn('Europe/Moscow', Date.now())

/** Creates the operation's subject, so that each attempt has its own. @returns the operation */
type MakeCall = () => Promise<(by: Caller) => Promise<Answer>>

const moved =
  (to: object): MakeCall =>
  async () => {
    const { book } = await worlds.make()
    await book('10:00')
    const { id } = good(await book('11:00'), 201)
    return (by) => by.post(`/appointments/${id}/move`, { localDate: DAY, localStart: '10:00', ...to })
  }
const booked =
  (start: string, more: object): MakeCall =>
  async () => {
    const { book } = await worlds.make()
    good(await book('10:00'), 201)
    return (by) => book(start, more, {}, by)
  }
/** A line of a visit whose patient has arrived. */
const line =
  (act: (ids: { id: number; idLine: number }) => (by: Caller) => Promise<Answer>): MakeCall =>
  async () => {
    const { id, lines } = await desk.visit([1])
    return act({ id, idLine: lines[0] as number })
  }

const cases: [Permission, string, number, MakeCall][] = [
  ['overbookAppointments', 'a second one at a time that is taken', 403, booked('10:00', { overbook: true })],
  ['overbookAppointments', 'a visit moved to one', 403, moved({ overbook: true })],
  ['overbookAppointments', 'a visit outside of the shift', 409, booked('15:00', { outside: true })],
  ['overbookAppointments', 'a visit moved out of it', 409, moved({ localStart: '15:00', outside: true })],
  ['editPastAppointments', 'a visit of a past day', 422, booked('10:00', { localDate: PAST, outside: true })],
  ['editPastAppointments', 'a visit moved to one', 422, moved({ localDate: PAST, outside: true })],
  [
    'editPastAppointments',
    'a visit of today that would have begun',
    422,
    booked('00:00', { localDate: today(), outside: true }),
  ],
  [
    'editPastAppointments',
    'a series that begins on a past day',
    422,
    async () => {
      const { body } = await worlds.make()
      const { localDate: _, ...rest } = body('09:00')
      return (by) =>
        by.post('/appointments/series', { ...rest, outside: true, days: [{ localDate: PAST, localStart: '09:00' }] })
    },
  ],
  [
    'reopenVisit',
    'a visit that was completed',
    409,
    line(({ id }) => async (by) => {
      for (const status of ['inProgress', 'completed']) await keeper.post(`/appointments/${id}/status`, { status })
      return by.post(`/appointments/${id}/status`, { status: 'inProgress' })
    }),
  ],
  [
    'editVisitPrices',
    'the price of a line',
    403,
    line(
      ({ idLine }) =>
        (by) =>
          by.put(`/coupon-services/${idLine}`, { price: 1 }),
    ),
  ],
  [
    'editVisitPrices',
    'the price of many lines',
    403,
    line(
      ({ idLine }) =>
        (by) =>
          by.post('/coupon-services/batch', { update: [{ id: idLine, price: 1 }] }),
    ),
  ],
  [
    'viewDiscounts',
    'the discounts of a visit',
    403,
    line(
      ({ id }) =>
        (by) =>
          by.post(`/appointments/${id}/discounts`, { manual: null }),
    ),
  ],
  [
    'refundPayments',
    'money given back',
    403,
    async () => {
      const { idCustomer } = await desk.visit([1])
      const { id } = good(await desk.take(idCustomer, 100))
      const parts = [{ method: 'cash', sum: 40 }]
      return (by) => by.post(`/payments/${id}/refund`, { key: desk.key(), parts, reason: 'Передумал' })
    },
  ],
]

const known = new Map<string, Caller>()
function who(login: string): Caller {
  const caller = known.get(login) ?? clinic.as(login)
  known.set(login, caller)
  return caller
}

it.each(cases)('%s: %s', async (right, _what, refused, make) => {
  const act = await make()
  const without = await act(who(`no${right}`.toLowerCase()))
  expect([without.status, without.body]).toEqual([refused, expect.anything()])
  const done = await act(who('all'))
  expect([200, 201], JSON.stringify(done.body)).toContain(done.status)
})
