import type { ComponentType, ReactNode } from 'react'
import type { Card } from '../cards.ts'
import { TableItems } from '../import/TableItems.tsx'
import { TemplateItems, TemplatesItem } from '../templates/TemplateItems.tsx'
import { WholeItems, WorkspaceItems } from '../workspace/WorkspaceItems.tsx'
import type { BoardStore } from './boardStore.ts'
import { CardVerbs } from './CardVerbs.tsx'
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
/** Items of a card's menu on the board and in the open card, beyond the first ones. */
export const cardMenu: ComponentType<CardMenuProps>[] = [CardVerbs, TemplateItems]

export interface BoardMenuProps {
  data: BoardData
  board: BoardRow
  rights: BoardRights
  show: (dialog: ReactNode | undefined) => void
}
/** Items of the workspace's menu, beyond the first ones. */
export const boardMenu: ComponentType<BoardMenuProps>[] = [WorkspaceItems, TemplatesItem, TableItems, WholeItems]
