/**
 * Remote payments and cloud receipts: each is recorded once, whatever the other side does; unknown outcomes wait for a
 * person.
 */

import { NO_REFUND_RECEIPT, ONLY_BY_LINK } from '@ordinator/model/areas/money/desk'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  ask,
  byLinks,
  cashier,
  clinic,
  kassa,
  keeper,
  link,
  online,
  open,
  openAfarClinic,
  opened,
  printed,
  world,
} from './testing/afarClinic.ts'

openAfarClinic()

const payments = async (idDesk: number) => good(await keeper.get(`/payments?filter[idDesk]=${idDesk}&sort=id`)).items
const notice = (id: string, more: object = {}) =>
  clinic.anonymous.post('/yookassa/notices', {
    type: 'notification',
    event: 'payment.succeeded',
    object: { id, status: 'succeeded', ...more },
  })

it('turns a link into one payment when ЮKassa confirms it, and keeps its key out of responses', async () => {
  const idDesk = await byLinks()
  const made = await link(idDesk, 1500)
  const id = await opened(made.url)
  expect(kassa.payments.get(id)).toMatchObject({ amount: { value: '1500.00', currency: 'RUB' }, receipt: undefined })
  // A notice about an unpaid payment changes nothing.
  good(await notice(id))
  expect(await ask(made.id)).toMatchObject({ status: 'waiting' })
  kassa.pay(id)
  expect(await Promise.all([ask(made.id), ask(made.id)]).then((all) => all.map(({ status }) => status))).toContain(
    'paid',
  )
  expect(await ask(made.id)).toMatchObject({ status: 'paid' })
  expect((await open(made.url)).text).toContain('Оплачено')
  const all = await payments(idDesk)
  expect(all).toMatchObject([{ sum: 1500, idStatus: 2, methods: ['card'] }])
  const desk = good(await keeper.get(`/cash-desks/${idDesk}`))
  expect(JSON.stringify(desk)).not.toContain('test_key')
  expect(desk.datePaySecret).not.toBeNull()
})

it('creates no second payment after a lost reply, and stops on a different sum', async () => {
  const idDesk = await byLinks()
  const made = await link(idDesk, 100)
  const before = kassa.payments.size
  kassa.mood = 'silent'
  expect((await open(made.url)).text).toContain('Оплата сейчас недоступна')
  const id = await opened(made.url)
  expect(kassa.payments.size).toBe(before + 1)
  kassa.pay(id)
  kassa.mood = 'otherSum'
  expect(await ask(made.id)).toMatchObject({ status: 'disputed' })
  expect(await payments(idDesk)).toEqual([])
})

it('asks for the address of a receipt before the link, and reports a certain refusal as one', async () => {
  const idDesk = await byLinks({ kktMode: 'outside', payShop: '777777' })
  const ask = (contact: string | null) =>
    world
      .patient()
      .then((idCustomer) =>
        clinic.db
          .query(sql`update customers set "phone" = null, "email" = null where "id" = ${idCustomer}`)
          .then(() => idCustomer),
      )
      .then((idCustomer) =>
        cashier.post('/payment-links/make', { key: world.key(), idDesk, idCustomer, sum: 90, contact }),
      )
  for (const contact of [null, '12345'])
    expect((await ask(contact)).body[0]).toMatchObject({
      field: 'contact',
      message: expect.stringContaining('телефон или почту'),
    })
  const made = good(await ask('p@mail.test'), 201)
  kassa.mood = 'busy'
  expect((await open(made.url)).text).toContain('Попробуйте через несколько минут')
  kassa.mood = 'refuses'
  expect((await open(made.url)).text).toContain('Позвоните в клинику')
  expect(good(await cashier.get(`/payment-links/${made.id}`)).error).toContain('Receipt is missing')
  kassa.mood = 'works'
  await opened(made.url)
})

it('reopens a link after a refusal, and never a cancelled one', async () => {
  const idDesk = await byLinks()
  const made = await link(idDesk, 100)
  const first = await opened(made.url)
  kassa.pay(first, 'canceled')
  const second = await opened(made.url)
  expect(second).not.toBe(first)
  expect((await cashier.post(`/payment-links/${made.id}/cancel`)).status).toBe(409)
  kassa.pay(second, 'canceled')
  good(await cashier.post(`/payment-links/${made.id}/cancel`))
  expect((await open(made.url)).text).toContain('больше не действует')
})

it('opens one way to pay at a time, and posts money that came by another one', async () => {
  const idDesk = await byLinks()
  const made = await link(idDesk, 700)
  const before = kassa.payments.size
  const [page, code] = await Promise.all([open(made.url), cashier.post(`/payment-links/${made.id}/sbp`)])
  // Two ways are never shown: the second is the first, or is not shown.
  const areBoth = page.status === 303 && code.status === 200
  if (code.status !== 200) expect([code.status, code.body.code]).toEqual([409, 'busy'])
  expect(areBoth ? kassa.payments.size - before : 1).toBe(1)

  const played = [...kassa.payments.values()].at(-1) as (typeof kassa)['payments'] extends Map<string, infer P>
    ? P
    : never
  const stray = (id: string, metadata: Record<string, string>) =>
    kassa.payments.set(id, { ...played, id, status: 'pending', metadata, created_at: new Date().toISOString() })
  const metadata = { link: String(made.id) }
  stray('stray-1', metadata)
  kassa.pay('stray-1')
  good(await notice('stray-1', { metadata }))
  await clinic.context.jobs.drain()
  expect(await ask(made.id)).toMatchObject({ status: 'paid' })
  expect((await payments(idDesk)).map(({ sum }: { sum: number }) => sum)).toEqual([700])
  // A notice that lies about its link moves nothing.
  const other = await link(idDesk, 700)
  good(await notice('stray-1', { metadata: { link: String(other.id) } }))
  await clinic.context.jobs.drain()
  expect(await ask(other.id)).toMatchObject({ status: 'waiting' })

  // Paid twice, and money that is no link's: found at night, once.
  stray('stray-2', metadata)
  stray('foreign', {})
  for (const id of ['stray-2', 'foreign']) kassa.pay(id)
  kassa.dayLater()
  for (let nights = 0; nights < 2; nights++) await clinic.context.jobs.run('money.reconcile')
  expect((await payments(idDesk)).map(({ sum }: { sum: number }) => sum)).toEqual([700, 700])
  const history = await clinic.db.query<{ words: string }>({
    text: `select "words" from money_differences where "key" in ('yookassa-stray-2', 'yookassa-foreign') order by "key"`,
  })
  expect(history.map(({ words }) => words)).toEqual([
    expect.stringContaining('которой нет в кассе'),
    expect.stringContaining('проведена сейчас'),
  ])
})

it('refunds in parts by the original method, once', async () => {
  const idDesk = await byLinks({ refundLimit: 10_000 })
  const made = await link(idDesk, 1000)
  kassa.pay(await opened(made.url))
  const { idPayment } = await ask(made.id)
  const back = (sum: number, key = world.key()) =>
    cashier.post(`/payments/${idPayment}/refund`, { key, parts: [{ method: 'card', sum }], reason: 'Отменили визит' })
  good(await back(300))
  kassa.mood = 'silent'
  const key = world.key()
  expect((await back(200, key)).status).toBe(409)
  good(await back(200, key))
  expect([...kassa.refunds.values()].map(({ amount }) => amount.value)).toEqual(['300.00', '200.00'])
  expect((await back(900)).status).toBe(422)
})

it('takes no money by hand where only ЮKassa gives receipts, and reports what is missing', async () => {
  const shop = { terminalMode: 'yookassa', payShop: '123456', paySecret: 'test_key' }
  const { idDesk } = await world.openDesk({ kktMode: 'outside', refundLimit: 100, ...shop })
  const take = async (more: object, desk = idDesk) =>
    cashier.post('/payments/take', {
      ...{ key: world.key(), idDesk: desk, idCustomer: await world.patient() },
      ...more,
    })
  const refused = (field: string, message: string) => ({
    status: 422,
    body: [{ field, message }],
  })
  for (const method of ['cash', 'card', 'transfer'])
    expect(await take({ parts: [{ method, sum: 100 }] })).toMatchObject(refused('parts.0.method', ONLY_BY_LINK))
  const sells = { number: 'ПС-ССЫЛКИ', dateTo: '2099-01-01' }
  expect((await take({ parts: [{ method: 'cash', sum: 100 }], sells })).status).toBe(422)
  expect(await payments(idDesk)).toEqual([])
  const correction = { type: 'self', date: '2026-01-01', number: '1', reason: 'Не пробит' }
  const correct = { key: world.key(), kind: 'sell', means: 'cash', sum: 100, correction }
  expect(await keeper.post(`/cash-desks/${idDesk}/correct-receipt`, correct)).toMatchObject({
    status: 409,
    body: { code: 'device' },
  })

  // A register at the desk gives every receipt, those of links too.
  const update = (more: object) => keeper.put(`/cash-desks/${idDesk}`, more)
  good(await update({ kktMode: 'atolOnline', ...online }))
  const paid = good(await take({ parts: [{ method: 'cash', sum: 300 }], contact: 'p@mail.test' }))
  await printed(paid.id, 'done')
  const back = (sum: number) =>
    cashier.post(`/payments/${paid.id}/refund`, {
      ...{ key: world.key(), parts: [{ method: 'cash', sum }], reason: 'Отменили визит' },
    })
  const awaiting = good(await back(200))
  good(await update({ kktMode: 'outside' }))
  expect(await back(50)).toMatchObject(refused('parts.0.sum', NO_REFUND_RECEIPT))
  // What slips through all the same is listed for a person.
  good(await world.chief.post(`/payments/${awaiting.id}/decide`, { approve: true }))
  const [task] = good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${awaiting.id}`)).items
  expect(task).toMatchObject({
    kind: 'sellReturn',
    status: 'failed',
    error: expect.stringContaining('на кассе клиники'),
  })
  expect((await keeper.post(`/fiscal-tasks/${task.id}/repair`, { as: 'resend' })).status).toBe(409)
  // The payment system can give no receipt for money that goes past it.
  expect(await update({ terminalMode: 'manual' })).toMatchObject({ status: 422, body: [{ field: 'kktMode' }] })
})

it('asks ЮKassa first about what is older than its keys', async () => {
  const idDesk = await byLinks({ kktMode: 'outside', refundLimit: 10_000 })
  const dayLater = async () => {
    kassa.dayLater()
    await clinic.db.query(sql`update payment_link_states set "dateTry" = "dateTry" - interval '25 hours'`)
  }
  // A payment whose reply was lost is found in the list.
  const made = await link(idDesk, 400)
  const before = kassa.payments.size
  kassa.mood = 'silent'
  await open(made.url)
  await dayLater()
  kassa.mood = 'broken'
  expect((await open(made.url)).text).toContain('Оплата сейчас недоступна')
  kassa.mood = 'works'
  const id = await opened(made.url)
  expect(kassa.payments.size).toBe(before + 1)
  // One that never arrived there begins anew.
  const other = await link(idDesk, 500)
  kassa.mood = 'broken'
  await open(other.url)
  await dayLater()
  kassa.mood = 'works'
  await opened(other.url)
  expect(kassa.payments.size).toBe(before + 2)

  kassa.pay(id)
  const { idPayment } = await ask(made.id)
  const refund = (sum: number, key: string) =>
    cashier.post(`/payments/${idPayment}/refund`, { key, parts: [{ method: 'card', sum }], reason: 'Отменили визит' })
  const sums = () =>
    [...kassa.refunds.values()].filter(({ payment_id }) => payment_id === id).map(({ amount }) => amount.value)
  // A refund whose reply was lost, one that takes days, and one that never arrived.
  const keys = { lost: world.key(), slow: world.key(), absent: world.key() }
  kassa.mood = 'silent'
  expect((await refund(30, keys.lost)).status).toBe(409)
  await dayLater()
  good(await refund(30, keys.lost))
  kassa.mood = 'pendingRefund'
  expect((await refund(20, keys.slow)).status).toBe(409)
  await dayLater()
  expect((await refund(20, keys.slow)).status).toBe(409)
  kassa.mood = 'works'
  good(await refund(20, keys.slow))
  kassa.mood = 'broken'
  expect((await refund(10, keys.absent)).status).toBe(409)
  await dayLater()
  kassa.mood = 'works'
  good(await refund(10, keys.absent))
  expect(sums()).toEqual(['30.00', '20.00', '10.00'])
  // One of the same sum, made by hand meanwhile: a person decides.
  kassa.mood = 'broken'
  const key = world.key()
  expect((await refund(40, key)).status).toBe(409)
  kassa.mood = 'works'
  kassa.refunds.set('by-hand', {
    ...{ id: 'by-hand', payment_id: id, status: 'succeeded', metadata: undefined, receipt: undefined },
    amount: { value: '40.00', currency: 'RUB' },
  })
  expect((await refund(40, key)).body).toMatchObject({ code: 'unknown' })
  expect(sums()).toEqual(['30.00', '20.00', '10.00', '40.00'])
  const [last] = (await payments(idDesk)).slice(-1)
  good(await cashier.post(`/payments/${last.id}/settle-by-hand`, { isApproved: true }))
  expect(good(await keeper.get(`/payments/${idPayment}`)).refunded).toBe(100)
})
