import fc from 'fast-check'
import { expect, it } from 'vitest'
import { daysOfStock, orderOf, pickFefo, sumOf, thousandths } from './rules.ts'
import { readExpiry, seriesKey } from './series.ts'
import { stockQty, unitFactor } from './units.ts'

const batch = (idBatch: number, free: number, expiry: string | null, blocked = false) => ({
  idBatch,
  free,
  expiry,
  blocked,
  received: idBatch,
})

it('takes what expires first (screens.md § 17)', () => {
  const [a, b, c] = [batch(1, 5, '2026-12-31'), batch(2, 10, '2026-11-30'), batch(3, 4, '2026-11-19')]
  expect(pickFefo([a, b, c], 12, '2026-11-20')).toEqual({
    picks: [
      { idBatch: 2, qty: 10 },
      { idBatch: 1, qty: 2 },
    ],
    lack: 0,
  })
  expect(pickFefo([a, b, c], 20, '2026-11-20')).toEqual({
    picks: [
      { idBatch: 2, qty: 10 },
      { idBatch: 1, qty: 5 },
    ],
    lack: 5,
  })
  // Ten days before its end the second batch is held back, too.
  expect(pickFefo([a, b, c], 4, '2026-11-20', 11).picks).toEqual([{ idBatch: 1, qty: 4 }])
  expect(
    pickFefo([batch(1, 5, null), batch(2, 5, '2027-01-01', true), batch(3, 1, null)], 6, '2026-11-20').picks,
  ).toEqual([
    { idBatch: 1, qty: 5 },
    { idBatch: 3, qty: 1 },
  ])
})

it('never takes more than there is, nor of one batch twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ free: fc.integer({ min: 0, max: 5000 }), days: fc.integer({ min: 1, max: 28 }) }), {
        maxLength: 8,
      }),
      fc.integer({ min: 1, max: 9000 }),
      (all, need) => {
        const batches = all.map(({ free, days }, at) =>
          batch(at + 1, free / 1000, `2026-12-${String(days).padStart(2, '0')}`),
        )
        const { picks, lack } = pickFefo(batches, need / 1000, '2026-12-10')
        const taken = picks.reduce((sum, { qty }) => sum + thousandths(qty), 0)
        expect(taken + thousandths(lack)).toBe(need)
        expect(new Set(picks.map(({ idBatch }) => idBatch)).size).toBe(picks.length)
        for (const { idBatch, qty } of picks) expect(qty).toBeLessThanOrEqual(batches[idBatch - 1]?.free ?? 0)
      },
    ),
    { numRuns: 100 },
  )
})

it('orders up to the maximum, and shows for how long the stock lasts', () => {
  expect(orderOf({ stock: 4, inTransit: 3, min: 5, max: 20 })).toBe(13)
  expect(orderOf({ stock: 5, inTransit: 0, min: 5, max: 20 })).toBe(0)
  expect(orderOf({ stock: 1, inTransit: 0, min: 2, max: null })).toBe(1)
  expect([daysOfStock(10, 30), daysOfStock(10, 0)]).toEqual([10, null])
})

it('sums are whole kopecks, rounded half up', () => {
  expect([sumOf(3, 0.1), sumOf(0.5, 0.01), sumOf(1_000_000, 99_999_999.99), sumOf(0.333, 10)]).toEqual([
    0.3, 0.01, 99999999990000, 3.33,
  ])
})

it.each([
  ['03.2027', '2027-03-31'],
  ['03/2027', '2027-03-31'],
  ['02/28', '2028-02-29'],
  ['март 2027', '2027-03-31'],
  ['мая 2027 г.', '2027-05-31'],
  ['до 2027-03', '2027-03-31'],
  ['31.12.2027', '2027-12-31'],
  ['31.12.2027 00:00:00', '2027-12-31'],
  ['2027-12-31', '2027-12-31'],
  ['01.02.27', '2027-02-01'],
  ['31.02.2027', null],
  ['13.2027', null],
  ['скоро', null],
])('reads the term «%s» as %s', (text, day) => expect(readExpiry(text)).toBe(day))

it('a series is what people see', () => {
  expect(seriesKey('ав 12о')).toBe(seriesKey('AB120'))
  expect(seriesKey('АВ12')).not.toBe(seriesKey('AB13'))
})

it('counts the units of papers in those of the stock', () => {
  const good = { unit: 'шт.', packUnit: 'Пачка', packRatio: 50 }
  expect(['упак', 'уп.', 'шт', 'Штука', null, 'тыс. шт'].map((unit) => unitFactor(unit, good))).toEqual([
    50, 50, 1, 1, 1, 1000,
  ])
  expect(unitFactor('упак', { ...good, packRatio: null })).toBe(null)
  expect(unitFactor('флак.', { unit: 'фл', packUnit: null, packRatio: null })).toBe(1)
  expect(stockQty(0.5, 'упак', { ...good, packRatio: 2.5 })).toBe(1.25)
})
