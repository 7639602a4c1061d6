import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { formatNumber } from '@ordinator/model/format'
import { createContext, useContext } from 'react'
import { type BoardItem, type Place, placeOf } from './pages.ts'

/** A rendered column. */
export interface ColumnHandle {
  id: number
  name: string
  scrollTo: (index: number) => void
}

/** What the board needs from its area. */
export interface BoardRules {
  /** Loaded cards of a column and its total, current even before the next render. */
  items: (column: number) => readonly BoardItem[]
  total: (column: number) => number | undefined
  cardName: (id: number) => string
  /** Whether cards can be selected for a bulk change; absent: yes. */
  canSelect?: () => boolean
  canMove: (id: number) => boolean
  /** The reason why a card cannot be moved, shown on an attempt. */
  whyNot?: (id: number) => string
  /** Shows the card at the place without saving; returns its former place. */
  preview: (id: number, place: Place) => Place | undefined
  /** Saves the move; `from` is the place before any preview. */
  save: (id: number, from: Place, to: Place) => void
  open: (id: number) => void
  /** The card was dropped on another board of the family; absent: boards accept only their own cards. */
  leave?: (id: number, there: BoardController, place: Place) => void
}

interface Picked {
  id: number
  from: Place
  to?: Place
}

type Direction = 'up' | 'down' | 'left' | 'right'

/** Focus, pick-up and keyboard moves for one board. Works with ids and places only. */
export class BoardController {
  readonly key = Symbol('board')
  /** Boards that accept each other's cards: lanes. */
  readonly family: symbol | undefined
  rules: BoardRules
  order: readonly number[] = []
  /** Cards selected for a bulk change. */
  selected: ReadonlySet<number> = new Set()
  active: number | null = null
  hovered: number | null = null
  picked: Picked | null = null
  /** The card to focus as soon as it is rendered. */
  wanted: number | null = null
  /** The card that has just been moved; it flashes once. */
  flashed: number | null = null
  private readonly columns = new Map<number, ColumnHandle>()
  private readonly listeners = new Set<() => void>()

  constructor(rules: BoardRules, family?: symbol) {
    this.rules = rules
    this.family = family
  }

  /** Whether the dragged item may be dropped here. */
  accepts(dragged: { board?: unknown; family?: unknown; kind?: unknown }): boolean {
    if (dragged.board === this.key) return true
    return dragged.kind === 'card' && this.family !== undefined && dragged.family === this.family
  }

  select(ids: Iterable<number>): void {
    this.selected = new Set(ids)
    this.changed()
  }

  toggleSelected(id: number): void {
    if (this.rules.canSelect?.() === false) return
    const next = new Set(this.selected)
    if (!next.delete(id)) next.add(id)
    this.select(next)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private changed(): void {
    for (const listener of this.listeners) listener()
  }

  register(handle: ColumnHandle): void {
    this.columns.set(handle.id, handle)
  }

  unregister(id: number): void {
    this.columns.delete(id)
  }

  columnOf(id: number | null): ColumnHandle | undefined {
    if (id === null) return undefined
    for (const column of this.columns.values()) if (this.items(column).some((card) => card.id === id)) return column
    return undefined
  }

  column = (id: number): ColumnHandle | undefined => this.columns.get(id)

  private items = (column: ColumnHandle): readonly BoardItem[] => this.rules.items(column.id)

  /** The target of a single key: the focused card, else the one under the pointer. */
  target(): number | null {
    const focused = document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset.card
    if (focused) return Number(focused)
    return this.columnOf(this.hovered) ? this.hovered : null
  }

  setActive(id: number): void {
    if (this.active === id) return
    this.active = id
    this.changed()
  }

  /** Scrolls to the card and focuses it, even when it is not rendered yet. */
  focus(id: number): void {
    this.wanted = id
    this.active = id
    const column = this.columnOf(id)
    if (column) column.scrollTo(this.items(column).findIndex((card) => card.id === id))
    this.changed()
  }

  flash(id: number): void {
    this.flashed = id
    this.changed()
    setTimeout(() => {
      if (this.flashed !== id) return
      this.flashed = null
      this.changed()
    }, 900)
  }

  /** Handles a key of a focused card. Returns true when handled. */
  press(combination: string, id: number): boolean {
    const arrow = /^(mod\+shift\+)?arrow(up|down|left|right)$/.exec(combination)
    if (arrow) {
      const way = arrow[2] as Direction
      if (arrow[1]) this.shove(id, way)
      else if (this.picked) this.carry(way)
      else this.walk(id, way)
      return true
    }
    if (combination === 'home' || combination === 'end') {
      if (this.picked) return true
      const column = this.columnOf(id)
      const card = column && this.items(column).at(combination === 'home' ? 0 : -1)
      if (card) this.focus(card.id)
      return true
    }
    if (combination === 'space' || combination === 'm') {
      if (this.picked) this.drop()
      else this.pick(id)
      return true
    }
    if (combination === 'enter') {
      if (this.picked) this.drop()
      else this.rules.open(id)
      return true
    }
    if (combination === 'escape' && this.picked) {
      this.cancel()
      return true
    }
    return false
  }

  /** Focuses the next or previous card; at the end of a column continues in the next one. Without a card: the first. */
  go(way: 'next' | 'previous'): void {
    const step = way === 'next' ? 1 : -1
    const column = this.columnOf(this.target() ?? this.active)
    const items = column ? this.items(column) : []
    const card = items[items.findIndex((one) => one.id === (this.target() ?? this.active)) + step]
    if (card) {
      this.focus(card.id)
      return
    }
    const start = column ? this.order.indexOf(column.id) + step : 0
    for (let at = start; at >= 0 && at < this.order.length; at += step) {
      const found = this.rules.items(this.order[at] as number).at(way === 'next' ? 0 : -1)
      if (found) {
        this.focus(found.id)
        return
      }
    }
  }

  private walk(id: number, way: Direction): void {
    const column = this.columnOf(id)
    if (!column) return
    const items = this.items(column)
    const index = items.findIndex((card) => card.id === id)
    if (way === 'up' || way === 'down') {
      const card = items[index + (way === 'up' ? -1 : 1)]
      if (card) this.focus(card.id)
      return
    }
    const step = way === 'left' ? -1 : 1
    for (let at = this.order.indexOf(column.id) + step; at >= 0 && at < this.order.length; at += step) {
      const others = this.rules.items(this.order[at] as number)
      const card = others[Math.min(index, others.length - 1)]
      if (card) {
        this.focus(card.id)
        return
      }
    }
  }

  /** The place one step away, or undefined at an edge. */
  private step(id: number, way: Direction): Place | undefined {
    const column = this.columnOf(id)
    if (!column) return undefined
    const items = this.items(column)
    const index = items.findIndex((card) => card.id === id)
    if (way === 'up') return index > 0 ? { column: column.id, before: items[index - 1]?.id } : undefined
    if (way === 'down') {
      const next = items[index + 1]
      return next && { column: column.id, after: next.id }
    }
    const other = this.columns.get(this.order[this.order.indexOf(column.id) + (way === 'left' ? -1 : 1)] ?? -1)
    if (!other) return undefined
    const others = this.items(other)
    const neighbour = others[index]
    if (neighbour) return { column: other.id, before: neighbour.id }
    const last = others.at(-1)
    return last ? { column: other.id, after: last.id } : { column: other.id, at: 'first' }
  }

  private refused(id: number): boolean {
    if (this.rules.canMove(id)) return false
    announce(this.rules.whyNot?.(id) ?? 'Эту карточку нельзя переместить')
    return true
  }

  private pick(id: number): void {
    const column = this.columnOf(id)
    const from = column && placeOf(this.items(column), id, column.id)
    if (!column || !from || this.refused(id)) return
    this.picked = { id, from }
    this.changed()
    const keys = 'Стрелки переносят, пробел ставит, Escape возвращает.'
    announce(`Карточка «${this.rules.cardName(id)}» взята. ${this.where(id)}. ${keys}`)
  }

  private carry(way: Direction): void {
    if (!this.picked) return
    const { id } = this.picked
    const place = this.step(id, way)
    if (!place) {
      announce('Дальше некуда')
      return
    }
    this.rules.preview(id, place)
    this.picked = { ...this.picked, to: place }
    this.focusLater(id)
    announce(`${this.where(id)}.`)
  }

  private drop(): void {
    const picked = this.picked
    if (!picked) return
    this.picked = null
    if (picked.to) this.rules.save(picked.id, picked.from, picked.to)
    this.changed()
    announce(`Карточка поставлена. ${this.where(picked.id)}.`)
  }

  cancel(): void {
    const picked = this.picked
    if (!picked) return
    this.picked = null
    if (picked.to) this.rules.preview(picked.id, picked.from)
    this.focusLater(picked.id)
    announce('Перенос отменён, карточка вернулась на место.')
  }

  /** Moves and saves at once: Ctrl+Shift+arrow. */
  private shove(id: number, way: Direction): void {
    if (this.refused(id)) return
    const place = this.step(id, way)
    if (!place) {
      announce('Дальше некуда')
      return
    }
    this.put(id, place)
    announce(`Перемещено. ${this.where(id)}.`)
  }

  /** Shows the move, saves it and keeps the focus on the card. */
  put(id: number, place: Place, focus = true): void {
    const from = this.rules.preview(id, place)
    if (!from) return
    this.rules.save(id, from, place)
    if (focus) this.focusLater(id)
  }

  private focusLater(id: number): void {
    this.wanted = id
    this.active = id
    this.changed()
  }

  private where(id: number): string {
    const column = this.columnOf(id)
    if (!column) return ''
    const items = this.items(column)
    const place = items.findIndex((card) => card.id === id) + 1
    return `Колонка «${column.name}», место ${place} из ${formatNumber(this.rules.total(column.id) ?? items.length)}`
  }
}

export const BoardContext = createContext<BoardController | null>(null)

export function useBoard(): BoardController {
  const board = useContext(BoardContext)
  if (!board) throw new Error('A column or a card must stand inside a Board')
  return board
}
