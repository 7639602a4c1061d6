import { expect, test } from 'vitest'
import { type ColumnData, cardsOf, inserted, insertedByOrder, isAtPlace, placeOf, totalOf, without } from './pages.ts'

interface Card {
  id: number
  order: number
}
const card = (id: number, order = id) => ({ id, order })
const byOrder = (a: Card, b: Card) => a.order - b.order
const column = (more: boolean): ColumnData<Card> => ({
  pages: [
    { items: [card(10), card(20)], next: 'a', total: 5 },
    { items: [card(30), card(40)], next: more ? 'b' : undefined },
  ],
  pageParams: [undefined, 'a'],
})
const ids = (data: ColumnData<Card>) => cardsOf(data).map((c) => c.id)

test('a card is put next to its neighbour, on whatever page that is', () => {
  expect(ids(inserted(column(true), card(7), { before: 10 }))).toEqual([7, 10, 20, 30, 40])
  expect(ids(inserted(column(true), card(7), { after: 20 }))).toEqual([10, 20, 7, 30, 40])
  expect(ids(inserted(column(true), card(7), { after: 40 }))).toEqual([10, 20, 30, 40, 7])
  expect(totalOf(inserted(column(true), card(7), { after: 40 }))).toBe(6)
})

test('the end of a column that goes on is not shown, only counted', () => {
  const longer = inserted(column(true), card(7), { at: 'last' })
  expect(ids(longer)).toEqual([10, 20, 30, 40])
  expect(totalOf(longer)).toBe(6)
  expect(ids(inserted(column(false), card(7), { at: 'last' }))).toEqual([10, 20, 30, 40, 7])
})

test('a card finds its place by order', () => {
  expect(ids(insertedByOrder(column(true), card(1, 25), byOrder))).toEqual([10, 20, 1, 30, 40])
  expect(ids(insertedByOrder(column(true), card(1, 45), byOrder))).toEqual([10, 20, 30, 40])
  expect(ids(insertedByOrder(column(false), card(1, 45), byOrder))).toEqual([10, 20, 30, 40, 1])
})

test('taking a card out changes the count once', () => {
  const shorter = without(column(true), 30)
  expect(ids(shorter)).toEqual([10, 20, 40])
  expect(totalOf(shorter)).toBe(4)
  expect(without(shorter, 30)).toBe(shorter)
})

test('a card that comes again with the next page is shown once', () => {
  const twice: ColumnData<Card> = {
    pages: [{ items: [card(10), card(40)] }, { items: [card(30), card(40)] }],
    pageParams: [],
  }
  expect(ids(twice)).toEqual([10, 40, 30])
})

test('the way back leads to the same place', () => {
  for (const id of [10, 20, 30, 40]) {
    const place = placeOf(cardsOf(column(false)), id, 1)
    expect(place).toBeDefined()
    const { column: _, ...rest } = place as NonNullable<typeof place>
    expect(ids(inserted(without(column(false), id), card(id), rest))).toEqual([10, 20, 30, 40])
    expect(isAtPlace(cardsOf(column(false)), id, rest)).toBe(true)
  }
})
