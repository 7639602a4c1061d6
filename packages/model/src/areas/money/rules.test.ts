/** Receipts by the worked examples of a clinic's day; totals always match. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import type { PaymentMethod } from './methods.ts'
import { differences, noTotals, type PaidLine, receiptOf } from './rules.ts'

const line = (more: Partial<PaidLine>): PaidLine => ({
  name: 'Приём',
  due: 2_000_00,
  before: 0,
  now: 2_000_00,
  completed: false,
  given: false,
  ...more,
})
const summaryOf = (receipt: ReturnType<typeof receiptOf>) => ({
  items: receipt?.items.map(({ settlement, amount }) => [settlement, amount]),
  payments: Object.fromEntries(receipt?.payments.map(({ type, sum }) => [type, sum]) ?? []),
})

describe('a receipt', () => {
  it('of a service that is paid ahead, and of its offset when it is given', () => {
    const ahead = receiptOf({ lines: [line({})], parts: [{ method: 'card', sum: 2_000_00 }], debt: 0 })
    expect(summaryOf(ahead)).toEqual({
      items: [['fullPrepayment', 2_000_00]],
      payments: { electronically: 2_000_00 },
    })
    // The ECG costs 500; the consultation was prepaid.
    const given = receiptOf({
      lines: [
        line({ due: 500_00, now: 500_00, completed: true }),
        line({ before: 1_999_00, now: 1_00, completed: true }),
      ],
      parts: [{ method: 'cash', sum: 501_00 }],
      debt: 0,
    })
    expect(summaryOf(given)).toEqual({
      items: [
        ['fullPayment', 500_00],
        ['fullPayment', 2_000_00],
      ],
      payments: { cash: 501_00, prepaid: 1_999_00 },
    })
  })

  it('of an ECG paid in cash beside a consultation that a card has paid before (example 13)', () => {
    const card = { method: 'card' as const, sum: 2_000_00 }
    expect(summaryOf(receiptOf({ lines: [line({})], parts: [card], debt: 0 }))).toEqual({
      items: [['fullPrepayment', 2_000_00]],
      payments: { electronically: 2_000_00 },
    })
    const ecg = line({ due: 500_00, now: 500_00, completed: true })
    expect(summaryOf(receiptOf({ lines: [ecg], parts: [{ method: 'cash', sum: 500_00 }], debt: 0 }))).toEqual({
      items: [['fullPayment', 500_00]],
      payments: { cash: 500_00 },
    })
  })

  it('of a service that is given and paid in part, and of the debt that is paid later (example 15)', () => {
    const part = line({ due: 3_000_00, now: 1_000_00, completed: true })
    expect(summaryOf(receiptOf({ lines: [part], parts: [{ method: 'cash', sum: 1_000_00 }], debt: 0 }))).toEqual({
      items: [['partialPayment', 3_000_00]],
      payments: { cash: 1_000_00, credit: 2_000_00 },
    })
    const rest = { ...part, before: 1_000_00, now: 2_000_00, given: true }
    expect(summaryOf(receiptOf({ lines: [rest], parts: [{ method: 'card', sum: 2_000_00 }], debt: 0 }))).toEqual({
      items: [['creditPayment', 2_000_00]],
      payments: { electronically: 2_000_00 },
    })
  })

  it('of a visit that a certificate pays in part (example 12), and of what a certificate pays ahead', () => {
    const lines = [
      line({ due: 3_168_00, now: 3_168_00, completed: true }),
      line({ due: 792_00, now: 792_00, completed: true }),
    ]
    const parts = [
      { method: 'certificate' as const, sum: 3_000_00 },
      { method: 'card' as const, sum: 960_00 },
    ]
    expect(summaryOf(receiptOf({ lines, parts, debt: 0 }))).toEqual({
      items: [
        ['fullPayment', 3_168_00],
        ['fullPayment', 792_00],
      ],
      payments: { electronically: 960_00, prepaid: 3_000_00 },
    })
    // A certificate does not appear for services still to come: its own sale had a receipt.
    const ahead = lines.map((one) => ({ ...one, completed: false }))
    expect(summaryOf(receiptOf({ lines: ahead, parts, debt: 0 }))).toEqual({
      items: [
        ['prepayment', 168_00],
        ['fullPrepayment', 792_00],
      ],
      payments: { electronically: 960_00 },
    })
    expect(receiptOf({ lines: ahead, parts: [{ method: 'certificate', sum: 3_960_00 }], debt: 0 })).toBeUndefined()
  })

  it('is not given for what an insurer pays', () => {
    expect(receiptOf({ lines: [], parts: [{ method: 'insurer', sum: 5_00 }], debt: 5_00 })).toBeUndefined()
  })

  it('adds up: what is settled is what it is settled by', () => {
    const sum = fc.integer({ min: 1, max: 1_000_000_00 })
    const lines = fc.array(
      fc
        .record({
          due: sum,
          paid: fc.double({ min: 0, max: 1, noNaN: true }),
          completed: fc.boolean(),
          given: fc.boolean(),
        })
        .map(({ due, paid, completed, given }) => {
          const before = Math.floor(due * paid)
          return line({ due, before, now: due - before, completed, given })
        }),
      { maxLength: 5 },
    )
    const method = fc.constantFrom<PaymentMethod>('cash', 'card', 'sbp', 'transfer', 'insurer', 'certificate')
    fc.assert(
      fc.property(lines, fc.array(fc.record({ method, sum }), { maxLength: 4 }), sum, (paid, parts, debt) => {
        const receipt = receiptOf({ lines: paid, parts, debt })
        const by = receipt?.payments.reduce((all, one) => all + one.sum, 0) ?? 0
        expect(receipt?.total ?? 0).toBe(by)
        const money = parts.reduce(
          (all, one) => all + (one.method === 'insurer' || one.method === 'certificate' ? 0 : one.sum),
          0,
        )
        const taken = receipt?.payments
          .filter(({ type }) => type === 'cash' || type === 'electronically')
          .reduce((all, one) => all + one.sum, 0)
        expect(taken ?? 0).toBe(money)
      }),
      { numRuns: runs(200, 5_000) },
    )
  })
})

it('books and register are compared by kind and means', () => {
  const crm = noTotals()
  crm.sell.electronically = 40_500_00
  const kkt = noTotals()
  kkt.sell.electronically = 40_000_00
  expect(differences(crm, kkt)).toEqual([{ kind: 'sell', means: 'electronically', sum: 500_00 }])
  expect(differences(crm, crm)).toEqual([])
})
