/** Deposits of services: the link, its deadline, the release of the time, and the refund by rule. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { startYookassaSimulator, type YookassaSimulator } from '#testing/yookassaSimulator.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

let kassa: YookassaSimulator
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let cash: Awaited<ReturnType<typeof billing>>

beforeAll(async () => {
  kassa = await startYookassaSimulator()
  clinic = await testApp({
    env: { YOOKASSA_URL: kassa.url },
    prepare: async (app) => {
      await addPerson(app, 'keeper', [...new Set([...worldOf.rights, ...billing.rights])])
    },
  })
  keeper = clinic.as('keeper')
  worlds = worldOf(clinic, keeper)
  const own = { kind: 'own', shortName: 'ООО «Клиника»', inn: '7707083893', kpp: '770701001' }
  const idOrganization = good(await keeper.post('/organizations', own), 201).id
  cash = await billing(keeper, worlds, idOrganization)
  const { idFilial } = await worlds.make({ shifts: false })
  good(
    await keeper.post('/cash-desks', {
      ...{ name: 'Ссылки', idFilial, idOrganization, kktMode: 'none', refundLimit: 1_000_000 },
      ...{ terminalMode: 'yookassa', payShop: '123456', paySecret: 'test_key' },
    }),
    201,
  )
})
beforeEach(() => {
  kassa.mood = 'works'
})
afterAll(async () => {
  await clinic.close()
  await kassa.close()
})

/** A future visit whose service requires a deposit of 400 ₽ of its 1000. */
async function booked() {
  const world = await worlds.make()
  good(await keeper.put(`/services/${world.idService}`, { deposit: 400 }))
  const { id } = good(await world.book('09:00'), 201)
  return { ...world, id }
}
const deposit = async (id: number) => good(await keeper.get(`/appointments/${id}/deposit`)).deposit
const visit = async (id: number) => good(await keeper.get(`/appointments/${id}`))
const run = () => clinic.context.jobs.run('visits.deposits')
/** Opens the page of the link and pays it. */
async function pay(url: string): Promise<string> {
  const { headers } = await clinic.anonymous.get(new URL(url).pathname)
  const id = String(headers.location).split('/').at(-1) as string
  kassa.pay(id)
  return id
}
const over = (id: number) =>
  clinic.db.query(sql`update visit_deposits set "dateTo" = now() - interval '1 minute' where "idAppointment" = ${id}`)
const cancel = async (id: number, by: 'patient' | 'clinic') =>
  good(
    await keeper.post(`/appointments/${id}/status`, {
      status: 'cancelled',
      cancelReason: by === 'clinic' ? 'clinic' : 'time',
      cancelledBy: by,
    }),
  )

it('is requested by a link that is paid into the advance of the visit, and sent to the patient once', async () => {
  const { id, idCustomer } = await booked()
  const asked = await deposit(id)
  expect(asked).toMatchObject({ sum: 400, status: 'waiting', link: { status: 'waiting', sum: 400 } })
  await pay(asked.link.url)
  good(await keeper.post(`/payment-links/${asked.link.id}/ask`))
  await run()
  await run()
  expect(await deposit(id)).toMatchObject({ status: 'paid' })
  const payments = good(await keeper.get(`/payments?filter[idCustomer]=${idCustomer}`)).items
  expect(payments).toMatchObject([{ sum: 400, kind: 'payment', idStatus: 2 }])
  const [line] = await cash.linesOf(id)
  expect(line?.paid).toBe(400)
  await over(id)
  await run()
  expect((await visit(id)).visitStatus).toBe('booked')
})

it('is not requested if the account covers it, and counts money taken at the desk', async () => {
  const world = await worlds.make()
  good(await keeper.put(`/services/${world.idService}`, { deposit: 400 }))
  good(await cash.take(world.idCustomer, 1000))
  const { id } = good(await world.book('09:00'), 201)
  expect(await deposit(id)).toBeNull()
  const other = await booked()
  good(await cash.take(other.idCustomer, 400))
  await over(other.id)
  await run()
  expect([(await deposit(other.id)).status, (await visit(other.id)).visitStatus]).toEqual(['paid', 'booked'])
})

it('releases the time when not paid by its deadline, and refunds later money', async () => {
  const { id, idCustomer, book } = await booked()
  const { link } = await deposit(id)
  const { headers } = await clinic.anonymous.get(new URL(link.url).pathname)
  await over(id)
  await run()
  expect(await visit(id)).toMatchObject({ visitStatus: 'cancelled', cancelReason: 'unpaid', cancelledBy: 'clinic' })
  expect((await deposit(id)).status).toBe('released')
  good(await book('09:00', { idCustomer: await worlds.patient() }), 201)
  kassa.pay(String(headers.location).split('/').at(-1) as string)
  good(await keeper.post(`/payment-links/${link.id}/ask`))
  await run()
  expect((await deposit(id)).status).toBe('returned')
  const kinds = good(await keeper.get(`/payments?filter[idCustomer]=${idCustomer}&sort=id`)).items
  expect(kinds.map(({ kind, sum }: { kind: string; sum: number }) => [kind, sum])).toEqual([
    ['payment', 400],
    ['refund', 400],
  ])
})

it('a link of two visits, one of them cancelled before it is paid, pays the other one; the rest is an advance', async () => {
  const world = await worlds.make()
  const lineOf = async (from: string) => {
    const { id } = good(await world.book(from), 201)
    const [line] = good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${id}`)).items
    return { id: id as number, idLine: line.id as number }
  }
  const [gone, stays] = [await lineOf('09:00'), await lineOf('10:00')]
  const { idCustomer } = world
  const lines = [gone, stays].map(({ idLine }) => ({ idCouponService: idLine, sum: 1000 }))
  const link = good(await keeper.post('/payment-links/make', { key: cash.key(), idCustomer, sum: 2000, lines }), 201)
  await cancel(gone.id, 'patient')
  await pay(link.url)
  good(await keeper.post(`/payment-links/${link.id}/ask`))
  const paid = async (id: number) => good(await keeper.get(`/coupon-services/${id}`)).paid
  expect([await paid(gone.idLine), await paid(stays.idLine)]).toEqual([0, 1000])
  expect(await cash.owes(idCustomer)).toEqual([0, 2000])
})

it('closes its unopened link at the deadline', async () => {
  const { id } = await booked()
  await over(id)
  await run()
  const { status, link } = await deposit(id)
  expect([status, link.status]).toEqual(['released', 'cancelled'])
  expect((await clinic.anonymous.get(new URL(link.url).pathname)).text).toContain('больше не действует')
})

it.each([
  ['clinic', 10, 'returned'],
  ['patient', 100, 'returned'],
  ['patient', 10, 'kept'],
] as const)('cancelled by the %s %i hours before the visit it is %s', async (by, hours, wanted) => {
  const { id, idCustomer } = await booked()
  const { link } = await deposit(id)
  await pay(link.url)
  good(await keeper.post(`/payment-links/${link.id}/ask`))
  await run()
  await cancel(id, by)
  await clinic.db.query(
    sql`update appointments set "dateFrom" = now() + make_interval(hours => ${hours}) where "id" = ${id}`,
  )
  await run()
  await run()
  expect((await deposit(id)).status).toBe(wanted)
  const refunds = good(await keeper.get(`/payments?filter[idCustomer]=${idCustomer}&filter[kind]=refund`)).items
  expect(refunds).toHaveLength(wanted === 'returned' ? 1 : 0)
})

it('a СБП code is one payment with its link, and is refused while the page is open', async () => {
  const { id } = await booked()
  const { link } = await deposit(id)
  const before = kassa.payments.size
  const code = good(await keeper.post(`/payment-links/${link.id}/sbp`))
  expect(code.qr.path).not.toBe(link.qr.path)
  good(await keeper.post(`/payment-links/${link.id}/sbp`))
  expect(kassa.payments.size).toBe(before + 1)
  const [remote] = [...kassa.payments.values()].slice(-1)
  expect(remote).toMatchObject({ method: 'sbp', confirmation: { type: 'qr' } })
  kassa.pay(remote?.id as string)
  expect(good(await keeper.post(`/payment-links/${link.id}/ask`)).status).toBe('paid')
  const other = await deposit((await booked()).id)
  await clinic.anonymous.get(new URL(other.link.url).pathname)
  expect((await keeper.post(`/payment-links/${other.link.id}/sbp`)).status).toBe(409)
})

it('sends the link to the patient once', async () => {
  const { id, idCustomer } = await booked()
  await clinic.db.query(sql`update customers set "phone" = '+79160000001' where "id" = ${idCustomer}`)
  const { link } = await deposit(id)
  good(await keeper.post(`/payment-links/${link.id}/send`))
  good(await keeper.put('/settings/common', { smsMode: 'simulator' }))
  await clinic.context.jobs.run('messages.collect')
  await clinic.context.jobs.run('messages.collect')
  const rows = await clinic.db.query<{ event: string }>(
    sql`select "event" from messages where "idCustomer" = ${idCustomer} and "event" = 'payLink'`,
  )
  expect(rows).toHaveLength(1)
})

it("a prepayment by a link is settled by ЮKassa's second receipt, once, when the service is given", async () => {
  const shop = { kktMode: 'outside', terminalMode: 'yookassa', payShop: '123456', paySecret: 'test_key' }
  const [{ idOrganization }] = good(await keeper.get(`/cash-desks?filter[id]=${cash.idDesk}`)).items
  const desk = { name: 'Ссылки с чеками ЮKassa', idFilial: cash.idFilial, idOrganization, refundLimit: 1_000_000 }
  const idDesk = good(await keeper.post('/cash-desks', { ...desk, ...shop }), 201).id
  const { idCustomer, lines } = await cash.visit([1])
  const [idCouponService] = lines as [number]
  const link = good(
    await keeper.post('/payment-links/make', {
      ...{ key: cash.key(), idDesk, idCustomer, sum: 1000, contact: 'p@mail.test' },
      lines: [{ idCouponService, sum: 1000 }],
    }),
    201,
  )
  const idRemote = await pay(link.url)
  const { idPayment } = good(await keeper.post(`/payment-links/${link.id}/ask`))
  // The payment has a receipt of ЮKassa with the whole sum ahead, and none of the clinic.
  expect(kassa.payments.get(idRemote)?.receipt).toMatchObject({ items: [{ payment_mode: 'full_prepayment' }] })
  expect(await cash.receipts(idPayment)).toEqual([])

  kassa.mood = 'falls'
  good(await cash.done(idCouponService), 204)
  const printed = (status: string) =>
    expect
      .poll(async () => {
        await clinic.context.jobs.run('money.receipts')
        return (await cash.receipts(idPayment)).map((one: { status: string }) => one.status)
      })
      .toEqual([status])
  // The reply was lost, and ЮKassa has forgotten the key: the receipt is found among those of the payment.
  await printed('unknown')
  kassa.mood = 'works'
  kassa.dayLater()
  await printed('done')
  const own = () => [...kassa.receipts.values()].filter(({ payment_id }) => payment_id === idRemote)
  expect(own()).toMatchObject([
    {
      type: 'payment',
      send: true,
      customer: { email: 'p@mail.test' },
      items: [{ payment_mode: 'full_payment', amount: { value: '1000.00' } }],
      settlements: [{ type: 'prepayment', amount: { value: '1000.00' } }],
    },
  ])
  expect(await cash.receipts(idPayment)).toMatchObject([{ kind: 'sell', fd: 1, fn: '9960440300000001' }])

  // Money given back now was settled: its receipt shows that, of a whole payment too.
  good(
    await keeper.post(`/payments/${idPayment}/refund`, {
      ...{ key: cash.key(), parts: [{ method: 'card', sum: 1000 }], reason: 'Пересдача' },
    }),
  )
  expect([...kassa.refunds.values()].filter(({ payment_id }) => payment_id === idRemote)).toMatchObject([
    { receipt: { customer: { email: 'p@mail.test' }, items: [{ payment_mode: 'full_payment' }] } },
  ])
  expect([own().length, (await cash.receipts(idPayment)).length]).toEqual([1, 1])
})
