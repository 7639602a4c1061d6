import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kopecks } from '../../money.ts'
import { runs } from '../../testing/runs.ts'
import { itemErrors, itemKopecks, itemStatusOf, monthText, partOf, planStatusOf, variantName } from './rules.ts'

const item = fc
  .record({ qty: fc.integer({ min: 1, max: 12 }), price: fc.integer({ min: 0, max: 500_000 }), off: fc.nat() })
  .map(({ qty, price, off }) => ({ qty, price: price / 100, discount: (off % (qty * price + 1)) / 100 }))

describe('what a part of a line costs', () => {
  it('is 333,33; 333,34; 333,33 for three sessions of 1000,00 booked one by one', () => {
    const course = { qty: 3, price: 333.34, discount: 0.02 }
    let used = { qty: 0, kopecks: 0n }
    const parts = [1, 1, 1].map((qty) => {
      const part = partOf(course, qty, used)
      used = { qty: used.qty + qty, kopecks: used.kopecks + part }
      return Number(part) / 100
    })
    expect(parts).toEqual([333.33, 333.34, 333.33])
  })

  it('comes to the agreed sum whatever was booked, cancelled and booked again, and to no more than its price', () => {
    const steps = fc.array(fc.record({ qty: fc.integer({ min: 1, max: 5 }), drop: fc.nat() }), { maxLength: 30 })
    fc.assert(
      fc.property(item, steps, (of, all) => {
        const total = itemKopecks(of)
        let lines: { qty: number; part: bigint }[] = []
        const used = () => ({
          qty: lines.reduce((sum, { qty }) => sum + qty, 0),
          kopecks: lines.reduce((sum, { part }) => sum + part, 0n),
        })
        const book = (asked: number) => {
          const qty = Math.min(asked, of.qty - used().qty)
          if (qty === 0) return
          const part = partOf(of, qty, used())
          expect(part >= 0n && part <= BigInt(qty) * kopecks(of.price)).toBe(true)
          lines.push({ qty, part })
          expect(used().kopecks <= total).toBe(true)
        }
        for (const { qty, drop } of all) {
          if (drop % 3 === 0 && lines.length) lines = lines.toSpliced(drop % lines.length, 1)
          else book(qty)
        }
        while (used().qty < of.qty) book(1)
        expect(used().kopecks).toBe(total)
      }),
      { numRuns: runs(200, 5000) },
    )
  })
})

describe('a line', () => {
  it('has no discount above itself', () => {
    expect(itemErrors({ qty: 2, price: 100, discount: 200 })).toEqual([])
    expect(itemErrors({ qty: 2, price: 100, discount: 200.01 })).toMatchObject([{ field: 'discount' }])
  })

  it('is what has become of its pieces', () => {
    const of = { qty: 3, qtyDone: 0, qtyBooked: 0, cancelled: false }
    expect(itemStatusOf(of)).toBe('planned')
    expect(itemStatusOf({ ...of, qtyBooked: 1 })).toBe('booked')
    expect(itemStatusOf({ ...of, qtyDone: 2 })).toBe('planned')
    expect(itemStatusOf({ ...of, qtyDone: 3 })).toBe('done')
    expect(itemStatusOf({ ...of, qtyDone: 1, cancelled: true })).toBe('cancelled')
  })
})

it('a plan has its own status first, then that of its lines', () => {
  const nothing = { dateOffered: null, dateAgreed: null, dateRefused: null }
  const agreed = { ...nothing, dateOffered: '1', dateAgreed: '1' }
  const line = { qty: 1, qtyDone: 0, qtyBooked: 0, cancelled: false }
  expect(planStatusOf(nothing, [line])).toBe('draft')
  expect(planStatusOf({ ...nothing, dateOffered: '1' }, [line])).toBe('offered')
  expect(planStatusOf(agreed, [line])).toBe('agreed')
  expect(planStatusOf(agreed, [line, { ...line, qtyBooked: 1 }])).toBe('inWork')
  expect(planStatusOf(agreed, [line, { ...line, qtyDone: 1 }])).toBe('inWork')
  expect(
    planStatusOf(agreed, [
      { ...line, cancelled: true },
      { ...line, qtyDone: 1 },
    ]),
  ).toBe('done')
  expect(planStatusOf({ ...agreed, dateRefused: '1' }, [{ ...line, qtyDone: 1 }])).toBe('refused')
})

it('names months and variants', () => {
  expect([monthText('2027-03-01'), variantName(1), variantName(7)]).toEqual(['март 2027', 'Вариант Б', 'Вариант 8'])
})
