import type { ReactNode } from 'react'
import type { Span } from './scale.ts'

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
