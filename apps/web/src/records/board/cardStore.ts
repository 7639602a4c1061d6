import { type Grouped, totalOf } from '@ordinator/model/client'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#base/apiError.ts'
import { type CardCache, type CardCacheRules, cardCache } from '#kit/board/cardCache.ts'
import { type BoardItem, type CardPage, type ColumnData, type Place, shortened } from '#kit/board/pages.ts'
import { notify } from '#kit/notify.tsx'
import { notifyTitledFailure } from '../notifyFailure.ts'

/** Events within this time are read together. */
const COALESCE_MS = 60
const COUNT_AFTER_MS = 700
const RESET_AFTER_MS = 300
/** Delay before a failed read is retried, doubled each time up to the maximum. */
const AGAIN_AFTER_MS = 1_000
const AGAIN_AFTER_MOST_MS = 15_000
/** Pages of a column that are re-read; those below are loaded by scrolling. */
const KEPT_PAGES = 4

export interface CardScope {
  columns: readonly { id: number; name: string }[]
}

/** Requests of a board for its cards. */
export interface CardCalls<C extends BoardItem> {
  /** A page of a column. */
  page: (column: number, after: string | undefined, signal: AbortSignal) => Promise<CardPage<C>>
  /** The first pages of these columns, or of all, in one call. */
  firstPages: (columns: readonly number[] | 'all') => Promise<ReadonlyMap<number, CardPage<C>>>
  /** Cards of these ids that still match the board and its filter; the others have left it. */
  read: (ids: readonly number[]) => Promise<C[]>
  /** Number of cards of a column; undefined: unknown. */
  count: (column: number) => Promise<number | undefined>
  /** Saves a move that is already shown; a place without a neighbour may be left to the server. */
  move: (id: number, place: Place, from: Place) => Promise<void>
}

interface Move {
  from: Place
  to: Place
  /** A later move, sent when this one is answered. */
  next?: Place
}

/** Thrown by `move` when the user cancels: the card goes back without a toast. */
export class MoveCancelled extends Error {}

/**
 * Cards of one open board with one filter: optimistic moves, saving and undoing them, and re-reading changes of others.
 * Reads only changed cards, never whole columns.
 */
export abstract class CardStore<C extends BoardItem> {
  readonly prefix: unknown[]
  readonly cards: CardCache<C>
  protected closed = false
  protected readonly client: QueryClient
  protected abstract readonly calls: CardCalls<C>
  abstract readonly scope: CardScope
  #held: number | null = null
  /** The held card must be re-read when it is released. */
  private heldIsDue = false
  /** Cards with events during the read of a column: its answer may be older than the events. */
  private readonly unsure = new Set<number>()
  private unsureTimer: ReturnType<typeof setTimeout> | undefined
  private gathering: { columns: Set<number>; pages: Promise<ReadonlyMap<number, CardPage<C>>> } | undefined
  private readonly moves = new Map<number, Move>()
  private readonly dueCards = new Set<number>()
  private timer: ReturnType<typeof setTimeout> | undefined
  /** One read at a time: a late answer would restore what a later one has removed. */
  private reading = false
  private isDueAgain = false
  private failures = 0
  private countTimer: ReturnType<typeof setTimeout> | undefined
  private resetTimer: ReturnType<typeof setTimeout> | undefined

  constructor(client: QueryClient, prefix: readonly unknown[], rules: CardCacheRules<C>) {
    this.client = client
    this.prefix = [...prefix]
    this.cards = cardCache<C>(client, this.prefix, rules)
  }

  /** The card being dragged; server updates of it wait. */
  get held(): number | null {
    return this.#held
  }

  set held(id: number | null) {
    const before = this.#held
    this.#held = id
    if (before === null || before === id || !this.heldIsDue) return
    this.heldIsDue = false
    this.refresh([before])
  }

  /** A page of a column. First pages requested by several columns at once are read in one call. */
  page(column: number, after: string | undefined, signal: AbortSignal): Promise<CardPage<C>> {
    if (after !== undefined) return this.calls.page(column, after, signal)
    this.gathering ??= { columns: new Set(), pages: Promise.resolve().then(() => this.gathered()) }
    const { columns, pages } = this.gathering
    columns.add(column)
    return pages.then((found) => found.get(column) ?? this.calls.page(column, undefined, signal))
  }

  private gathered(): Promise<ReadonlyMap<number, CardPage<C>>> {
    const columns = [...(this.gathering?.columns ?? [])]
    this.gathering = undefined
    if (columns.length < 2) return Promise.resolve(new Map())
    return this.calls.firstPages(columns.length === this.scope.columns.length ? 'all' : columns)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    clearTimeout(this.unsureTimer)
    clearTimeout(this.countTimer)
    clearTimeout(this.resetTimer)
  }

  /** Saves a move that the board already shows. */
  async save(id: number, from: Place, to: Place): Promise<void> {
    const running = this.moves.get(id)
    if (running) {
      running.next = to
      return
    }
    const move: Move = { from, to }
    this.moves.set(id, move)
    try {
      for (let place: Place | undefined = to; place; ) {
        await this.calls.move(id, place, move.from)
        move.to = place
        place = move.next
        move.next = undefined
      }
      this.moves.delete(id)
      this.offerUndo(id, move)
    } catch (error) {
      this.moves.delete(id)
      this.cards.move(id, this.standing(move.from))
      notifyBoardFailure(error)
    }
    this.refresh([id])
  }

  private offerUndo(id: number, move: Move): void {
    const column = this.scope.columns.find((c) => c.id === move.to.column)?.name ?? ''
    const text = move.from.column === move.to.column ? 'Порядок изменён' : `Перемещено в «${column}»`
    notify.hide(UNDO)
    notify.undo(
      text,
      async () => {
        const back = this.standing(move.from)
        this.cards.move(id, back)
        await this.calls.move(id, back, move.to).catch(notifyBoardFailure)
        this.refresh([id])
      },
      { id: UNDO },
    )
  }

  /** The place as valid now: its neighbour may have gone meanwhile. */
  private standing(place: Place): Place {
    const neighbour = place.before ?? place.after
    if (neighbour === undefined || this.cards.find(neighbour)?.column === place.column) return place
    return { column: place.column, at: 'first' }
  }

  /** All columns may be stale: the subscription began after they were read, or events were missed. */
  readAgain(): void {
    clearTimeout(this.resetTimer)
    this.resetTimer = setTimeout(() => {
      this.client.setQueriesData<ColumnData<C>>(
        { queryKey: this.prefix },
        (data) => data && shortened(data, KEPT_PAGES),
      )
      void this.client.invalidateQueries({ queryKey: this.prefix })
    }, RESET_AFTER_MS)
  }

  /** Re-reads these cards soon, batched with others. */
  refresh(ids: Iterable<number>): void {
    for (const id of ids) this.dueCards.add(id)
    if (this.dueCards.size) this.schedule()
  }

  protected schedule(): void {
    if (this.closed) return
    if (this.reading) this.isDueAgain = true
    else this.timer ??= setTimeout(() => void this.readDue(), COALESCE_MS)
  }

  private async readDue(): Promise<void> {
    this.timer = undefined
    const ids = [...this.dueCards]
    this.dueCards.clear()
    if (!this.scope.columns.length) return
    this.reading = true
    this.isDueAgain = false
    try {
      await this.read(ids)
      this.failures = 0
    } catch (error) {
      // No event will repeat this, so the read must be retried. The board does not fail because of it.
      if (!isRefused(error)) this.tryAgain(ids)
    }
    this.reading = false
    if (this.isDueAgain) this.schedule()
  }

  private tryAgain(ids: readonly number[]): void {
    for (const id of ids) this.dueCards.add(id)
    const wait = Math.min(AGAIN_AFTER_MS * 2 ** this.failures++, AGAIN_AFTER_MOST_MS)
    if (!this.closed) this.timer = setTimeout(() => void this.readDue(), wait)
  }

  /** Reads what is due and applies it; exceptions lead to a retry. */
  protected async read(ids: number[]): Promise<void> {
    const found = ids.length ? await this.calls.read(ids) : []
    if (!this.closed) this.take(ids, found)
  }

  /** Applies cards that were read; requested ones that were not found have left the board. */
  protected take(asked: Iterable<number>, found: readonly C[]): void {
    const gone = new Set(asked)
    if (this.client.isFetching({ queryKey: this.prefix }) > 0) this.askLater(gone)
    let uncertain = false
    for (const card of new Map(found.map((one) => [one.id, one])).values()) {
      gone.delete(card.id)
      if (this.isBusy(card.id)) continue
      uncertain ||= !this.cards.find(card.id)
      this.cards.put(card)
    }
    for (const id of gone) {
      if (this.isBusy(id)) continue
      uncertain ||= !this.cards.find(id)
      this.cards.remove(id)
    }
    if (uncertain) this.recount()
  }

  private askLater(ids: Iterable<number>): void {
    for (const id of ids) this.unsure.add(id)
    this.unsureTimer ??= setTimeout(() => {
      this.unsureTimer = undefined
      const due = [...this.unsure]
      this.unsure.clear()
      this.refresh(due)
    }, RESET_AFTER_MS)
  }

  private isBusy(id: number): boolean {
    if (this.#held === id) this.heldIsDue = true
    return this.moves.has(id) || this.#held === id
  }

  /** A card outside the loaded part came or went, so the totals are read again. */
  private recount(): void {
    clearTimeout(this.countTimer)
    this.countTimer = setTimeout(async () => {
      for (const { id } of this.scope.columns) {
        const total = await this.calls.count(id).catch(() => undefined)
        if (this.closed) return
        if (total !== undefined && !this.moves.size) this.cards.setTotal(id, total)
      }
    }, COUNT_AFTER_MS)
  }
}

/** Cards of a column in the common first call; more by scrolling. */
export const FIRST_CARDS = 25

/** Pages of columns from the answer of a grouped read. */
export const pagesOf = <C>({ groups }: Grouped<unknown>): ReadonlyMap<number, CardPage<C>> =>
  new Map(groups.map(({ key, items, next, ...total }) => [key, { items: items as C[], next, total: totalOf(total) }]))

/** The server has refused, and would refuse again. */
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

const UNDO = 'board-move'

/** Shows a toast for a failed write of a board, unless the user cancelled the move. */
export function notifyBoardFailure(error: unknown, title?: string): void {
  if (!(error instanceof MoveCancelled)) notifyTitledFailure(title, error)
}
