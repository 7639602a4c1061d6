/** Certificates over HTTP: sale, payment, return and end; concurrent use never spends the same rest twice. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Answer, Caller, Clinic } from '#testing/harness.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

const ZONE = 'Europe/Moscow'
const plus = (days: number) => dayIn(ZONE, Date.now() + days * 86_400_000)

let world: CashWorld
let clinic: Clinic
let cashier: Caller
let keeper: Caller
let idOrganization: number
let idDesk: number

beforeAll(async () => {
  world = await cashWorld('Тверь')
  ;({ clinic, keeper, cashier, idOrganization } = world)
  idDesk = await deskOf(idOrganization)
})
afterAll(() => clinic.close())

let serial = 0
const key = () => world.key()
const patient = () => world.patient()
const charge = (idCustomer: number, sum: number) => world.charge(idCustomer, sum)
const deskOf = async (organization: number): Promise<number> =>
  (await world.openDesk({ idOrganization: organization, refundLimit: 1_000_000 })).idDesk
interface Sale {
  sum?: number
  method?: string
  more?: object
  by?: object
}
const sellTo = (idCustomer: number, number: string, { sum = 3000, method = 'cash', more = {}, by = {} }: Sale = {}) =>
  cashier.post('/payments/take', {
    key: key(),
    idDesk,
    idCustomer,
    parts: [{ method, sum }],
    sells: { number, dateTo: plus(365), ...more },
    ...by,
  })
const sold = async (sale: Sale = {}) => {
  const number = `СЕРТ-${++serial}`
  const idCustomer = await patient()
  const payment = good(await sellTo(idCustomer, number, sale))
  return { number, idCustomer, idSale: payment.id as number, id: payment.idCertificate as number }
}
const payBy = (number: string, idCustomer: number, sum: number, more: object = {}) =>
  cashier.post('/payments/take', {
    key: key(),
    idDesk,
    idCustomer,
    parts: [{ method: 'certificate', certificate: number, sum }],
    ...more,
  })
const back = (idPayment: number, method: string, sum: number) =>
  cashier.post(`/payments/${idPayment}/refund`, { key: key(), parts: [{ method, sum }], reason: 'Не понадобился' })
const state = async (id: number) => {
  const found = good(await cashier.get(`/certificates/${id}`))
  return [found.state, found.rest]
}
const owes = async (id: number) => {
  const { debt, advance } = good(await cashier.get(`/customers/${id}/account?limit=0`))
  return [debt, advance]
}
const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status}`]
const receipt = async (idPayment: number) =>
  good(await cashier.get(`/fiscal-tasks?filter[idPayment]=${idPayment}`)).items[0]?.task
const fault = (device: string, name: string | null) =>
  keeper.post(`/cash-desks/${idDesk}/simulate`, { device, fault: name }).then((answer) => good(answer, 204))

it("is the buyer's money, pays for any patient in parts, and the rest can be refunded", async () => {
  const { number, idCustomer, idSale, id } = await sold()
  expect(await state(id)).toEqual(['active', 3000])
  // Neither an advance nor a debt of the buyer; the receipt calls it an advance.
  expect(await owes(idCustomer)).toEqual([0, 0])
  expect(await receipt(idSale)).toMatchObject({
    items: [{ settlement: 'advance', amount: 3000_00 }],
    payments: [{ type: 'cash', sum: 3000_00 }],
  })
  const who = await patient()
  expect(faults(await payBy(number, who, 1))).toEqual([
    'parts.0.sum: Сертификатом платят за услуги: сейчас к оплате 0,00 ₽',
  ])
  await charge(who, 4000)
  const paid = good(await payBy(` ${number.toLowerCase()} `, who, 1800))
  expect(await owes(who)).toEqual([2200, 0])
  expect(await receipt(paid.id)).toMatchObject({ payments: [{ type: 'prepaid', sum: 1800_00 }] })
  expect(faults(await payBy(number, who, 1200.01))).toEqual(['parts.0.sum: На сертификате осталось 1 200,00 ₽'])
  // Combined with money, also through the terminal.
  const parts = [
    { method: 'certificate', certificate: number, sum: 1000 },
    { method: 'card', sum: 1200 },
  ]
  const mixed = good(await payBy(number, who, 0, { parts }))
  expect(await owes(who)).toEqual([0, 0])
  expect((await receipt(mixed.id)).payments).toEqual([
    { type: 'electronically', sum: 1200_00 },
    { type: 'prepaid', sum: 1000_00 },
  ])
  expect(await state(id)).toEqual(['active', 200])
  // A refund of such a payment goes back to the certificate, not to cash.
  expect(faults(await back(paid.id, 'cash', 100))).toEqual([
    'parts.0.method: Деньги возвращают тем же способом, которым платили',
  ])
  good(await back(paid.id, 'certificate', 300))
  expect([await state(id), await owes(who)]).toEqual([
    ['active', 500],
    [300, 0],
  ])
  // A return refunds the rest, by the original method.
  expect(faults(await back(idSale, 'cash', 500.01))).toEqual([
    'parts: На сертификате осталось 500,00 ₽: больше не вернуть',
  ])
  const returned = good(await back(idSale, 'cash', 500))
  expect(await receipt(returned.id)).toMatchObject({ items: [{ settlement: 'advance', amount: 500_00 }] })
  expect(await state(id)).toEqual(['returned', 0])
  expect(await owes(idCustomer)).toEqual([0, 0])
})

it('settles no more in its return receipt than its sale receipt did', async () => {
  const { number } = await sold()
  const who = await patient()
  await charge(who, 700)
  const parts = [
    { method: 'certificate', certificate: number, sum: 500 },
    { method: 'cash', sum: 400 },
  ]
  const paid = good(await payBy(number, who, 0, { parts }))
  const sale = await receipt(paid.id)
  expect(sale).toMatchObject({
    items: [
      { settlement: 'creditPayment', amount: 700_00 },
      { settlement: 'advance', amount: 200_00 },
    ],
    payments: [
      { type: 'cash', sum: 400_00 },
      { type: 'prepaid', sum: 500_00 },
    ],
  })
  const first = good(await back(paid.id, 'certificate', 300))
  expect(await receipt(first.id)).toMatchObject({
    items: [{ name: sale.items[0].name, settlement: 'creditPayment', subject: 10, amount: 300_00 }],
    payments: [{ type: 'prepaid', sum: 300_00 }],
    total: 300_00,
  })
  good(await back(paid.id, 'cash', 400))
  const last = good(await back(paid.id, 'certificate', 200))
  // Receipts settled 700 of the debt, and all of it is returned by now: the rest of the sum was an advance.
  expect(await receipt(last.id)).toBeUndefined()
  expect(await owes(who)).toEqual([700, 0])
})

it('is refused with a message: another certificate, another organization, expired, no number', async () => {
  const [own, who] = [await patient(), await patient()]
  await charge(who, 500)
  await charge(own, 500)
  const { number } = await sold({ more: { idCustomer: own } })
  expect(faults(await payBy(number, who, 100))).toEqual([
    'parts.0.certificate: Этот сертификат продан для другого клиента',
  ])
  good(await payBy(number, own, 100))
  expect(faults(await payBy('НЕТ-ТАКОГО', who, 100))).toEqual(['parts.0.certificate: Такого сертификата нет'])
  expect(faults(await payBy('', who, 100))).toEqual(['parts.0.certificate: Укажите номер сертификата'])
  const past = await sold()
  await clinic.db.query({ text: `update certificates set "dateTo" = '2024-02-29' where "id" = $1`, values: [past.id] })
  expect(await state(past.id)).toEqual(['expired', 3000])
  expect(faults(await payBy(past.number, who, 100))).toEqual([
    'parts.0.certificate: Сертификат действовал по 29.02.2024',
  ])
  // The keeper of accounts may extend it; a cashier may not.
  expect((await cashier.put(`/certificates/${past.id}`, { dateTo: plus(5) })).status).toBe(403)
  good(await keeper.put(`/certificates/${past.id}`, { dateTo: plus(5) }))
  good(await payBy(past.number, who, 100))
  const other = (
    await clinic.context.engine.for(systemActor).create(Organization, { shortName: 'ООО «Другая»', kind: 'own' })
  ).id
  const elsewhere = await deskOf(other)
  expect(faults(await payBy(past.number, who, 1, { idDesk: elsewhere }))).toEqual([
    'parts.0.certificate: Этот сертификат продала другая организация: нужна её касса',
  ])
  const buyer = await patient()
  expect(faults(await sellTo(buyer, past.number))).toEqual(['sells.number: Сертификат с таким номером уже есть'])
  expect(faults(await sellTo(buyer, 'ДЕНЬ-1', { more: { dateTo: plus(-2) } }))).toEqual([
    'sells.dateTo: Этот день уже прошёл',
  ])
  const byOther = { parts: [{ method: 'certificate', certificate: past.number, sum: 10 }] }
  expect(faults(await sellTo(buyer, 'ЦЕПЬ-1', { by: byOther }))).toContain(
    'parts.0.method: За сертификат платят деньгами',
  )
  const nurse = clinic.as('nurse')
  expect((await nurse.get(`/certificates/${past.id}`)).status).toBe(403)
  expect((await nurse.get('/certificates/export?format=csv')).status).toBe(403)
})

it('pays its sum once when used twice concurrently', async () => {
  const { number, id } = await sold({ sum: 1000 })
  const people = [await patient(), await patient(), await patient()]
  for (const who of people) await charge(who, 1000)
  const answers = await Promise.all(people.map((who) => payBy(number, who, 1000)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  expect(await state(id)).toEqual(['spent', 0])
  const debts = await Promise.all(people.map(owes))
  expect(debts.map(([debt]) => debt).toSorted()).toEqual([0, 1000, 1000])
})

it('sells a number once, and again only if the first sale was not paid', async () => {
  const [one, two] = [await patient(), await patient()]
  const answers = await Promise.all([one, two].map((who) => sellTo(who, 'ОДИН-НА-ДВОИХ')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  await fault('terminal', 'decline')
  expect((await sellTo(one, 'НЕ-ВЫШЛО', { method: 'card' })).body).toMatchObject({ code: 'declined' })
  good(await sellTo(one, 'НЕ-ВЫШЛО', { method: 'card' }))
})

it('reserves the sum while the terminal is pending, and frees it when declined', async () => {
  const { number, id } = await sold({ sum: 1000 })
  const [one, two] = [await patient(), await patient()]
  await charge(one, 1500)
  await charge(two, 1000)
  const parts = [
    { method: 'certificate', certificate: number, sum: 1000 },
    { method: 'card', sum: 500 },
  ]
  const body = { key: key(), idDesk, idCustomer: one, parts }
  await fault('terminal', 'break')
  expect((await cashier.post('/payments/take', body)).body).toMatchObject({ code: 'unknown' })
  expect(await state(id)).toEqual(['spent', 0])
  expect(faults(await payBy(number, two, 1))).toEqual(['parts.0.sum: На сертификате осталось 0,00 ₽'])
  await fault('terminal', 'decline')
  await vi.waitFor(
    async () => expect((await cashier.post('/payments/take', body)).body).toMatchObject({ code: 'declined' }),
    { timeout: 60_000, interval: 50 },
  )
  expect([await state(id), await owes(one)]).toEqual([
    ['active', 1000],
    [1500, 0],
  ])
  good(await payBy(number, two, 1000))
  expect(await state(id)).toEqual(['spent', 0])
})

interface Step {
  act: 'pay' | 'mixed' | 'back' | 'return' | 'again'
  who: number
  which: number
  kopecks: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('pay', 'pay', 'mixed', 'back', 'return', 'again'),
  who: fc.nat(1),
  which: fc.nat(1),
  kopecks: fc.integer({ min: 1, max: 700_00 }),
})

it('concurrent operations keep: face = paid with − taken back + returned + rest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (all) => {
        const own = [await sold({ sum: 1000 }), await sold({ sum: 700 })]
        const people = [await patient(), await patient()]
        for (const who of people) await charge(who, 2000)
        const made: { id: number; body: object }[] = []
        const carry = async ({ act, who, which, kopecks }: Step) => {
          const idCustomer = people[who] as number
          const { number, idSale } = own[which] as (typeof own)[number]
          const sum = kopecks / 100
          const by = { method: 'certificate', certificate: number, sum }
          const known = made[kopecks % Math.max(1, made.length)]
          const answer =
            act === 'pay' || act === 'mixed'
              ? await (async () => {
                  const parts = act === 'mixed' ? [by, { method: 'cash', sum: 1 }] : [by]
                  const body = { key: key(), idDesk, idCustomer, parts }
                  const answered = await cashier.post('/payments/take', body)
                  if (answered.status === 200) made.push({ id: answered.body.id, body })
                  return answered
                })()
              : act === 'return'
                ? await back(idSale, 'cash', sum)
                : known && act === 'back'
                  ? await back(known.id, 'certificate', sum)
                  : known && (await cashier.post('/payments/take', known.body))
          if (answer) expect([200, 422]).toContain(answer.status)
        }
        for (const group of all) {
          await Promise.all(group.map(carry))
          for (const { id, number } of own) {
            const [sums] = await clinic.db.query<{ used: number; back: number; returned: number }>({
              text: `select
              (select coalesce(sum(case p."kind" when 'payment' then t."sum" else -t."sum" end), 0)
                from payments_parts t join payments p on p."id" = t."idPayment" where t."idCertificate" = $1)::float8 as used,
              (select coalesce(sum(p."sum"), 0) from payments p where p."idCertificate" = $1 and p."kind" = 'refund')::float8 as returned`,
              values: [id],
            })
            const { rest, sum } = good(await cashier.get(`/certificates/${id}`))
            expect([number, Math.round(((sums?.used ?? 0) + (sums?.returned ?? 0) + rest) * 100)]).toEqual([
              number,
              sum * 100,
            ])
            expect(rest).toBeGreaterThanOrEqual(0)
          }
        }
        expect(
          await clinic.db.query({
            text: 'select 1 from ledger_entries group by "idTx", "unit" having sum("amount") <> 0',
          }),
        ).toEqual([])
      },
    ),
    { numRuns: runs(4, 100), endOnFailure: true },
  )
})
