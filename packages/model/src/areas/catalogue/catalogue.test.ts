import { expect, it } from 'vitest'
import { durationOf, type VisitKind } from './performer.ts'
import { type ListFacts, type PriceFacts, priceOf } from './price.ts'

const rule = (idUser: number | null, visit: VisitKind | null, minutes: number, idFilial: number | null = null) => ({
  idUser,
  idFilial,
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
  [{ idFilial: 3, visit: 'primary' }, 50],
  [{ idUser: 5, idFilial: 3, visit: 'primary' }, 20],
] as const)(
  '%j takes %d minutes: the most specific rule holds, the doctor before the branch, the branch before the kind of visit',
  (asked, minutes) => {
    const rules = [
      rule(null, null, 30),
      rule(5, 'repeat', 15),
      rule(null, 'primary', 40),
      rule(5, null, 20),
      rule(null, null, 50, 3),
    ]
    expect(durationOf(rules, asked)?.minutes).toBe(minutes)
    expect(durationOf(rules.toReversed(), asked)?.minutes).toBe(minutes)
  },
)

it('takes no time that was not said', () => {
  expect(durationOf([rule(5, null, 20)], { idUser: 6 })).toBeUndefined()
})

const list = (id: number, more: Partial<ListFacts> = {}): ListFacts => ({
  id,
  kind: 'main',
  active: true,
  idFilial: null,
  idOrganization: null,
  idProgramme: null,
  ...more,
})
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

it('asks the programme, then the company, then the branch, then the main list', () => {
  const lists = [
    list(1),
    list(2, { idFilial: 7 }),
    list(3, { kind: 'dms', idOrganization: 8 }),
    list(4, { kind: 'dms', idOrganization: 8, idProgramme: 9 }),
    list(5, { kind: 'dms', idOrganization: 8, idFilial: 7 }),
  ]
  const prices = lists.map(({ id }) => price(id, id, '2026-01-01'))
  const asked = { date: '2026-01-01', idFilial: 7, idOrganization: 8, idProgramme: 9 }
  const found = (...without: number[]) => {
    const { source, idPriceList } = priceOf(
      100,
      prices.filter(({ idPriceList: of }) => !without.includes(of)),
      lists,
      asked,
    )
    return [source, idPriceList]
  }
  expect(found()).toEqual(['programme', 4])
  expect(found(4)).toEqual(['organization', 5])
  expect(found(4, 5)).toEqual(['organization', 3])
  expect(found(4, 5, 3)).toEqual(['filial', 2])
  expect(found(4, 5, 3, 2)).toEqual(['main', 1])
  expect(found(1, 2, 3, 4, 5)).toEqual(['service', null])
  expect(priceOf(100, prices, lists, { date: '2026-01-01' }).idPriceList).toBe(1)
})
