import { formatMoney } from '@ordinator/model/format'
import { expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { fits, readBank } from './bankCommand.ts'
import {
  ask,
  byLinks,
  cashier,
  cloud,
  kassa,
  keeper,
  link,
  online,
  openAfarClinic,
  opened,
  printed,
  world,
} from './testing/afarClinic.ts'

openAfarClinic()

it('issues the receipts of a desk from one side only', async () => {
  const outside = await byLinks({ kktMode: 'outside', refundLimit: 10_000 })
  const made = await link(outside, 100)
  const id = await opened(made.url)
  expect(kassa.payments.get(id)?.receipt).toMatchObject({
    customer: { email: 'p@mail.test' },
    items: [
      { description: 'Медицинские услуги', amount: { value: '100.00' }, vat_code: 1, payment_mode: 'full_prepayment' },
    ],
  })
  kassa.pay(id)
  const { idPayment } = await ask(made.id)
  expect(good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${idPayment}`)).items).toEqual([])
  // A part that is given back has a receipt of its own, the rest of it too.
  for (const sum of [30, 70])
    good(
      await cashier.post(`/payments/${idPayment}/refund`, {
        ...{ key: world.key(), parts: [{ method: 'card', sum }], reason: 'Отменили визит' },
      }),
    )
  expect([...kassa.refunds.values()].filter(({ payment_id }) => payment_id === id)).toMatchObject(
    ['30.00', '70.00'].map((value) => ({
      amount: { value },
      receipt: { customer: { email: 'p@mail.test' }, items: [{ amount: { value }, payment_mode: 'full_prepayment' }] },
    })),
  )

  const own = await byLinks({ kktMode: 'atolOnline', ...online })
  const other = await link(own, 250)
  const there = await opened(other.url)
  expect(kassa.payments.get(there)?.receipt).toBeUndefined()
  kassa.pay(there)
  const paid = await ask(other.id)
  await printed(paid.idPayment, 'done')
  expect(good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${paid.idPayment}`)).items).toMatchObject([
    { fn: '9999078900000001', status: 'done' },
  ])
  expect(cloud.receipts.at(-1)).toMatchObject({
    operation: 'sell',
    body: {
      receipt: {
        client: { email: 'p@mail.test' },
        company: { sno: 'usn_income', inn: '7707083893' },
        total: 250,
        payments: [{ type: 1, sum: 250 }],
      },
    },
  })
})

it('АТОЛ Онлайн: retries after a lost reply or a failed receipt, and prints one receipt', async () => {
  const { idDesk } = await world.openDesk({ kktMode: 'atolOnline', terminalMode: 'none', ...online })
  const pay = async () =>
    good(
      await cashier.post('/payments/take', {
        key: world.key(),
        idDesk,
        idCustomer: await world.patient(),
        parts: [{ method: 'cash', sum: 70 }],
        contact: '+79161234567',
      }),
    ).id
  const done = () => cloud.receipts.filter(({ status, body }) => status === 'done' && body.receipt?.total === 70).length
  cloud.mood = 'silent'
  await printed(await pay(), 'done')
  expect(done()).toBe(1)
  cloud.mood = 'fails'
  const id = await pay()
  await printed(id, 'queued')
  cloud.mood = 'works'
  await printed(id, 'done')
  expect(done()).toBe(2)
})

it('АТОЛ Онлайн: a token that another system has taken is renewed; one that is taken at once is an error, and prints later', async () => {
  const { idDesk } = await world.openDesk({ kktMode: 'atolOnline', terminalMode: 'none', ...online })
  const pay = async () =>
    good(
      await cashier.post('/payments/take', {
        key: world.key(),
        idDesk,
        idCustomer: await world.patient(),
        parts: [{ method: 'cash', sum: 71 }],
        contact: '+79161234567',
      }),
    ).id
  const done = () => cloud.receipts.filter(({ status, body }) => status === 'done' && body.receipt?.total === 71).length
  await printed(await pay(), 'done')
  const { tokens } = cloud
  cloud.expire()
  await printed(await pay(), 'done')
  expect([done(), cloud.tokens]).toEqual([2, tokens + 1])
  cloud.mood = 'taken'
  const id = await pay()
  await printed(id, 'queued')
  expect(done()).toBe(2)
  cloud.mood = 'works'
  await printed(id, 'done')
  expect(done()).toBe(3)
})

it('a standalone terminal waits for the cashier to confirm the outcome', async () => {
  const { idDesk } = await world.openDesk({ kktMode: 'none', terminalMode: 'manual' })
  const idCustomer = await world.patient()
  const key = world.key()
  const take = () => cashier.post('/payments/take', { key, idDesk, idCustomer, parts: [{ method: 'card', sum: 700 }] })
  const { status, body } = await take()
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({
      code: 'manual',
      sum: 700,
      message: `Проведите на терминале ${formatMoney(700)} и подтвердите`,
    }),
  ])
  expect((await take()).body.idPayment).toBe(body.idPayment)
  const settle = (isApproved: boolean) =>
    cashier.post(`/payments/${body.idPayment}/settle-by-hand`, { isApproved, rrn: '123456789012' })
  expect(good(await settle(true))).toMatchObject({ idStatus: 2, sum: 700 })
  // Repeated or contradicting confirmations change nothing.
  expect(good(await settle(false))).toMatchObject({ idStatus: 2 })
  expect(good(await take())).toMatchObject({ id: body.idPayment, idStatus: 2 })
  const [part] = good(await keeper.get(`/payments/parts?filter[idPayment]=${body.idPayment}`)).items
  expect(part).toMatchObject({ terminalState: 'approved', terminal: { rrn: '123456789012' } })
})

it('of two operations at a standalone terminal, posts the approved one and keeps the declined one apart', async () => {
  const { idDesk, idShift } = await world.openDesk({ kktMode: 'simulator', terminalMode: 'manual' })
  const idCustomer = await world.patient()
  const body = {
    ...{ key: world.key(), idDesk, idCustomer },
    parts: [
      { method: 'cash', sum: 50 },
      { method: 'card', sum: 700 },
      { method: 'sbp', sum: 300 },
    ],
  }
  const take = () => cashier.post('/payments/take', body)
  const first = (await take()).body
  expect(first).toMatchObject({ code: 'manual', sum: 700 })
  const settle = (isApproved: boolean) => cashier.post(`/payments/${first.idPayment}/settle-by-hand`, { isApproved })
  // The request for the second sum is in the reply to the first, and is returned again when asked.
  expect((await settle(true)).body).toMatchObject({ code: 'manual', idPayment: first.idPayment, sum: 300 })
  expect((await take()).body).toMatchObject({ code: 'manual', sum: 300 })
  const paid = good(await settle(false))
  expect(paid).toMatchObject({ idStatus: 2, sum: 750, methods: ['cash', 'card'] })
  expect(paid.refusal.replaceAll(/\s/g, ' ')).toContain('Не прошло: СБП 300,00 ₽')
  expect(good(await take())).toMatchObject({ id: paid.id, sum: 750 })
  const { items } = good(await keeper.get(`/payments?filter[idCustomer]=${idCustomer}&sort=id`))
  expect(items.map(({ idStatus, sum, methods }: Record<string, unknown>) => [idStatus, sum, methods])).toEqual([
    [2, 750, ['cash', 'card']],
    [3, 300, ['sbp']],
  ])
  expect(good(await cashier.get(`/customers/${idCustomer}/account`))).toMatchObject({ debt: 0, advance: 750 })
  expect(good(await cashier.get(`/cash-shifts/${idShift}/report`))).toMatchObject({
    crm: { sell: { cash: 50_00, electronically: 700_00 } },
    card: 700,
  })
})

it("reads a bank's reply by its patterns, and guesses nothing", () => {
  const desk = {
    terminalProgram: 'p',
    terminalPay: '1',
    terminalRefund: '3',
    terminalFiles: 'e p',
    terminalEncoding: 'ibm866',
    terminalApproved: '0,*',
    terminalDeclined: '????,*',
    terminalRrn: '*ссылки*{rrn}',
  }
  const slip = 'ОПЛАТА\r\nНомер ссылки: 123456789012\r\nОДОБРЕНО'
  expect(readBank({ text: '', files: ['0,УСПЕШНО', slip] }, desk)).toEqual({ isApproved: true, rrn: '123456789012' })
  expect(readBank({ text: '', files: ['4451,Недостаточно средств', ''] }, desk)).toEqual({
    isApproved: false,
    message: '4451,Недостаточно средств',
  })
  expect(() => readBank({ text: 'Segmentation fault', files: ['', ''] }, desk)).toThrow('ответила непонятно')
  expect([fits('RRN=77 OK', 'RRN={rrn}*'), fits('abc', 'a*c'), fits('abc', 'a?'), fits('', '*')]).toEqual([
    '77',
    '',
    undefined,
    '',
  ])
})
