/**
 * Every operation that moves money, with a process that is killed between any two of its steps and a retry by the same
 * key: the sum is taken once, printed once, and the ledger, the drawer, the register and the terminal agree.
 */
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Deaths, deathsIn } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import type { Answer, Caller, Clinic } from '#testing/harness.ts'
import { booksOf } from '#testing/ledgerChecks.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let deaths: Deaths
let books: ReturnType<typeof booksOf>
let keeper: Caller
let cashier: Caller
let chief: Caller
let idOrganization: number

beforeAll(async () => {
  world = await cashWorld('Тверь')
  ;({ clinic, keeper, cashier, chief, idOrganization } = world)
  deaths = await deathsIn(clinic)
  books = booksOf(clinic)
})
afterAll(() => clinic.close())

const key = () => world.key()
const patient = () => world.patient()
const charge = (idCustomer: number, sum: number) => world.charge(idCustomer, sum)
const closedDesk = () => world.desk({ refundLimit: 1 })
const desk = async (): Promise<{ idDesk: number; shift: number }> => {
  const { idDesk, idShift } = await world.openDesk({ refundLimit: 1 })
  return { idDesk, shift: idShift }
}
const cash = (sum: number) => ({ method: 'cash', sum })
const card = (sum: number) => ({ method: 'card', sum })
const sbp = (sum: number) => ({ method: 'sbp', sum })
const take = (body: object) => cashier.post('/payments/take', body)
const account = async (id: number) => {
  const { debt, advance } = good(await cashier.get(`/customers/${id}/account?limit=0`))
  return [debt, advance]
}
const sale = (idDesk: number, idCustomer: number, parts: object[]) => {
  const number = `СЕРТ-${key()}`
  return { key: key(), idDesk, idCustomer, parts, sells: { number, dateTo: dayIn('Europe/Moscow', Date.now() + 1e9) } }
}
/** Above the limit of the desk, so that another person approves; a retry neither requests nor approves again. */
const giveBack = (idPayment: number, body: object) => async (): Promise<Answer> => {
  const asked = await cashier.post(`/payments/${idPayment}/refund`, body)
  return asked.body?.idStatus === 4 ? chief.post(`/payments/${asked.body.id}/decide`, { approve: true }) : asked
}
/** Runs the request again, whatever the outcome of the first. */
async function again(work: () => Promise<Answer>): Promise<any> {
  const first = await work()
  const second = await work()
  expect(first.status).toBeLessThan(300)
  expect([second.status, second.body?.id]).toEqual([first.status, first.body?.id])
  await clinic.context.jobs.run('money.settle')
  await books.printed()
  return second.body
}

it('a payment, in cash and by the terminal', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const idCustomer = await patient()
    const body = { key: key(), idDesk, idCustomer, parts: [cash(10), card(500), sbp(90)] }
    const pay = () => take(body)
    await dying(pay)
    await again(pay)
    expect(await account(idCustomer)).toEqual([0, 600])
    expect(await books.of(idDesk)).toEqual({ drawer: 10, card: 590, printed: ['openShift', 'sell'] })
  })
  expect(died).toBeGreaterThan(10)
})

it('a refund that needs approval, in cash and by the terminal', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const idCustomer = await patient()
    const paid = good(await take({ key: key(), idDesk, idCustomer, parts: [cash(10), card(500)] }))
    const back = giveBack(paid.id, { key: key(), parts: [cash(4), card(500)], reason: 'Ошибка кассира' })
    await dying(back)
    await again(back)
    expect(await account(idCustomer)).toEqual([0, 6])
    expect(await books.of(idDesk)).toEqual({ drawer: 6, card: 0, printed: ['openShift', 'sell', 'sellReturn'] })
  })
  expect(died).toBeGreaterThan(10)
})

it('the opening of a shift', async () => {
  const died = await deaths.each(async (dying) => {
    const idDesk = await closedDesk()
    const body = { key: key(), idDesk }
    const open = () => cashier.post('/cash-shifts/open', body)
    await dying(open)
    await again(open)
    const { items } = good(await keeper.get(`/cash-shifts?filter[idDesk]=${idDesk}`))
    expect(items).toMatchObject([{ number: 1, opening: 0, dateClosed: null }])
    expect(await books.of(idDesk)).toEqual({ drawer: 0, card: 0, printed: ['openShift'] })
  })
  expect(died).toBeGreaterThan(6)
})

it('the closing of a shift, with a shortage in the drawer, and its Z report', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk, shift } = await desk()
    good(await take({ key: key(), idDesk, idCustomer: await patient(), parts: [cash(100), card(30)] }))
    const body = { key: key(), counted: 90 }
    const close = () => cashier.post(`/cash-shifts/${shift}/close`, body)
    await dying(close)
    await again(close)
    const z = good(await keeper.get(`/cash-shifts/${shift}/report`))
    expect([z.kkt, z.terminal]).toEqual([z.crm, z.card])
    expect(good(await keeper.get(`/cash-shifts/${shift}`))).toMatchObject({
      expected: 100,
      difference: -10,
      zNumber: 1,
    })
    expect(await books.of(idDesk)).toEqual({ drawer: 90, card: 30, printed: ['openShift', 'sell', 'closeShift'] })
    // The next shift begins with the counted sum.
    expect(good(await cashier.post('/cash-shifts/open', { key: key(), idDesk }), 201).opening).toBe(90)
  })
  expect(died).toBeGreaterThan(6)
})

it.each([
  ['in', 300, 400],
  ['out', 60, 40],
])('cash put %s', async (kind, sum, drawer) => {
  const { idDesk, shift } = await desk()
  good(await take({ key: key(), idDesk, idCustomer: await patient(), parts: [cash(100)] }))
  let put = 0
  const died = await deaths.each(async (dying) => {
    const body = { key: key(), kind, sum, reason: 'Размен' }
    const move = () => cashier.post(`/cash-shifts/${shift}/cash`, body)
    await dying(move)
    await again(move)
    put++
    const way = kind === 'in' ? 1 : -1
    expect((await books.of(idDesk)).drawer).toBe(100 + way * put * sum)
    good(await keeper.get(`/cash-shifts/${shift}/report`))
    // Restores the state for the next kill.
    const back = { key: key(), kind: kind === 'in' ? 'out' : 'in', sum, reason: 'Назад' }
    good(await cashier.post(`/cash-shifts/${shift}/cash`, back))
    put = 0
  })
  good(await cashier.post(`/cash-shifts/${shift}/cash`, { key: key(), kind, sum, reason: 'Размен' }))
  expect([(await books.of(idDesk)).drawer, died]).toEqual([drawer, 2])
})

it('a certificate that is sold for cash and by the terminal', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const idCustomer = await patient()
    const body = sale(idDesk, idCustomer, [cash(1000), card(2000)])
    const sell = () => take(body)
    await dying(sell)
    const { idCertificate } = await again(sell)
    const { items } = good(await cashier.get(`/certificates?filter[idBuyer]=${idCustomer}`))
    expect(items).toMatchObject([{ id: idCertificate, sum: 3000, rest: 3000, state: 'active' }])
    expect(await account(idCustomer)).toEqual([0, 0])
    expect(await books.of(idDesk)).toEqual({ drawer: 1000, card: 2000, printed: ['openShift', 'sell'] })
  })
  expect(died).toBeGreaterThan(10)
})

it('a certificate that pays together with the terminal', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const idCustomer = await patient()
    const sold = sale(idDesk, idCustomer, [cash(1000)])
    const { idCertificate } = good(await take(sold))
    await charge(idCustomer, 1500)
    const by = { method: 'certificate', certificate: sold.sells.number, sum: 700 }
    const body = { key: key(), idDesk, idCustomer, parts: [by, card(500)] }
    const use = () => take(body)
    await dying(use)
    await again(use)
    expect(good(await cashier.get(`/certificates/${idCertificate}`)).rest).toBe(300)
    expect(await account(idCustomer)).toEqual([300, 0])
    expect(await books.of(idDesk)).toEqual({ drawer: 1000, card: 500, printed: ['openShift', 'sell', 'sell'] })
  })
  expect(died).toBeGreaterThan(10)
})

it('a certificate whose rest is refunded', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const sold = good(await take(sale(idDesk, await patient(), [cash(400), card(600)])))
    const back = giveBack(sold.id, { key: key(), parts: [cash(400), card(500)], reason: 'Не понадобился' })
    await dying(back)
    await again(back)
    expect(good(await cashier.get(`/certificates/${sold.idCertificate}`)).rest).toBe(100)
    expect(await books.of(idDesk)).toEqual({ drawer: 0, card: 100, printed: ['openShift', 'sell', 'sellReturn'] })
  })
  expect(died).toBeGreaterThan(10)
})

it('the advance of a relative that pays a debt', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const [idPayer, idCustomer] = [await patient(), await patient()]
    good(await take({ key: key(), idDesk, idCustomer: idPayer, parts: [cash(1000)] }))
    await charge(idCustomer, 600)
    const body = { key: key(), idDesk, idCustomer, idPayer, parts: [{ method: 'advance', sum: 600 }] }
    const pay = () => take(body)
    await dying(pay)
    await again(pay)
    expect([await account(idPayer), await account(idCustomer)]).toEqual([
      [0, 400],
      [0, 0],
    ])
    expect(await books.of(idDesk)).toEqual({ drawer: 1000, card: 0, printed: ['openShift', 'sell', 'sell'] })
  })
  expect(died).toBeGreaterThan(6)
})

it('a receipt of correction without a payment', async () => {
  const correction = { type: 'self', date: '2026-03-01', number: 'СЗ-15', reason: 'Чек не пробит' }
  const died = await deaths.each(async (dying) => {
    const { idDesk } = await desk()
    const body = { key: key(), kind: 'sell', means: 'cash', sum: 450.5, correction }
    const ask = () => keeper.post(`/cash-desks/${idDesk}/correct-receipt`, body)
    await dying(ask)
    await again(ask)
    expect(await books.of(idDesk)).toEqual({ drawer: 0, card: 0, printed: ['openShift', 'sellCorrection'] })
  })
  expect(died).toBeGreaterThan(6)
})

it('a correction of an account', async () => {
  const died = await deaths.each(async (dying) => {
    const idCustomer = await patient()
    const body = { key: key(), idCustomer, idOrganization, kind: 'charge', sum: 70, reason: 'Остаток' }
    const correct = () => keeper.post('/ledger/correct', body)
    await dying(correct)
    await again(correct)
    expect(await account(idCustomer)).toEqual([70, 0])
  })
  expect(died).toBe(2)
})
