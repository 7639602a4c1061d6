import type { ReactNode } from 'react'
import type { Card } from '../cards.ts'
import type { BoardStore } from './boardStore.ts'
import type { BoardData, BoardRights, BoardRow } from './useBoardData.ts'

/** What a card's menu items are given; each answers `Menu.Item`s. */
export interface CardMenuProps {
  card: Card
  data: BoardData
  rights: BoardRights
  store: BoardStore
  /** Shows a dialog over the board, after the menu has closed; undefined takes it away. */
  show: (dialog: ReactNode | undefined) => void
}

/** What the items of a workspace's menu are given. */
export interface BoardMenuProps {
  data: BoardData
  board: BoardRow
  rights: BoardRights
  show: (dialog: ReactNode | undefined) => void
}
