import type { ReactNode } from 'react'
import type { Span } from './scale.ts'

export interface GridColumn {
  key: string
  /** As it is spoken. */
  name: string
  head: ReactNode
}

/**
 * What lies under the things of a column: time that is open, shut with a word, held by somebody, off for all but those
 * who are open then, or too short for anything.
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
  /** As it is spoken. */
  name: string
  movable: boolean
  /** It is not what is looked for. */
  dim?: boolean
  /** It moves and keeps its length. */
  fixed?: boolean
}

/** What stands at the side of a column, at its moment: it takes no time. */
export interface GridMark {
  id: number
  column: string
  minute: number
  /** As it is spoken. */
  name: string
}

/** Where a thing was put. */
export interface GridPlace extends Span {
  column: string
}
