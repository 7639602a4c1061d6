import type { ComponentType } from 'react'
import { TableItems } from '../import/TableItems.tsx'
import { TemplateItems, TemplatesItem } from '../templates/TemplateItems.tsx'
import { WholeItems, WorkspaceItems } from '../workspace/WorkspaceItems.tsx'
import { CardVerbs } from './CardVerbs.tsx'
import type { BoardMenuProps, CardMenuProps } from './menuProps.ts'

/** Further items of a card's menu, on the board and in the open card. */
export const cardMenu: ComponentType<CardMenuProps>[] = [CardVerbs, TemplateItems]

/** Further items of the workspace's menu. */
export const boardMenu: ComponentType<BoardMenuProps>[] = [WorkspaceItems, TemplatesItem, TableItems, WholeItems]
