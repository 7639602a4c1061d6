import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { type OwedLine, owedOf, paidLines, partSums, restOf, totalOf } from './owed.ts'

const line = (id: number, due: number, more: Partial<OwedLine> = {}): OwedLine => ({
  id,
  due,
  paid: 0,
  charged: true,
  ...more,
})

describe('what is owed', () => {
  it('is the rest of provided services and the debt without a service', () => {
    const lines = [line(1, 2_000, { paid: 500 }), line(2, 300)]
    expect(owedOf({ debt: 2_500, free: 0, lines })).toBe(2_500_00)
    expect(owedOf({ debt: 1_800, free: 0, lines })).toBe(1_800_00)
  })

  it('keeps the debt without a service when a service is not chosen', () => {
    const lines = [line(1, 2_000), line(2, 300)]
    expect(owedOf({ debt: 2_500, free: 0, lines }, [line(2, 300)])).toBe(500_00)
  })

  it('takes the free advance off services to come alone', () => {
    const lines = [line(1, 700), line(2, 1_000, { charged: false })]
    expect(owedOf({ debt: 700, free: 400, lines })).toBe(1_300_00)
    expect(owedOf({ debt: 0, free: 5_000, lines: [line(2, 1_000, { charged: false })] })).toBe(0)
  })
})

test('a payment of all provided services names none of them', () => {
  const lines = [line(1, 700), line(2, 300)]
  expect(paidLines(lines, lines, 1_000_00)).toBeUndefined()
})

test('a payment names chosen services, provided ones first, up to its total', () => {
  const ahead = line(1, 1_000, { charged: false })
  const given = line(2, 300)
  expect(paidLines([ahead, given], [ahead, given], 800_00)).toEqual([
    { idCouponService: 2, sum: 300 },
    { idCouponService: 1, sum: 500 },
  ])
})

test('a certificate pays up to its balance, the only open part the rest', () => {
  expect(partSums(1_000, [{ method: 'cash', sum: null }])).toEqual([1_000])
  expect(
    partSums(
      1_000,
      [
        { method: 'certificate', sum: null },
        { method: 'card', sum: null },
      ],
      300,
    ),
  ).toEqual([300, 700])
  expect(
    partSums(1_000, [
      { method: 'cash', sum: 250.5 },
      { method: 'card', sum: null },
    ]),
  ).toEqual([250.5, 749.5])
})

test('two open parts get nothing by themselves, a text counts as nothing', () => {
  expect(
    partSums(1_000, [
      { method: 'cash', sum: null },
      { method: 'card', sum: null },
    ]),
  ).toEqual([null, null])
  expect(
    partSums(1_000, [
      { method: 'cash', sum: 'сто' },
      { method: 'card', sum: null },
    ]),
  ).toEqual(['сто', 1_000])
})

const money = fc.integer({ min: 1, max: 1_000_000 }).map((sum) => sum / 100)

test('parts never exceed their service, nor together the total; an open part completes what is asked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(money, fc.boolean()), { maxLength: 6 }),
      fc.integer({ min: 0, max: 3_000_000 }),
      money,
      fc.option(money, { nil: null }),
      (of, total, asked, typed) => {
        const lines = of.map(([due, charged], at) => line(at + 1, due, { charged }))
        const parts = paidLines(lines, lines, total) ?? []
        for (const { idCouponService, sum } of parts)
          expect(Math.round(sum * 100)).toBeLessThanOrEqual(restOf(lines[idCouponService - 1] as OwedLine))
        expect(totalOf(parts.map(({ sum }) => sum))).toBeLessThanOrEqual(total)
        const sums = partSums(asked, [
          { method: 'cash', sum: typed },
          { method: 'certificate', sum: null },
        ])
        if (typed === null) expect(totalOf(sums)).toBe(Math.round(asked * 100))
      },
    ),
    { numRuns: runs(50, 2_000) },
  )
})
