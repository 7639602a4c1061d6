import type { QueryClient } from '@tanstack/react-query'
import {
  type BoardItem,
  type ColumnData,
  cardsOf,
  inserted,
  insertedByOrder,
  isWhole,
  type Place,
  placeOf,
  replaced,
  totalOf,
  without,
  withTotal,
} from './pages.ts'

export interface CardCacheRules<C extends BoardItem> {
  columnOf: (card: C) => number
  /** Order within a column. */
  compare: (a: C, b: C) => number
  /** The card in its new column, before the server returns its position. */
  moved: (card: C, column: number) => C
}

export type CardCache<C extends BoardItem> = ReturnType<typeof cardCache<C>>

/**
 * Cards of a board in the query cache: a column's infinite list is at [...prefix, idColumn]. All changes are made here,
 * so that a move changes two lists and nothing is reloaded.
 */
export function cardCache<C extends BoardItem>(
  client: QueryClient,
  prefix: readonly unknown[],
  rules: CardCacheRules<C>,
) {
  const keyOf = (column: number) => [...prefix, column]
  const dataOf = (column: number) => client.getQueryData<ColumnData<C>>(keyOf(column))
  const change = (column: number, by: (data: ColumnData<C>) => ColumnData<C>) =>
    void client.setQueryData<ColumnData<C>>(keyOf(column), (data) => data && by(data))

  function* columns(): Generator<[number, ColumnData<C>]> {
    for (const [key, data] of client.getQueriesData<ColumnData<C>>({ queryKey: prefix as unknown[] })) {
      const column = key[prefix.length]
      if (typeof column === 'number' && data?.pages) yield [column, data]
    }
  }

  function find(id: number): { card: C; column: number } | undefined {
    for (const [column, data] of columns()) {
      for (const page of data.pages) {
        const card = page.items.find((c) => c.id === id)
        if (card) return { card, column }
      }
    }
    return undefined
  }

  const isBehind = (data: ColumnData<C> | undefined, card: C) =>
    data !== undefined && !isWhole(data) && cardsOf(data).every((c) => rules.compare(c, card) <= 0)

  return {
    find,
    cards: (column: number): C[] => cardsOf(dataOf(column)),
    total: (column: number): number | undefined => totalOf(dataOf(column)),
    all: (): C[] => [...columns()].flatMap(([, data]) => cardsOf(data)),

    /** Moves a card; returns its former place, or undefined when it is not loaded. */
    move(id: number, place: Place): Place | undefined {
      const at = find(id)
      if (!at) return undefined
      const back = placeOf(cardsOf(dataOf(at.column)), id, at.column)
      change(at.column, (data) => without(data, id))
      change(place.column, (data) => inserted(data, rules.moved(at.card, place.column), place))
      return back
    },

    /** Applies a card from the server: in place if it did not move, else at its sorted position. */
    put(card: C): void {
      const at = find(card.id)
      const column = rules.columnOf(card)
      if (at?.column === column) {
        const others = cardsOf(dataOf(column))
        const index = others.findIndex((c) => c.id === card.id)
        const previous = others[index - 1]
        const next = others[index + 1]
        const stays = (!previous || rules.compare(previous, card) <= 0) && (!next || rules.compare(card, next) <= 0)
        if (stays) {
          change(column, (data) => replaced(data, card))
          return
        }
      }
      // A card that was not loaded and sorts behind the loaded part is presumably counted already.
      if (!at && isBehind(dataOf(column), card)) return
      if (at) change(at.column, (data) => without(data, card.id))
      change(column, (data) => insertedByOrder(data, card, rules.compare))
    },

    /** Changes a card without moving it. */
    patch(id: number, by: (card: C) => C): void {
      const at = find(id)
      if (at) change(at.column, (data) => replaced(data, by(at.card)))
    },

    remove(id: number): void {
      const at = find(id)
      if (at) change(at.column, (data) => without(data, id))
    },

    setTotal(column: number, total: number): void {
      if (totalOf(dataOf(column)) !== total) change(column, (data) => withTotal(data, () => total))
    },
  }
}
