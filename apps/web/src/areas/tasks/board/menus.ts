import type { ComponentType } from 'react'
import { TableItems } from '../import/TableItems.tsx'
import { TemplateItems, TemplatesItem } from '../templates/TemplateItems.tsx'
import { WholeItems, WorkspaceItems } from '../workspace/WorkspaceItems.tsx'
import { CardVerbs } from './CardVerbs.tsx'
import type { BoardMenuProps, CardMenuProps } from './menuProps.ts'

/** Items of a card's menu on the board and in the open card, beyond the first ones. */
export const cardMenu: ComponentType<CardMenuProps>[] = [CardVerbs, TemplateItems]

/** Items of the workspace's menu, beyond the first ones. */
export const boardMenu: ComponentType<BoardMenuProps>[] = [WorkspaceItems, TemplatesItem, TableItems, WholeItems]
