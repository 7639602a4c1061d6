import type { ComponentType, ReactNode } from 'react'
import type { Scale, Span } from './scale.ts'

export interface GridColumn {
  key: string
  /** Accessible name. */
  name: string
  head: ReactNode
}

/**
 * Background of a column: open time, closed time with a text, a hold, time off except for users with access, or a gap too
 * short for anything.
 */
export interface GridGround extends Span {
  key: string
  column: string
  kind: 'open' | 'shut' | 'hold' | 'off' | 'short'
  word?: string
}

export interface GridItem extends Span {
  id: number
  column: string
  /** Accessible name. */
  name: string
  movable: boolean
  /** Not matching the search. */
  dim?: boolean
  /** Can be moved but not resized. */
  fixed?: boolean
}

/** A mark at the side of a column at its time: it occupies no time. */
export interface GridMark {
  id: number
  column: string
  minute: number
  /** Accessible name. */
  name: string
}

/** Target position of an item. */
export interface GridPlace extends Span {
  column: string
}

export interface DayGridProps<I extends GridItem> {
  label: string
  scale: Scale
  columns: readonly GridColumn[]
  grounds: readonly GridGround[]
  items: readonly I[]
  /** Renders an item; it has room for `lines` of 16 px. */
  face: ComponentType<{ item: I; lines: number }>
  /** Marks at the sides of the columns, and the component for one or several at about one time. */
  marks?: readonly GridMark[]
  mark?: ComponentType<{ marks: readonly GridMark[] }>
  /** Tooltip of a hovered or focused item. */
  hint: ComponentType<{ item: I }>
  /** The current minute and, unless it applies to all columns, the column of today. */
  now?: { minute: number; column?: string }
  /** Absent: nothing can be booked. */
  onFree?: (column: string, minute: number) => void
  /** Description of an empty step: «свободно», «вне смены». */
  freeWord: (column: string, minute: number) => string
  onOpen: (id: number) => void
  /** Opens the menu: right click, menu key or `S`. */
  onMenu: (id: number, rect: DOMRect) => void
  onMove?: (id: number, place: GridPlace) => void
  /** Short reason why an item should not be placed there; the drop is still possible. */
  refuses?: (id: number, place: GridPlace) => string | undefined
  /** Fits the whole sheet on the screen. */
  whole?: boolean
  /** The item to scroll to. */
  sought?: number | undefined
  /** Pixels per column. */
  columnWidth?: number
  /** The minute scrolled to at first; changes with the data shown. */
  start: number
}
