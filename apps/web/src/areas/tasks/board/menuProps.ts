import type { ReactNode } from 'react'
import type { Card } from '../cards.ts'
import type { BoardStore } from './boardStore.ts'
import type { BoardData, BoardRights, BoardRow } from './useBoardData.ts'

/** Props of a card's menu items; each renders `Menu.Item`s. */
export interface CardMenuProps {
  card: Card
  data: BoardData
  rights: BoardRights
  store: BoardStore
  /** Shows a dialog over the board, after the menu has closed; undefined removes it. */
  show: (dialog: ReactNode | undefined) => void
}

/** Props of the workspace menu's items. */
export interface BoardMenuProps {
  data: BoardData
  board: BoardRow
  rights: BoardRights
  show: (dialog: ReactNode | undefined) => void
}
