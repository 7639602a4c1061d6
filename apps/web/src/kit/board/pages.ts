import type { InfiniteData } from '@tanstack/react-query'

/** One column of a board as an infinite list. Pure functions: each returns new data. */

export interface BoardItem {
  id: number
}

export interface CardPage<C> {
  items: C[]
  /** Cursor of the next page; absent: this is the last. */
  next?: string
  /** Total of the column, on the first page only. */
  total?: number
}

export type ColumnData<C> = InfiniteData<CardPage<C>, string | undefined>

/** Target of a move: next to another card of the column, or an end of it. */
export interface Place {
  column: number
  before?: number
  after?: number
  at?: 'first' | 'last'
}

/** Keeps only the first pages; the rest is reloaded when it comes near. */
export function shortened<C>(data: ColumnData<C>, pages: number): ColumnData<C> {
  if (data.pages.length <= pages) return data
  return { pages: data.pages.slice(0, pages), pageParams: data.pageParams.slice(0, pages) }
}

/** All loaded cards without duplicates: a card moved past the cursor comes again with the next page. */
export function cardsOf<C extends BoardItem>(data: ColumnData<C> | undefined): C[] {
  if (!data) return []
  const seen = new Set<number>()
  const found: C[] = []
  for (const page of data.pages) {
    for (const card of page.items) {
      if (seen.has(card.id)) continue
      seen.add(card.id)
      found.push(card)
    }
  }
  return found
}

export const totalOf = <C>(data: ColumnData<C> | undefined): number | undefined => data?.pages[0]?.total

export const isWhole = <C>(data: ColumnData<C>): boolean => data.pages.at(-1)?.next === undefined

export function withTotal<C>(data: ColumnData<C>, change: (total: number) => number): ColumnData<C> {
  const [first, ...rest] = data.pages
  if (first?.total === undefined) return data
  return { ...data, pages: [{ ...first, total: Math.max(0, change(first.total)) }, ...rest] }
}

export function without<C extends BoardItem>(data: ColumnData<C>, id: number): ColumnData<C> {
  if (!data.pages.some((page) => page.items.some((card) => card.id === id))) return data
  const pages = data.pages.map((page) => ({ ...page, items: page.items.filter((card) => card.id !== id) }))
  return withTotal({ ...data, pages }, (total) => total - 1)
}

export function replaced<C extends BoardItem>(data: ColumnData<C>, card: C): ColumnData<C> {
  const pages = data.pages.map((page) =>
    page.items.some((c) => c.id === card.id)
      ? { ...page, items: page.items.map((c) => (c.id === card.id ? card : c)) }
      : page,
  )
  return { ...data, pages }
}

/** Inserts a card at the place; at the end of the loaded part when the neighbour is unknown. */
export function inserted<C extends BoardItem>(
  data: ColumnData<C>,
  card: C,
  place: Omit<Place, 'column'>,
): ColumnData<C> {
  const neighbour = place.before ?? place.after
  if (neighbour !== undefined) {
    for (const [at, page] of data.pages.entries()) {
      const index = page.items.findIndex((c) => c.id === neighbour)
      if (index >= 0) return insertedAt(data, card, at, place.before === undefined ? index + 1 : index)
    }
  }
  if (place.at === 'first') return insertedAt(data, card, 0, 0)
  if (!isWhole(data)) return withTotal(data, (total) => total + 1)
  const last = data.pages.length - 1
  return insertedAt(data, card, last, data.pages[last]?.items.length ?? 0)
}

/** Inserts a card at its sorted position; behind the loaded part it is only counted. */
export function insertedByOrder<C extends BoardItem>(
  data: ColumnData<C>,
  card: C,
  compare: (a: C, b: C) => number,
): ColumnData<C> {
  for (const [at, page] of data.pages.entries()) {
    const index = page.items.findIndex((c) => compare(card, c) < 0)
    if (index >= 0) return insertedAt(data, card, at, index)
  }
  return inserted(data, card, { at: 'last' })
}

/** The current place of a card, to restore it later. */
export function placeOf(cards: readonly BoardItem[], id: number, column: number): Place | undefined {
  const index = cards.findIndex((card) => card.id === id)
  if (index < 0) return undefined
  const next = cards[index + 1]
  const previous = cards[index - 1]
  if (next) return { column, before: next.id }
  return previous ? { column, after: previous.id } : { column, at: 'first' }
}

/** True when the card is already at the place. */
export function isAtPlace(cards: readonly BoardItem[], id: number, place: Omit<Place, 'column'>): boolean {
  const index = cards.findIndex((card) => card.id === id)
  if (index < 0) return false
  if (place.before !== undefined) return place.before === id || cards[index + 1]?.id === place.before
  if (place.after !== undefined) return place.after === id || cards[index - 1]?.id === place.after
  return place.at === 'first' ? index === 0 : index === cards.length - 1
}

function insertedAt<C extends BoardItem>(data: ColumnData<C>, card: C, at: number, index: number): ColumnData<C> {
  const pages = data.pages.map((page, i) =>
    i === at ? { ...page, items: page.items.toSpliced(index, 0, card) } : page,
  )
  return withTotal({ ...data, pages }, (total) => total + 1)
}
