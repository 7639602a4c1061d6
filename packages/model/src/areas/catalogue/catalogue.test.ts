import { expect, it } from 'vitest'
import { durationOf, type VisitKind } from './performer.ts'
import { type ListFacts, type PriceFacts, priceOf } from './price.ts'
import { wrongSaldo } from './stock.ts'

const rule = (idUser: number | null, visit: VisitKind | null, minutes: number) => ({
  idUser,
  visit,
  minutes,
  breakAfter: 0,
  online: true,
})

it.each([
  [{}, 30],
  [{ visit: 'primary' }, 40],
  [{ idUser: 5 }, 20],
  [{ idUser: 5, visit: 'primary' }, 20],
  [{ idUser: 5, visit: 'repeat' }, 15],
  [{ idUser: 6, visit: 'repeat' }, 30],
] as const)(
  '%j takes %d minutes: the most specific rule holds, the doctor before the kind of visit',
  (asked, minutes) => {
    const rules = [rule(null, null, 30), rule(5, 'repeat', 15), rule(null, 'primary', 40), rule(5, null, 20)]
    expect(durationOf(rules, asked)?.minutes).toBe(minutes)
    expect(durationOf(rules.toReversed(), asked)?.minutes).toBe(minutes)
  },
)

it('takes no time that nobody has said', () => {
  expect(durationOf([rule(5, null, 20)], { idUser: 6 })).toBeUndefined()
})

const list = (id: number, more: Partial<ListFacts> = {}): ListFacts => ({ id, kind: 'main', active: true, ...more })
const price = (idPriceList: number, rubles: number, dateFrom: string, dateTo: string | null = null): PriceFacts => ({
  idPriceList,
  price: rubles,
  dateFrom,
  dateTo,
})

it.each([
  ['2026-01-01', [list(1)], [price(1, 200, '2026-01-01', '2026-01-31')], 200, 'main'],
  ['2026-01-31', [list(1)], [price(1, 200, '2026-01-01', '2026-01-31')], 200, 'main'],
  ['2026-02-01', [list(1)], [price(1, 200, '2026-01-01', '2026-01-31')], 100, 'service'],
  ['2025-12-31', [list(1)], [price(1, 200, '2026-01-01')], 100, 'service'],
  ['2026-02-01', [list(1, { active: false })], [price(1, 200, '2026-01-01')], 100, 'service'],
  ['2026-02-01', [list(1, { kind: 'promo' })], [price(1, 200, '2026-01-01')], 100, 'service'],
] as const)(
  'on %s a service costs by the main list of that day, else its own price',
  (date, lists, prices, rubles, source) => {
    expect(priceOf(100, prices, lists, { date })).toMatchObject({ price: rubles, source })
  },
)

it.each([
  [5, true],
  [{ Центр: 5, Север: 0.5 }, true],
  [{}, true],
  [[5], false],
  [{ Центр: '5' }, false],
  [{ Центр: { полка: 5 } }, false],
  [Number.NaN, false],
])('%j is a saldo: %s', (saldo, isGood) => {
  expect(wrongSaldo(saldo) === undefined).toBe(isGood)
})
