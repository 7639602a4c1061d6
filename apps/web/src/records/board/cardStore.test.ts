import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ColumnData } from '#kit/board/pages.ts'
import { type CardCalls, CardStore } from './cardStore.ts'

interface Card {
  id: number
  order: number
  idColumn: number
}

const COLUMN = 1
const card = (id: number): Card => ({ id, order: id, idColumn: COLUMN })
const page = (...ids: number[]): ColumnData<Card> => ({
  pages: [{ items: ids.map(card), next: undefined, total: ids.length }],
  pageParams: [undefined],
})

/** Server answers that resolve when the test decides. */
function waiting<T>() {
  const asked: ((answer: T) => void)[] = []
  const failing: ((error: Error) => void)[] = []
  const ask = () =>
    new Promise<T>((done, fail) => {
      asked.push(done)
      failing.push(fail)
    })
  return { asked, failing, ask }
}

class Board extends CardStore<Card> {
  readonly scope = { columns: [COLUMN, 2, 3].map((id) => ({ id, name: `Колонка ${id}` })) }
  readonly answers = waiting<Card[]>()
  readonly asked: unknown[] = []
  protected readonly calls: CardCalls<Card> = {
    page: async (column, after) => {
      this.asked.push([column, after])
      return { items: [] }
    },
    firstPages: async (columns) => {
      this.asked.push(columns)
      return new Map([1, 2].map((id) => [id, { items: [card(id)], total: id }]))
    },
    read: () => this.answers.ask(),
    count: async () => undefined,
    move: async () => {},
  }
}

let client: QueryClient
let board: Board
const shown = () => board.cards.all().map(({ id }) => id)
const tick = (ms = 100) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  client.setQueryData(['cards', COLUMN], page(1))
  board = new Board(client, ['cards'], {
    columnOf: ({ idColumn }) => idColumn,
    compare: (a, b) => a.order - b.order,
    moved: (one, idColumn) => ({ ...one, idColumn }),
  })
})
afterEach(() => {
  board.close()
  vi.useRealTimers()
})

describe('first pages', () => {
  const signal = new AbortController().signal

  it('come in one call when several columns ask in one breath, and by themselves otherwise', async () => {
    const pages = await Promise.all([1, 2, 3].map((column) => board.page(column, undefined, signal)))
    expect(pages.map(({ total }) => total)).toEqual([1, 2, undefined])
    // The third was not in the answer: it was requested after the others were read.
    expect(board.asked.splice(0)).toEqual(['all', [3, undefined]])
    await Promise.all([1, 2].map((column) => board.page(column, undefined, signal)))
    expect(board.asked.splice(0)).toEqual([[1, 2]])
    await board.page(2, undefined, signal)
    await Promise.all([board.page(1, 'next', signal), board.page(2, 'next', signal)])
    expect(board.asked).toEqual([
      [2, undefined],
      [1, 'next'],
      [2, 'next'],
    ])
  })
})

describe('what cards show', () => {
  it('is read one after another: a slow answer does not bring back a card that has gone', async () => {
    board.refresh([2])
    await tick()
    board.refresh([2])
    await tick()
    expect(board.answers.asked).toHaveLength(1)
    board.answers.asked[0]?.([card(2)])
    await tick()
    expect(shown()).toEqual([1, 2])
    expect(board.answers.asked).toHaveLength(2)
    board.answers.asked[1]?.([])
    await tick()
    expect(shown()).toEqual([1])
  })

  it('is read again after a column that was being read meanwhile', async () => {
    const column = waiting<ColumnData<Card>>()
    void client.fetchQuery({ queryKey: ['cards', COLUMN], queryFn: column.ask, staleTime: 0 })
    board.refresh([1])
    await tick()
    board.answers.asked[0]?.([])
    await tick()
    expect(shown()).toEqual([])
    column.asked[0]?.(page(1))
    await tick()
    expect(shown()).toEqual([1])
    await tick(1_000)
    board.answers.asked[1]?.([])
    await tick()
    expect(shown()).toEqual([])
  })

  it('is not lost when the server does not answer: it is asked again, with what came meanwhile', async () => {
    board.refresh([1])
    await tick()
    board.answers.failing[0]?.(new Error('503'))
    await tick()
    expect(shown()).toEqual([1])
    board.refresh([2])
    await tick(1_000)
    expect(board.answers.asked).toHaveLength(2)
    board.answers.asked[1]?.([card(2)])
    await tick()
    expect(shown()).toEqual([2])
    // Nothing more is requested for a closed board.
    board.refresh([2])
    await tick()
    board.answers.failing[2]?.(new Error('503'))
    board.close()
    await tick(60_000)
    expect(board.answers.asked).toHaveLength(3)
  })
})
