/** Invalid times at every call that books: a clear message, and no partial writes. */
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let registry: Caller
/** May write the past, and book outside of shifts. */
let over: Caller
let world: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      await addPerson(app, 'registry', registryRights)
      await addPerson(app, 'over', [...registryRights, 'overbookAppointments', 'editPastAppointments'])
    },
  })
  const keeper = clinic.as('keeper')
  registry = clinic.as('registry')
  over = clinic.as('over')
  await Promise.all([keeper, registry, over].map((one) => one.token()))
  world = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const DAY = dayAfter(30)
const today = dayAfter(0)
/** 2027 is a common year. */
const NO_DAY = '2027-02-29'

const outcomeOf = ({ status, body }: Answer) =>
  status === 422
    ? body.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)
    : [status, body.code, body.message]

type World = Awaited<ReturnType<typeof world.make>>
interface Asked {
  localDate: string
  localStart: string
  minutes?: number
}

/** The booking calls: each requests the same time, for a patient who has one visit. */
const calls = {
  book: ({ book }: World, { localDate, localStart, minutes }: Asked) =>
    book(localStart, { localDate }, { minutes }, registry),
  series: ({ body }: World, { localDate, localStart, minutes }: Asked) => {
    const { localDate: _, ...visit } = body(localStart, {}, { minutes })
    return registry.post('/appointments/series', { ...visit, days: [{ localDate, localStart }] })
  },
  move: (_: World, asked: Asked, id: number) => registry.post(`/appointments/${id}/move`, asked),
}

const written = async ({ idCustomer }: World) => {
  const [row] = await clinic.db.query<Record<string, unknown>>({
    text: `select (select count(*) from appointments where "idCustomer" = $1)::int as visits,
      (select count(*) from coupons c join appointments a on a."id" = c."idAppointment" where a."idCustomer" = $1)::int as coupons,
      (select count(*) from visit_occupancy o join coupons c on c."id" = o."idCoupon" join appointments a
        on a."id" = c."idAppointment" where a."idCustomer" = $1)::int as times,
      (select count(*) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a
        on a."id" = c."idAppointment" where a."idCustomer" = $1)::int as lines,
      (select count(*) from appointments_moves m join appointments a on a."id" = m."idAppointment"
        where a."idCustomer" = $1)::int as moves,
      (select min(a."localDate"::text || ' ' || a."localStart") from appointments a where a."idCustomer" = $1) as at`,
    values: [idCustomer],
  })
  return row
}

describe.each(Object.keys(calls) as (keyof typeof calls)[])('%s refuses a visit', (call) => {
  async function refused(asked: Partial<Asked>, wanted = {}): Promise<unknown> {
    const made = await world.make({ from: '09:00', to: '12:00', ...wanted })
    const { id } = good(await made.book('09:00', {}, {}, registry), 201)
    const before = await written(made)
    expect(before).toMatchObject({ visits: 1, coupons: 1, times: 1, lines: 1, moves: 0, at: `${DAY} 09:00` })
    const answer = await calls[call](made, { localDate: DAY, localStart: '10:00', ...asked }, id)
    expect(await written(made)).toEqual(before)
    return outcomeOf(answer)
  }
  /** The field's name in this call. */
  const field = (name: string, ofMove = name) => (call === 'move' ? ofMove : name)

  it('in the past', async () => {
    expect(await refused({ localDate: plusDays(today, -1) })).toEqual(['localDate: Этот день уже прошёл'])
  })

  it('at a past hour of today', async () => {
    expect(await refused({ localDate: today, localStart: '00:00' })).toEqual(['localStart: Это время уже прошло'])
  })

  it('in the past of a branch in another time zone, whose day is over locally', async () => {
    const [late, early] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']
    const there = dayIn(late, Date.now())
    expect(await refused({ localDate: there, localStart: '23:00' }, { timeZone: early })).toEqual([
      'localDate: Этот день уже прошёл',
    ])
  })

  it('across midnight', async () => {
    const midnight = 'Визит не может переходить через полночь'
    const spanned = call === 'move' ? 'minutes' : 'localStart'
    expect(await refused({ localStart: '23:45' })).toEqual([`${spanned}: ${midnight}`])
    expect(await refused({ localStart: '10:00', minutes: 841 })).toEqual([`minutes: ${midnight}`])
    const end = { from: '00:00', to: '24:00' }
    const beyond = `${call === 'series' ? 'days.0.localStart' : field('coupons.0.localStart', 'localStart')}`
    const lists = call === 'series' ? [`coupons.0.localStart: День кончается раньше`] : []
    expect(await refused({ localStart: '24:00' }, end)).toEqual([...lists, `${beyond}: День кончается раньше`])
  })

  it('outside of shifts', async () => {
    const outside = [409, 'outside', 'Это время вне смены врача']
    expect(await refused({ localStart: '12:00' })).toEqual(outside)
    expect(await refused({ localStart: '11:45' })).toEqual(outside)
    expect(await refused({ localDate: dayAfter(31) })).toEqual(outside)
  })

  it('of zero length, below the minimum and longer than a day', async () => {
    const name = field('coupons.0.minutes', 'minutes')
    for (const minutes of [0, -30]) expect(await refused({ minutes })).toEqual([`${name}: Длительность больше нуля`])
    expect(await refused({ minutes: 1_441 })).toEqual([`${name}: Не больше суток`])
  })

  it('on 29 February of a common year', async () => {
    const name = field(call === 'series' ? 'days.0.localDate' : 'localDate', 'localDate')
    expect(await refused({ localDate: NO_DAY })).toEqual([`${name}: Нужна дата`])
  })
})

it('a visit of two times is not moved if the second would fall on the next day', async () => {
  const made = await world.make({ from: '09:00', to: '24:00' })
  const { localDate: _, ...one } = made.body('10:00')
  const coupons = ['10:00', '14:00'].map((localStart) => ({ ...one.coupons[0], localStart }))
  const { id } = good(await registry.post('/appointments/book', { ...one, localDate: DAY, coupons }), 201)
  const before = await written(made)
  const late = { localDate: DAY, localStart: '21:00' }
  const refused = ['localStart: Визит не может переходить через полночь']
  expect(outcomeOf(await registry.post('/appointments/series', { ...one, coupons, days: [late] }))).toEqual(refused)
  expect(outcomeOf(await registry.post(`/appointments/${id}/move`, late))).toEqual(refused)
  expect(await written(made)).toEqual(before)
})

it('accepts 29 February of a leap year', async () => {
  const { book, idFilial } = await world.make({ shifts: false })
  const visit = good(await book('10:00', { localDate: '2024-02-29', outside: true }, {}, over), 201)
  expect([visit.localDate, new Date(visit.dateFrom).toISOString()]).toEqual(['2024-02-29', '2024-02-29T07:00:00.000Z'])
  const day = good(await registry.get(`/appointments/day?idFilial=${idFilial}&date=2024-02-29`))
  expect(day.visits).toHaveLength(1)
})

it('refuses a hold in the past, across midnight and of zero length', async () => {
  const { idFilial, idDoctors } = await world.make()
  const body = { idUser: idDoctors[0], idFilial, localDate: DAY, localStart: '10:00', minutes: 30 }
  const refused = async (more: object) => outcomeOf(await registry.post('/appointments/holds', { ...body, ...more }))
  expect(await refused({ localDate: plusDays(today, -1) })).toEqual(['localStart: Это время уже прошло'])
  expect(await refused({ localDate: NO_DAY })).toEqual(['localDate: Нужна дата, например 25.11.2026'])
  expect(await refused({ minutes: 0 })).toMatchObject([expect.stringMatching(/^minutes: /)])
  expect(await refused({ localStart: '23:45' })).toEqual(['minutes: День кончается в 24:00'])
  expect(await refused({ localStart: '24:00' })).toEqual(['minutes: День кончается в 24:00'])
})
