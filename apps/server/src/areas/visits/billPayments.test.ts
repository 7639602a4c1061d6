import type { Receipt } from '@ordinator/model/areas/money/rules'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { clinic, desk, keeper, openBillingClinic, paid } from './testing/billingClinic.ts'

openBillingClinic()

describe('a payment', () => {
  it('pays the oldest given line first, and updates the coupon', async () => {
    const first = await desk.visit([1])
    const second = await desk.visit([2], { idCustomer: first.idCustomer })
    good(await desk.done(first.lines[0] as number), 204)
    good(await desk.done(second.lines[0] as number), 204)
    expect(
      (await desk.unpaid(first.idCustomer)).map(({ due, paid: is }: { due: number; paid: number }) => [due, is]),
    ).toEqual([
      [1000, 0],
      [2000, 0],
    ])
    const payment = good(await desk.take(first.idCustomer, 1500))
    expect([await paid(first.id), await paid(second.id)]).toEqual([[1000], [500]])
    expect(await desk.couponOf(first.id)).toMatchObject({ status: 'paid', payment: 1000 })
    expect(await desk.couponOf(second.id)).toMatchObject({ status: 'partlyPaid', payment: 500 })
    const [receipt] = await desk.receipts(payment.id)
    const items = receipt.task.items.map(({ settlement, amount }: { settlement: string; amount: number }) => [
      settlement,
      amount,
    ])
    expect(items).toEqual([
      ['fullPayment', 1000_00],
      ['partialPayment', 2000_00],
    ])
    expect(receipt.task.payments).toEqual([
      { type: 'cash', sum: 1500_00 },
      { type: 'credit', sum: 1500_00 },
    ])
    const rest = good(await desk.take(first.idCustomer, 1500))
    const [last] = await desk.receipts(rest.id)
    expect(last.task.items).toMatchObject([{ settlement: 'creditPayment', amount: 1500_00 }])
    expect(await desk.unpaid(first.idCustomer)).toEqual([])
  })

  it('is asked for provided services, debts without one, and services to come less the free advance', async () => {
    const { id, idCustomer, lines } = await desk.visit([1, 2])
    const ofVisit = () => desk.owed(idCustomer, `?idAppointment=${id}`)
    expect(await ofVisit()).toMatchObject({ debt: 0, free: 0, owed: 3000 })
    good(await desk.done(lines[0] as number), 204)
    good(await desk.correct(idCustomer, 'charge', 500), 201)
    expect(await desk.owed(idCustomer)).toMatchObject({ debt: 1500, free: 0, owed: 1500 })
    expect(await ofVisit()).toMatchObject({ debt: 1500, owed: 3500 })
    good(await desk.take(idCustomer, 2000))
    expect(await ofVisit()).toMatchObject({ debt: 0, free: 500, owed: 1500 })
  })

  it('goes to the lines that the cashier chose, even before the service, and its offset gets a receipt', async () => {
    const { id, idCustomer, lines } = await desk.visit([1, 1])
    const [one, two] = lines as [number, number]
    expect(await desk.unpaid(idCustomer)).toEqual([])
    expect(await desk.unpaid(idCustomer, `?idAppointment=${id}`)).toHaveLength(2)
    const chosen = (idCouponService: number, sum: number) => ({ lines: [{ idCouponService, sum }] })
    const faults = async (answer: Promise<{ status: number; body: { field: string }[] }>) => {
      const { status, body } = await answer
      return [status, body[0]?.field]
    }
    expect(await faults(desk.take(idCustomer, 2000, chosen(two, 1000.01)))).toEqual([422, 'lines.0.sum'])
    expect(await faults(desk.take(idCustomer, 500, chosen(two, 1000)))).toEqual([422, 'lines'])
    const stranger = await desk.visit([1])
    expect(await faults(desk.take(stranger.idCustomer, 1000, chosen(two, 1000)))).toEqual([
      422,
      'lines.0.idCouponService',
    ])
    const payment = good(await desk.take(idCustomer, 1000, chosen(two, 1000)))
    const [ahead] = await desk.receipts(payment.id)
    expect(ahead.task.items).toMatchObject([{ settlement: 'fullPrepayment', amount: 1000_00 }])
    expect([await paid(id), await desk.owes(idCustomer)]).toEqual([
      [0, 1000],
      [0, 1000],
    ])
    good(await desk.done(two), 204)
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
    const [, offset] = await desk.receipts(payment.id)
    expect(offset.task).toMatchObject({
      items: [{ settlement: 'fullPayment', amount: 1000_00 }],
      payments: [{ type: 'prepaid', sum: 1000_00 }],
    })
    // A receipt refused by the register is not hidden by the offset's receipt.
    await clinic.db.query({ text: `update fiscal_tasks set "status" = 'failed' where "id" = $1`, values: [ahead.id] })
    expect(good(await keeper.get(`/payments/${payment.id}`)).receipt).toBe('failed')
    good(await desk.done(one), 204)
    expect(await desk.owes(idCustomer)).toEqual([1000, 0])
  })

  const receiptOf = async (idPayment: number) =>
    (await desk.receipts(idPayment)).map(({ kind, task }: { kind: string; task: Receipt }) => [
      kind,
      task.items.map(({ settlement, amount }) => `${settlement} ${amount / 100}`).join(', '),
      task.payments.map(({ type, sum }) => `${type} ${sum / 100}`).join(', '),
    ])

  it('by card ahead, then an ECG in cash: no debt, the advance ends with the service (example 13)', async () => {
    const { idCustomer, lines } = await desk.visit([2, 0.5])
    const [main, ecg] = lines as [number, number]
    const by = (method: string, sum: number, idCouponService: number) =>
      desk.take(idCustomer, 0, { parts: [{ method, sum }], lines: [{ idCouponService, sum }] })
    const first = good(await by('card', 2000, main))
    expect(await receiptOf(first.id)).toEqual([['sell', 'fullPrepayment 2000', 'electronically 2000']])
    expect(await desk.owes(idCustomer)).toEqual([0, 2000])
    good(await desk.done(main), 204)
    good(await desk.done(ecg), 204)
    const second = good(await by('cash', 500, ecg))
    expect(await receiptOf(second.id)).toEqual([['sell', 'fullPayment 500', 'cash 500']])
    expect((await receiptOf(first.id))[1]).toEqual(['sell', 'fullPayment 2000', 'prepaid 2000'])
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
  })

  it('pays a part of the given services, and the debt later by card (example 15)', async () => {
    const { idCustomer, lines } = await desk.visit([3])
    good(await desk.done(lines[0] as number), 204)
    const part = good(await desk.take(idCustomer, 1000))
    expect(await receiptOf(part.id)).toEqual([['sell', 'partialPayment 3000', 'cash 1000, credit 2000']])
    expect(await desk.owes(idCustomer)).toEqual([2000, 0])
    const rest = good(await desk.take(idCustomer, 0, { parts: [{ method: 'card', sum: 2000 }] }))
    expect(await receiptOf(rest.id)).toEqual([['sell', 'creditPayment 2000', 'electronically 2000']])
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
  })

  it('after its offset is refunded as the settled service, not as an advance', async () => {
    const { id, idCustomer, lines } = await desk.visit([1])
    const [line] = lines as [number]
    const payment = good(await desk.take(idCustomer, 1500, { lines: [{ idCouponService: line, sum: 1000 }] }))
    good(await desk.done(line), 204)
    good(await desk.refund(payment.id, 300, { lines: [{ idCouponService: line, sum: 300 }] }))
    good(await desk.to(id, 'inProgress'))
    good(await desk.refuse(line), 204)
    good(await desk.refund(payment.id, 900))
    good(await desk.refund(payment.id, 300))
    const all = (
      await Promise.all(
        (
          await keeper.get(`/payments?filter[idCustomer]=${idCustomer}&sort=id`)
        ).body.items.map(({ id: one }: { id: number }) => receiptOf(one)),
      )
    ).flat()
    expect(all).toEqual([
      ['sell', 'fullPrepayment 1000, advance 500', 'cash 1500'],
      ['sell', 'fullPayment 1000', 'prepaid 1000'],
      // Free money pays the line again at once; it is from the same payment, so no new receipt is due.
      ['sell', 'creditPayment 300', 'prepaid 300'],
      ['sellReturn', 'fullPayment 300', 'cash 300'],
      ['sellReturn', 'fullPayment 900', 'cash 900'],
      ['sellReturn', 'fullPayment 100, advance 200', 'cash 300'],
    ])
  })

  it('that settled one service and now settles another reverses the first receipt', async () => {
    const { id, idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    const payment = good(await desk.take(idCustomer, 1000))
    good(await desk.to(id, 'inProgress'))
    good(await desk.refuse(lines[0] as number), 204)
    const next = await desk.visit([0.7], { idCustomer })
    good(await desk.done(next.lines[0] as number), 204)
    good(await desk.refund(payment.id, 1000))
    const back = good(await keeper.get(`/payments?filter[idRefundOf]=${payment.id}`)).items[0]
    expect([...(await receiptOf(payment.id)), ...(await receiptOf(back.id))]).toEqual([
      ['sell', 'fullPayment 1000', 'cash 1000'],
      ['sellReturn', 'fullPayment 700', 'prepaid 700'],
      ['sell', 'fullPayment 700', 'prepaid 700'],
      ['sellReturn', 'fullPayment 700, fullPayment 300', 'cash 1000'],
    ])
  })

  it('that is refunded no longer pays its line: the chosen one, else the newest', async () => {
    const { id, idCustomer, lines } = await desk.visit([1, 1])
    for (const line of lines) good(await desk.done(line), 204)
    const payment = good(await desk.take(idCustomer, 2100))
    expect(await desk.owes(idCustomer)).toEqual([0, 100])
    good(await desk.refund(payment.id, 300, { lines: [{ idCouponService: lines[0], sum: 300 }] }))
    // Free money pays the line again as far as it reaches.
    expect([await paid(id), await desk.owes(idCustomer)]).toEqual([
      [800, 1000],
      [200, 0],
    ])
    good(await desk.refund(payment.id, 100))
    expect([await paid(id), await desk.owes(idCustomer)]).toEqual([
      [800, 900],
      [300, 0],
    ])
    const over = await desk.refund(payment.id, 100, { lines: [{ idCouponService: lines[0], sum: 900 }] })
    expect([over.status, over.body[0].field]).toEqual([422, 'lines.0.sum'])
  })

  it('of a debt without a line does not pay lines', async () => {
    const { id, idCustomer, lines } = await desk.visit([1])
    good(await desk.correct(idCustomer, 'charge', 500), 201)
    good(await desk.take(idCustomer, 600))
    good(await desk.done(lines[0] as number), 204)
    expect([await paid(id), await desk.owes(idCustomer)]).toEqual([[100], [900, 0]])
    // A write-off pays lines as money does.
    good(await desk.correct(idCustomer, 'writeOff', 200), 201)
    expect([await paid(id), await desk.owes(idCustomer)]).toEqual([[300], [700, 0]])
  })

  it("from another patient's advance reduces that advance", async () => {
    const payer = await desk.visit([1])
    good(await desk.take(payer.idCustomer, 1000, { lines: [{ idCouponService: payer.lines[0], sum: 1000 }] }))
    const { id, idCustomer, lines } = await desk.visit([0.6])
    good(await desk.done(lines[0] as number), 204)
    const more = { idPayer: payer.idCustomer, parts: [{ method: 'advance', sum: 600 }] }
    good(await desk.take(idCustomer, 600, more))
    expect([await paid(id), await paid(payer.id)]).toEqual([[600], [400]])
    expect([await desk.owes(idCustomer), await desk.owes(payer.idCustomer)]).toEqual([
      [0, 0],
      [0, 400],
    ])
  })
})
