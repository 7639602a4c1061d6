/** Promised price at booking (worked example 14 of the day's brief), outside treatment plans. */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let idOrganization: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: (app) =>
      addPerson(app, 'keeper', [
        ...new Set([
          ...worldOf.rights,
          ...billing.rights,
          'editVisitPrices' as const,
          'viewDiscounts' as const,
          'editDiscounts' as const,
        ]),
      ]),
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  const own = { kind: 'own', shortName: 'ООО «Клиника»', inn: '7707083893', kpp: '770701001' }
  idOrganization = good(await keeper.post('/organizations', own), 201).id
})
afterAll(() => clinic.close())

/** A branch with a desk whose own list price is 2000 since yesterday; its doctor works on the requested days. */
async function branch(days: readonly number[] = []) {
  const cash = await billing(keeper, worlds, idOrganization)
  const { idFilial, idService, idUser } = cash
  const idCustomer = await worlds.patient()
  const { id: idPriceList } = await worlds.post('price-lists', { name: `Филиал ${idFilial}`, kind: 'main', idFilial })
  await worlds.post('service-prices', { idService, idPriceList, price: 2000, dateFrom: dayAfter(-1) })
  for (const day of days) await worlds.shift(idUser, idFilial, { localDate: dayAfter(day) })
  const book = async (day: number, localStart: string, services: object[] = [{ idService }]) => {
    const coupons = [{ idUser, localStart, services }]
    const body = { idCustomer, idFilial, localDate: dayAfter(day), coupons }
    return good(await keeper.post('/appointments/book', body), 201).id as number
  }
  return {
    ...cash,
    idCustomer,
    book,
    /** Sets another list price from that day on. */
    list: async (price: number, from: number) =>
      good(
        await keeper.post(`/services/${idService}/new-price`, {
          idPriceList,
          price,
          dateFrom: dayAfter(from),
          replace: true,
        }),
        201,
      ),
    move: async (id: number, day: number, localStart = '10:00') =>
      good(await keeper.post(`/appointments/${id}/move`, { localDate: dayAfter(day), localStart })),
    priceOf: async (id: number): Promise<[number, string | null]> => {
      const { lines } = good(await keeper.get(`/appointments/${id}/price`))
      return [lines[0].final, lines[0].promise?.replaceAll('\u00a0', ' ') ?? null]
    },
  }
}
const words = (day: number) => dayAfter(day).split('-').toReversed().join('.')

it('01.12 at 2000, the list 2300 from 10.12: 2000 on 20.12 and up to the thirtieth day, 2300 afterwards', async () => {
  const { book, list, move, priceOf, idUser, idFilial, idService } = await branch([1, 9, 19, 30, 31, 45])
  const id = await book(1, '10:00')
  expect(await priceOf(id)).toEqual([2000, null])
  await list(2300, 9)
  const holds = `Цена, названная при записи, действует по ${words(30)}: по прайс-листу на день визита 2 300,00 ₽`
  const over = `Цена при записи, 2 000,00 ₽, действовала по ${words(30)}`
  for (const [day, price] of [
    [19, [2000, holds]],
    [31, [2300, over]],
    [30, [2000, holds]],
    [45, [2300, over]],
    [9, [2000, holds]],
    [1, [2000, null]],
  ] as const) {
    await move(id, day)
    expect([day, ...(await priceOf(id))]).toEqual([day, ...price])
  }
  // A new booking gets the lower of both while promised, and the price of free times equals the cost.
  for (const [day, price] of [
    [30, 2000],
    [31, 2300],
  ] as const) {
    const at = `idFilial=${idFilial}&idUser=${idUser}&from=${dayAfter(day)}&to=${dayAfter(day)}`
    const [slot] = good(await keeper.get(`/appointments/slots?idService=${idService}&${at}&limit=1`)).items
    expect([day, slot.price]).toEqual([day, price])
    expect([day, (await priceOf(await book(day, '11:00')))[0]]).toEqual([day, price])
  }
})

it('a lower list price is used, and a fully paid price is fixed', async () => {
  const { book, list, move, priceOf, take, idCustomer } = await branch([5, 20, 45])
  const cheaper = await book(5, '10:00')
  const paid = await book(5, '10:30')
  const partly = await book(5, '11:00')
  const [{ id: idPaid }] = good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${paid}`)).items
  const [{ id: idPartly }] = good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${partly}`)).items
  good(await take(idCustomer, 2000, { lines: [{ idCouponService: idPaid, sum: 2000 }] }))
  good(await take(idCustomer, 500, { lines: [{ idCouponService: idPartly, sum: 500 }] }))
  await list(2300, 10)
  for (const id of [cheaper, paid, partly]) await move(id, 45, { [cheaper]: '10:00', [paid]: '10:30' }[id] ?? '11:00')
  expect((await priceOf(cheaper))[0]).toBe(2300)
  expect(await priceOf(paid)).toEqual([
    2000,
    'Оплачена заранее полностью, цена не меняется: по прайс-листу на день визита 2 300,00 ₽',
  ])
  expect((await priceOf(partly))[0]).toBe(2300)
  await list(1800, 15)
  for (const day of [20, 45]) {
    await move(cheaper, day, '10:00')
    expect(await priceOf(cheaper)).toEqual([
      1800,
      'По прайс-листу на день визита дешевле, чем при записи: было 2 000,00 ₽',
    ])
  }
  await move(paid, 20, '10:30')
  expect((await priceOf(paid))[0]).toBe(2000)
})

it('is recomputed when the patient arrives, and not later', async () => {
  const { book, list, priceOf, to, done, linesOf } = await branch()
  const [raised, lowered, late] = [await book(0, '22:00'), await book(0, '22:30'), await book(0, '23:00')]
  // Booked thirty-one days ago.
  await clinic.db.query({
    text: `update coupon_services set "priceUntil" = $1 where "idCoupon" in (select "id" from coupons where "idAppointment" = $2)`,
    values: [dayAfter(-1), late],
  })
  await list(2300, 0)
  expect(await priceOf(late)).toEqual([
    2000,
    `Названная при записи цена действует по ${words(-1)}: в день визита будет 2 300,00 ₽`,
  ])
  good(await to(raised, 'arrived'))
  expect((await priceOf(raised))[0]).toBe(2000)
  good(await to(late, 'inProgress'))
  expect((await priceOf(late))[0]).toBe(2300)
  good(await to(late, 'completed'))
  await list(1800, 0)
  expect((await priceOf(lowered))[1]).toBe('В день визита будет 1 800,00 ₽: по прайс-листу стало дешевле')
  good(await to(lowered, 'arrived'))
  expect((await priceOf(lowered))[0]).toBe(1800)
  const [given] = await linesOf(lowered)
  good(await done(given?.id as number), 204)
  await list(1600, 0)
  good(await to(lowered, 'inProgress'))
  expect((await priceOf(lowered))[0]).toBe(1800)
  // A line given again costs the current price.
  good(await to(late, 'inProgress'))
  good(await to(late, 'completed'))
  expect((await linesOf(late))[0]?.finalCost).toBe(1600)
})

it("uses the clinic's number of days; a manual price and one of a past day are not promised", async () => {
  const { book, list, move, priceOf } = await branch([-1, 1, 2, 10])
  good(await keeper.put('/settings/common', { pricePromiseDays: 2 }))
  const id = await book(1, '10:00')
  const byHand = await book(1, '11:00')
  const [line] = good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${byHand}`)).items
  good(await keeper.put(`/coupon-services/${line.id}`, { price: 1700 }))
  await list(2300, 1)
  await move(id, 2)
  expect((await priceOf(id))[0]).toBe(2000)
  await move(id, 10)
  expect((await priceOf(id))[0]).toBe(2300)
  await move(byHand, 10, '11:00')
  expect(await priceOf(byHand)).toEqual([1700, null])
  await list(1500, 0)
  expect(await priceOf(await book(-1, '10:00'))).toEqual([2000, null])
  good(await keeper.put('/settings/common', { pricePromiseDays: 30 }))
})

describe('a price by hand', () => {
  const lineOf = async (id: number) =>
    good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${id}`)).items[0]
  const set = (line: { id: number }, body: object) => keeper.put(`/coupon-services/${line.id}`, body)

  it('above the promised one needs a reason, which takes the promise back; below it the promise stays', async () => {
    const { book, list, move, priceOf } = await branch([1, 9, 45])
    const id = await book(1, '10:00')
    const line = await lineOf(id)
    const refused = await set(line, { price: 2500 })
    expect([refused.status, refused.body.code]).toEqual([409, 'promised'])
    expect(refused.body.message.replaceAll('\u00a0', ' ')).toMatch(/^Пациенту обещано 2 000,00 ₽ по /)
    expect((await priceOf(id))[0]).toBe(2000)
    // Lower is no breach; price lists do not change it, and the way up ends at the promise.
    good(await set(line, { price: 1500 }))
    await list(2300, 9)
    await move(id, 9)
    expect((await priceOf(id))[0]).toBe(1500)
    good(await set(line, { price: 2000 }))
    expect(await set(line, { price: 2000.01 })).toMatchObject({ status: 409, body: { code: 'promised' } })
    expect(await set(line, { price: 2500, reason: ' ' })).toMatchObject({ status: 422 })
    good(await set(line, { price: 2500, reason: 'Согласовали другую пломбу' }))
    expect(await priceOf(id)).toEqual([2500, 'Обещанная цена отозвана: Согласовали другую пломбу'])
    good(await set(line, { price: 2600 }))
    // Past the last day of the promise nothing is promised.
    const far = await lineOf(await book(45, '10:00'))
    good(await set(far, { price: 9000 }))
  })

  it('keeps a quoted discount, and no change of the clinic makes the visit dearer without a reason', async () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('list' as const), price: fc.integer({ min: 1, max: 4000 }) }),
      fc.record({ act: fc.constant('hand' as const), price: fc.integer({ min: 1, max: 4000 }) }),
      fc.record({ act: fc.constant('move' as const), day: fc.constantFrom(1, 9) }),
      fc.record({ act: fc.constant('pause' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 60 }),
        async (steps, value) => {
          const { book, list, move, priceOf, idFilial } = await branch([1, 9])
          const offer = good(
            await keeper.post('/discounts', { name: 'Осень', kind: 'percent', value, filials: [idFilial] }),
            201,
          )
          good(await keeper.put(`/discounts/${offer.id}`, { status: 'active' }))
          const id = await book(1, '10:00')
          const line = await lineOf(id)
          const [promised] = await priceOf(id)
          let at = 1
          for (const one of steps) {
            if (one.act === 'list') await list(one.price, 1)
            else if (one.act === 'pause') await keeper.put(`/discounts/${offer.id}`, { status: 'paused' })
            else if (one.act === 'move') {
              if (one.day !== at) await move(id, one.day)
              at = one.day
            } else {
              const answer = await set(line, { price: one.price })
              expect(
                answer.status === 200 ? one.price <= 2000 : answer.body.code === 'promised' && one.price > 2000,
              ).toBe(true)
            }
            expect((await priceOf(id))[0]).toBeLessThanOrEqual(promised)
          }
          good(await set(line, { price: 4001, reason: 'Другая услуга' }))
          expect((await priceOf(id))[0]).toBeGreaterThan(2000 * (1 - value / 100))
        },
      ),
      { numRuns: runs(3, 40), endOnFailure: true },
    )
  })
})
