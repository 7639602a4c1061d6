/** Bonuses over HTTP: earned by paid and given lines, spent on services, returned, taken back and expired. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn, plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let cashier: Caller
let desk: Awaited<ReturnType<typeof billing>>
let idOrganization: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [
        ...worldOf.rights,
        ...billing.rights,
        'viewDiscounts',
        'editDiscounts',
        'editBonuses',
      ])
      await addPerson(app, 'cashier', ['viewCustomers', 'takePayments', 'refundPayments', 'viewAllCashDesks'])
      await addPerson(app, 'nurse', ['viewCustomers'])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  cashier = clinic.as('cashier')
  await Promise.all([keeper.token(), cashier.token()])
  const { id } = good(await keeper.post('/discounts', { name: 'Оплата бонусами', kind: 'bonus', value: 30 }), 201)
  good(await keeper.put(`/discounts/${id}`, { status: 'active' }))
  desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
})
afterAll(() => clinic.close())
beforeEach(async () => {
  await clinic.db.query({ text: 'update discounts_bonus_programs set "active" = false' })
})

const today = () => dayIn('Europe/Moscow', Date.now())
const program = async (more: object = {}) =>
  good(await keeper.post('/discounts/bonus-programs', { name: `Программа ${desk.key()}`, percent: 5, ...more }), 201)
    .id as number
const read = async (idCustomer: number, more = '') =>
  good(await cashier.get(`/customers/${idCustomer}/bonuses?${more}`))
const has = async (idCustomer: number): Promise<number> => (await read(idCustomer, 'limit=0')).available
const add = (idCustomer: number, sum: number, more: object = {}) =>
  keeper.post(`/customers/${idCustomer}/bonuses`, { key: desk.key(), kind: 'add', sum, reason: 'Подарок', ...more })
const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status}`]
const chosen = (lines: readonly number[], sum: number) => lines.map((idCouponService) => ({ idCouponService, sum }))
/** Checks that bonus records, the ledger account and the lines agree. */
async function balanced(idCustomer: number) {
  const [row] = await clinic.db.query<{ left: number; held: number; spent: number; lines: number; least: number }>({
    text: `select (select coalesce(sum("left"), 0) from bonuses where "idCustomer" = $1)::float8 as left,
        (select coalesce(-sum(e."amount"), 0) / 100 from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
          and e."unit" = 'BONUS' where a."kind" = 'bonus' and a."idCustomer" = $1)::float8 as held,
        (select coalesce(sum(s."sum"), 0) / 100.0 from bonus_spends s join bonuses b on b."id" = s."idBonus"
          where b."idCustomer" = $1)::float8 as spent,
        (select coalesce(sum(l."bonus"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon"
          join appointments a on a."id" = c."idAppointment" where a."idCustomer" = $1)::float8 as lines,
        (select coalesce(min("left"), 0) from bonuses where "idCustomer" = $1)::float8 as least`,
    values: [idCustomer],
  })
  expect(row?.held).toBeCloseTo(row?.left ?? -1, 6)
  expect(row?.lines).toBeCloseTo(row?.spent ?? -1, 6)
  expect(row?.least).toBeGreaterThanOrEqual(0)
}

describe('a payment', () => {
  it('earns by the best programme once the service is given, from the valid day until the last day', async () => {
    await program({ delayDays: 14, lifeDays: 90 })
    const best = await program({
      percent: 10,
      tiers: [{ fromSum: 1_000_000, percent: 50 }],
      delayDays: 14,
      lifeDays: 90,
    })
    await program({ percent: 40, exceptServices: [desk.idService] })
    await program({ percent: 40, tags: ['VIP'] })
    await program({ percent: 40, dateTo: plusDays(today(), -1) })
    const { id, idCustomer, lines } = await desk.visit([1, 1.5])
    good(await desk.take(idCustomer, 1000, { lines: chosen(lines.slice(0, 1), 1000) }))
    // Paid ahead, so nothing is earned yet.
    expect((await read(idCustomer)).lines).toEqual([])
    good(await desk.done(lines[0] as number), 204)
    const from = plusDays(today(), 14)
    expect(await read(idCustomer)).toMatchObject({
      available: 0,
      coming: [{ day: from, sum: 100 }],
      lines: [{ comment: expect.stringMatching(/^Оплата: /), sum: 100 }],
    })
    expect(good(await cashier.get(`/bonuses?filter[idCustomer]=${idCustomer}`)).items).toMatchObject([
      { idProgram: best, percent: 10, sum: 100, left: 100, dateFrom: from, dateTo: plusDays(from, 90), owed: 0 },
    ])
    // A part of a line earns its part; the rest earns the rest.
    good(await desk.to(id, 'inProgress'))
    good(await desk.to(id, 'completed'))
    good(await desk.take(idCustomer, 500))
    good(await desk.take(idCustomer, 1000))
    expect((await read(idCustomer)).coming).toEqual([{ day: from, sum: 250 }])
    expect(good(await keeper.get(`/discounts/bonus-programs/${best}`)).given).toBe(250)
    await balanced(idCustomer)
  })

  it('earns nothing on a tariff without programmes, and keeps earlier bonuses', async () => {
    await program({ percent: 10 })
    const { idCustomer, lines } = await desk.visit([1, 2])
    good(await desk.take(idCustomer, 1000))
    good(await desk.done(lines[0] as number), 204)
    const before = await has(idCustomer)
    expect(before).toBeGreaterThan(0)
    good(await keeper.put('/settings/common', { tariff: 'basic' }))
    try {
      good(await desk.take(idCustomer, 2000))
      good(await desk.done(lines[1] as number), 204)
      expect(await has(idCustomer)).toBe(before)
    } finally {
      good(await keeper.put('/settings/common', { tariff: 'premium' }))
    }
  })

  it('earns by money only: nothing by a certificate or a write-off', async () => {
    await program()
    const [own, other] = [await desk.visit([2]), await desk.visit([1])]
    good(
      await desk.take(other.idCustomer, 600, { sells: { number: `БОН-${desk.key()}`, dateTo: plusDays(today(), 5) } }),
    )
    const { items } = good(await keeper.get(`/certificates?filter[idBuyer]=${other.idCustomer}`))
    good(await desk.done(own.lines[0] as number), 204)
    const parts = [
      { method: 'certificate', certificate: items[0].number, sum: 600 },
      { method: 'cash', sum: 400 },
    ]
    good(await desk.take(own.idCustomer, 0, { parts }))
    good(await desk.correct(own.idCustomer, 'writeOff', 500), 201)
    expect(await has(own.idCustomer)).toBe(20)
    await balanced(own.idCustomer)
  })

  it('loses its bonuses with the refund; a spent amount is collected from the next ones', async () => {
    await program({ percent: 20 })
    const { idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    const { id } = good(await desk.take(idCustomer, 1000))
    expect(await has(idCustomer)).toBe(200)
    const next = await desk.visit([1], { idCustomer })
    good(await desk.take(idCustomer, 0, { parts: [], bonus: 150, lines: chosen(next.lines, 1000) }))
    expect(await has(idCustomer)).toBe(50)
    good(await desk.refund(id, 400))
    // 80 are taken back: the 50 that are left, and 30 of the next.
    expect(await has(idCustomer)).toBe(0)
    good(await add(idCustomer, 100), 201)
    expect(await has(idCustomer)).toBe(70)
    await balanced(idCustomer)
    good(await desk.take(idCustomer, 400))
    expect(await has(idCustomer)).toBe(150)
    await balanced(idCustomer)
  })

  it('earns once, however often it is refunded and paid again', async () => {
    await program({ percent: 10 })
    const { idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    const { id } = good(await desk.take(idCustomer, 1000))
    good(await add(idCustomer, 100, { kind: 'takeOff' }), 201)
    good(await desk.refund(id, 1000))
    const owed = async () => good(await cashier.get(`/bonuses?filter[idCustomer]=${idCustomer}`)).items
    expect(await owed()).toMatchObject([{ sum: 0, left: 0, owed: 100 }])
    const again = good(await desk.take(idCustomer, 1000))
    expect(await owed()).toMatchObject([{ sum: 100, left: 0, owed: 0 }])
    good(await desk.refund(again.id, 1000))
    good(await desk.take(idCustomer, 1000))
    expect(await has(idCustomer)).toBe(0)
    await balanced(idCustomer)
  })

  it('is taken and spent even if the service left the catalogue, also by the terminal', async () => {
    await program({ percent: 10 })
    const place = await billing(keeper, worldOf(clinic, keeper), idOrganization)
    const { idCustomer, lines } = await place.visit([1, 1])
    const [first, second] = lines as [number, number]
    good(await add(idCustomer, 300), 201)
    good(await place.done(first), 204)
    await clinic.db.query({ text: 'update services set "deleted" = true where "id" = $1', values: [place.idService] })
    good(await place.take(idCustomer, 0, { parts: [{ method: 'card', sum: 1000 }] }))
    expect([await has(idCustomer), await place.owes(idCustomer)]).toEqual([400, [0, 0]])
    good(await place.done(second), 204)
    expect((await read(idCustomer, `limit=0&lines=${second}`)).most).toBe(300)
    good(await place.take(idCustomer, 700, { bonus: 300, lines: chosen([second], 1000) }))
    expect([await has(idCustomer), await place.owes(idCustomer)]).toEqual([170, [0, 0]])
    await balanced(idCustomer)
  })

  it('is posted when earning fails: the job earns it later, separately for each customer', async () => {
    await program({ percent: 10 })
    const [one, other] = [await desk.visit([1]), await desk.visit([1])]
    for (const { lines } of [one, other]) good(await desk.done(lines[0] as number), 204)
    await clinic.db.query({
      text: `create function no_bonuses() returns trigger language plpgsql as
        $$ begin if tg_argv[0] in ('', new."idCustomer"::text) then raise 'no bonuses'; end if; return new; end $$`,
    })
    const forbid = async (idCustomer: number | '') => {
      await clinic.db.query({ text: 'drop trigger if exists no_bonuses on bonuses' })
      await clinic.db.query({
        text: `create trigger no_bonuses before insert on bonuses for each row execute function no_bonuses('${idCustomer}')`,
      })
    }
    try {
      await forbid('')
      for (const { idCustomer } of [one, other]) {
        const paid = good(await desk.take(idCustomer, 0, { parts: [{ method: 'card', sum: 1000 }] }))
        expect(await desk.receipts(paid.id)).toHaveLength(1)
        expect([await has(idCustomer), await desk.owes(idCustomer)]).toEqual([0, [0, 0]])
      }
      await forbid(one.idCustomer)
      await clinic.context.jobs.run('money.bonuses')
      expect([await has(one.idCustomer), await has(other.idCustomer)]).toEqual([0, 100])
    } finally {
      await clinic.db.query({ text: 'drop function no_bonuses cascade' })
    }
    await clinic.context.jobs.run('money.bonuses')
    await clinic.context.jobs.run('money.bonuses')
    expect([await has(one.idCustomer), await has(other.idCustomer)]).toEqual([100, 100])
    await balanced(one.idCustomer)
  })

  it('earns nothing more when the service is taken back', async () => {
    await program()
    const { idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    good(await desk.take(idCustomer, 1000))
    expect(await has(idCustomer)).toBe(50)
    good(await desk.done(lines[0] as number, false), 204)
    expect(await has(idCustomer)).toBe(0)
    await balanced(idCustomer)
  })
})

describe('bonuses', () => {
  it('pay a share of a bill: the line, the coupon and the receipt cost less by it', async () => {
    const { id, idCustomer, lines } = await desk.visit([1, 1])
    good(await add(idCustomer, 1000), 201)
    good(await desk.to(id, 'inProgress'))
    good(await desk.to(id, 'completed'))
    expect((await read(idCustomer, `limit=0&lines=${lines.join(',')}`)).most).toBe(600)
    expect(await desk.owes(idCustomer)).toEqual([2000, 0])
    const pay = (bonus: number, sum: number) => desk.take(idCustomer, sum, { bonus, lines: chosen(lines, 1000) })
    expect(faults(await pay(600.01, 1399.99))).toEqual([
      'bonus: Бонусами за эти услуги можно заплатить не больше 600,00 ₽',
    ])
    expect(faults(await desk.take(idCustomer, 1, { bonus: 1 }))).toEqual([
      'bonus: Выберите услуги, за которые платят бонусами',
    ])
    const paid = good(await pay(600, 1400))
    expect(paid).toMatchObject({ sum: 1400, bonus: 600 })
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
    expect(await desk.linesOf(id)).toMatchObject([
      { bonus: 300, finalCost: 1000, finalCostWithBonuses: 700, paid: 700 },
      { bonus: 300, finalCost: 1000, finalCostWithBonuses: 700, paid: 700 },
    ])
    expect(await desk.couponOf(id)).toMatchObject({ finalCost: 2000, finalCostWithBonuses: 1400, status: 'paid' })
    const [receipt] = await desk.receipts(paid.id)
    expect(receipt.task).toMatchObject({
      total: 1400_00,
      items: [
        { settlement: 'fullPayment', amount: 700_00 },
        { settlement: 'fullPayment', amount: 700_00 },
      ],
    })
    expect(await has(idCustomer)).toBe(400)
    expect(faults(await desk.take(idCustomer, 1, { bonus: 1, lines: chosen(lines, 1000) }))).toEqual([
      'bonus: Бонусами за эти услуги можно заплатить не больше 0,00 ₽',
    ])
    await balanced(idCustomer)
  })

  it('are returned with the payment in proportion, and with a cancelled service', async () => {
    const { id, idCustomer, lines } = await desk.visit([1])
    good(await add(idCustomer, 300), 201)
    good(await desk.done(lines[0] as number), 204)
    const paid = good(await desk.take(idCustomer, 700, { bonus: 300, lines: chosen(lines, 1000) }))
    good(await desk.refund(paid.id, 350))
    expect([await has(idCustomer), await desk.owes(idCustomer)]).toEqual([150, [500, 0]])
    good(await desk.refund(paid.id, 350))
    expect([await has(idCustomer), await desk.owes(idCustomer)]).toEqual([300, [1000, 0]])
    await balanced(idCustomer)
    const again = await desk.visit([1], { idCustomer })
    good(await desk.take(idCustomer, 0, { parts: [], bonus: 200, lines: chosen(again.lines, 1000) }))
    expect(await has(idCustomer)).toBe(100)
    good(await desk.refuse(again.lines[0] as number), 204)
    expect(await has(idCustomer)).toBe(300)
    expect((await desk.linesOf(id))[0]).toMatchObject({ bonus: 0, finalCostWithBonuses: 1000 })
    const third = await desk.visit([1], { idCustomer })
    good(await desk.take(idCustomer, 0, { parts: [], bonus: 200, lines: chosen(third.lines, 1000) }))
    good(await desk.to(third.id, 'cancelled', { cancelReason: 'ill' }))
    expect(await has(idCustomer)).toBe(300)
    await balanced(idCustomer)
  })

  it('are returned only for the refunded line', async () => {
    const { id, idCustomer, lines } = await desk.visit([1, 1])
    const [covered, plain] = lines as [number, number]
    good(await desk.to(id, 'inProgress'))
    good(await desk.to(id, 'completed'))
    good(await add(idCustomer, 300), 201)
    // 700 and 1000 for the lines, 500 without a line.
    const paid = good(await desk.take(idCustomer, 2200, { bonus: 300, lines: chosen(lines, 1000) }))
    const now = async () => [
      await has(idCustomer),
      (await desk.linesOf(id)).map((line) => (line as unknown as { bonus: number }).bonus),
      await desk.owes(idCustomer),
    ]
    expect(await now()).toEqual([0, [300, 0], [0, 500]])
    good(await desk.refund(paid.id, 500))
    expect(await now()).toEqual([0, [300, 0], [0, 0]])
    good(await desk.refund(paid.id, 1000, { lines: chosen([plain], 1000) }))
    expect(await now()).toEqual([0, [300, 0], [1000, 0]])
    good(await desk.refund(paid.id, 70, { lines: chosen([covered], 70) }))
    expect(await now()).toEqual([30, [270, 0], [1100, 0]])
    await balanced(idCustomer)
    good(await desk.refund(paid.id, 630))
    expect(await now()).toEqual([300, [0, 0], [2000, 0]])
    await balanced(idCustomer)
  })

  it('are held while the terminal is pending, and returned when it declines', async () => {
    const { idCustomer, lines } = await desk.visit([1])
    good(await add(idCustomer, 300), 201)
    good(await desk.done(lines[0] as number), 204)
    const play = (fault: string | null) =>
      keeper
        .post(`/cash-desks/${desk.idDesk}/simulate`, { device: 'terminal', fault })
        .then((answer) => good(answer, 204))
    const body = {
      key: desk.key(),
      idDesk: desk.idDesk,
      idCustomer,
      parts: [{ method: 'card', sum: 700 }],
      bonus: 300,
      lines: chosen(lines, 1000),
    }
    await play('lostAnswer')
    expect((await keeper.post('/payments/take', body)).status).toBe(409)
    expect(await has(idCustomer)).toBe(0)
    expect(faults(await desk.take(idCustomer, 1, { bonus: 300, lines: chosen(lines, 1000) }))).toEqual([
      'bonus: Доступно бонусов: 0,00',
    ])
    good(await keeper.post('/payments/take', body))
    expect([await has(idCustomer), await desk.owes(idCustomer)]).toEqual([0, [0, 0]])
    const next = await desk.visit([1])
    good(await add(next.idCustomer, 300), 201)
    good(await desk.done(next.lines[0] as number), 204)
    await play('decline')
    const other = { ...body, key: desk.key(), idCustomer: next.idCustomer, lines: chosen(next.lines, 1000) }
    expect((await keeper.post('/payments/take', other)).body.code).toBe('declined')
    expect([await has(next.idCustomer), await desk.owes(next.idCustomer)]).toEqual([300, [1000, 0]])
    await balanced(idCustomer)
    await balanced(next.idCustomer)
  })

  it('expire after their last day, and are spent before those that expire later', async () => {
    const { id, idCustomer, lines } = await desk.visit([1])
    good(await add(idCustomer, 100), 201)
    good(await add(idCustomer, 40, { dateTo: plusDays(today(), 3) }), 201)
    good(await add(idCustomer, 60, { dateTo: plusDays(today(), 9) }), 201)
    expect((await read(idCustomer)).burning).toEqual([
      { day: plusDays(today(), 3), sum: 40 },
      { day: plusDays(today(), 9), sum: 60 },
    ])
    good(await desk.take(idCustomer, 0, { parts: [], bonus: 50, lines: chosen(lines, 1000) }))
    expect((await read(idCustomer)).burning).toEqual([{ day: plusDays(today(), 9), sum: 50 }])
    await clinic.db.query({
      text: `update bonuses set "dateTo" = $2::date where "idCustomer" = $1 and "dateTo" is not null`,
      values: [idCustomer, plusDays(today(), -1)],
    })
    expect(await has(idCustomer)).toBe(100)
    await clinic.context.jobs.run('money.bonuses')
    await clinic.context.jobs.run('money.bonuses')
    const { lines: moves } = await read(idCustomer)
    expect(moves.filter(({ comment }: { comment: string }) => comment === 'Сгорели')).toMatchObject([{ sum: -50 }])
    await balanced(idCustomer)
    // Bonuses returned to expired records expire too.
    good(await desk.to(id, 'cancelled', { cancelReason: 'ill' }))
    expect(await has(idCustomer)).toBe(100)
    await clinic.context.jobs.run('money.bonuses')
    await balanced(idCustomer)
  })

  it('are credited and written off by hand with a reason and the right, once per key', async () => {
    const { idCustomer } = await desk.visit([1])
    const body = { key: desk.key(), kind: 'add', sum: 200, reason: 'Подарок' }
    expect((await cashier.post(`/customers/${idCustomer}/bonuses`, body)).status).toBe(403)
    good(await keeper.post(`/customers/${idCustomer}/bonuses`, body), 201)
    good(await keeper.post(`/customers/${idCustomer}/bonuses`, body), 201)
    expect(await has(idCustomer)).toBe(200)
    const off = (sum: number, more: object = {}) => add(idCustomer, sum, { kind: 'takeOff', ...more })
    expect(faults(await off(200.01))).toEqual(['sum: Списать можно не больше 200,00 ₽'])
    expect(faults(await off(1, { reason: ' ' }))).toEqual(['reason: Укажите причину'])
    expect(faults(await add(idCustomer, 1, { dateTo: '2020-01-01' }))).toEqual(['dateTo: Этот день уже прошёл'])
    expect(good(await off(80), 201).available).toBe(120)
    expect((await clinic.as('nurse').get(`/customers/${idCustomer}/bonuses`)).status).toBe(403)
    expect((await add(999_999, 1)).status).toBe(404)
    await balanced(idCustomer)
  })

  it('of a restricted card are shown after it was opened', async () => {
    const { idCustomer } = await desk.visit([1])
    good(await add(idCustomer, 200), 201)
    good(await keeper.put(`/customers/${idCustomer}`, { secretLevel: 'vip' }))
    const { status, body } = await cashier.get(`/customers/${idCustomer}/bonuses`)
    expect([status, body.code]).toEqual([403, 'sealed'])
    expect(good(await cashier.get(`/bonuses?filter[idCustomer]=${idCustomer}`)).items).toEqual([])
    good(await cashier.post(`/customers/${idCustomer}/open`, { reason: 'Пришёл в кассу' }), 204)
    expect(await has(idCustomer)).toBe(200)
    expect(good(await cashier.get(`/bonuses?filter[idCustomer]=${idCustomer}`)).items).toHaveLength(1)
  })

  it('are never overspent by concurrent requests in any order', async () => {
    await program({ percent: 7 })
    const step = fc.record({
      act: fc.constantFrom('pay', 'pay', 'pay', 'refund', 'add', 'off', 'refuse', 'burn'),
      kopecks: fc.integer({ min: 1, max: 400_00 }),
      at: fc.nat(50),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 }),
        async (all) => {
          // A separate day with room for all attempts.
          const place = await billing(keeper, worldOf(clinic, keeper), idOrganization)
          const { id, idCustomer, lines } = await place.visit([1, 1.3, 0.7])
          good(await place.to(id, 'inProgress'))
          good(await add(idCustomer, 250), 201)
          const taken: number[] = []
          const carry = async ({ act, kopecks, at }: { act: string; kopecks: number; at: number }) => {
            const sum = kopecks / 100
            const line = lines[at % lines.length] as number
            if (act === 'pay') {
              const answer = await place.take(idCustomer, sum, {
                bonus: sum / 2 < 0.01 ? 0.01 : Math.floor(kopecks / 2 + 1) / 100,
                lines: chosen([line], 10_000),
              })
              if (answer.status === 200) taken.push(answer.body.id)
              else expect(answer.status).toBe(422)
            } else if (act === 'refund') {
              const of = taken[at % Math.max(1, taken.length)]
              if (of) expect([200, 422]).toContain((await place.refund(of, sum)).status)
            } else if (act === 'add') good(await add(idCustomer, sum), 201)
            else if (act === 'off')
              expect([201, 422]).toContain((await add(idCustomer, sum, { kind: 'takeOff' })).status)
            else if (act === 'refuse') await place.done(line, at % 2 === 0)
            else await clinic.context.jobs.run('money.bonuses')
          }
          for (const group of all) {
            await Promise.all(group.map(carry))
            await balanced(idCustomer)
          }
        },
      ),
      { numRuns: runs(6, 100) },
    )
  })
})

describe('a friend who was brought', () => {
  const set = (values: object) =>
    clinic.db.query({
      text: `insert into common_settings (name, value) select key, value from jsonb_each($1::jsonb)
        on conflict (name) do update set value = excluded.value`,
      values: [JSON.stringify(values)],
    })
  let serial = 0
  const person = async (more: object = {}) =>
    good(
      await keeper.post('/customers', {
        ...{ surname: `Дружинин${++serial}`, name: 'Олег', birthday: '03.04.1991' },
        ...{ phone: `+7916${String(3_000_000 + serial)}`, ...more },
      }),
      201,
    ).id as number
  const codeOf = async (id: number) => good(await keeper.get(`/customers/${id}/invite-code`)).code as string
  const brought = async (id: number, code: string) => good(await keeper.post(`/customers/${id}/invite`, { code }))
  const run = () => clinic.context.jobs.run('outside.invites')
  const stateOf = async (idFriend: number) =>
    good(await keeper.get(`/invites?filter[idFriend]=${idFriend}`)).items[0] as { state: string; reason: string }
  /** A given and paid visit. */
  const paidVisit = async (idCustomer: number) => {
    const { id, lines } = await desk.visit([1], { idCustomer })
    // It has begun before the code was given.
    await clinic.db.query({
      text: `update appointments set "dateFrom" = least("dateFrom", now() - interval '1 hour') where "id" = $1`,
      values: [id],
    })
    good(await desk.to(id, 'inProgress'))
    for (const line of lines) good(await desk.done(line), 204)
    good(await desk.to(id, 'completed'))
    return good(await desk.take(idCustomer, 1000)).id as number
  }
  beforeAll(() =>
    set({ friendReward: 500, friendGift: 300, friendLeastPaid: 500, friendMostInYear: 2, friendLifeDays: 30 }),
  )

  it('gives both bonuses once, after the first paid visit, and a refund takes them back', async () => {
    const [inviter, friend] = [await person(), await person()]
    const code = await codeOf(inviter)
    expect([await codeOf(inviter), code]).toEqual([code, expect.stringMatching(/^[A-Z2-9]{7}$/)])
    expect(await brought(friend, code.toLowerCase())).toEqual({ state: 'waits', reason: null })
    expect(await brought(friend, code)).toMatchObject({ state: 'waits' })
    // A booking alone, and money paid ahead, bring nothing.
    good(await desk.take(friend, 100))
    await run()
    expect([await has(inviter), await has(friend)]).toEqual([0, 0])
    const payment = await paidVisit(friend)
    await Promise.all([run(), run()])
    await run()
    expect([await has(inviter), await has(friend)]).toEqual([500, 300])
    good(await desk.refund(payment, 800))
    await Promise.all([run(), run()])
    expect([await has(inviter), await has(friend)]).toEqual([0, 0])
    expect(await stateOf(friend)).toMatchObject({ state: 'taken' })
    // Paid again, it is not given again.
    good(await desk.take(friend, 1000))
    await run()
    expect([await has(inviter), await has(friend)]).toEqual([0, 0])
    await balanced(inviter)
  })

  it('is a new patient: not oneself, not an old one, not another card of the same', async () => {
    const inviter = await person({ phone: '+79165550101' })
    const code = await codeOf(inviter)
    const refused = async (id: number) => (await brought(id, code)).reason as string
    expect(await refused(inviter)).toMatch(/сам себя/)
    const old = await person()
    await paidVisit(old)
    expect(await refused(old)).toMatch(/уже бывал/)
    expect(await refused(await person({ phone: '+79165550101' }))).toMatch(/С этим телефоном/)
    await person({ surname: 'Двойников', name: 'Пётр', birthday: '05.06.1980' })
    expect(await refused(await person({ surname: 'двойников', name: 'Пётр', birthday: '05.06.1980' }))).toMatch(
      /именем и датой рождения/,
    )
    expect((await keeper.post(`/customers/${await person()}/invite`, { code: 'NOBODY' })).body[0].field).toBe('code')
    // A card that is joined to an old one later brings nothing.
    const late = await person()
    expect((await brought(late, code)).state).toBe('waits')
    await clinic.db.query({ text: `update customers set phone = '+79165550101' where id = $1`, values: [late] })
    await paidVisit(late)
    await run()
    expect(await stateOf(late)).toMatchObject({ state: 'refused' })
    expect(await has(inviter)).toBe(0)
  })

  it('counts up to the limit of a year', async () => {
    const inviter = await person()
    const code = await codeOf(inviter)
    const friends = [await person(), await person(), await person()]
    for (const friend of friends) {
      await brought(friend, code)
      await paidVisit(friend)
    }
    await run()
    const states = []
    for (const friend of friends) states.push((await stateOf(friend)).state)
    expect(states).toEqual(['rewarded', 'rewarded', 'refused'])
    expect(await has(inviter)).toBe(1000)
    await balanced(inviter)
  })
})
