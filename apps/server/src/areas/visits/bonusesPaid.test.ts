import { runs } from '@ordinator/model/testing/runs'
import { plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Answer } from '#testing/harness.ts'
import { billing } from './testing/billing.ts'
import {
  add,
  balanced,
  cashier,
  chosen,
  clinic,
  desk,
  has,
  idOrganization,
  keeper,
  openBonusClinic,
  program,
  read,
  today,
} from './testing/bonusClinic.ts'
import { worldOf } from './testing/world.ts'

openBonusClinic()

const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status}`]

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
