import type { Entity } from '@ordinator/model/entity'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { BoardController } from '#kit/board/controller.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { type BulkAction, BulkBar } from '../table/BulkBar.tsx'
import classes from './BoardSelection.module.css'

interface Props {
  controller: BoardController
  /** A `SelectionBar` of these cards. */
  children: (ids: number[]) => ReactNode
}

/** Bulk actions for the cards selected on the board. Renders nothing without a selection. */
export function BoardSelection({ controller, children }: Props) {
  const selected = useSyncExternalStore(controller.subscribe, () => controller.selected)
  useHotkey('escape', () => controller.select([]), {
    enabled: selected.size > 0,
    label: 'Снять выбор',
    group: 'Доска',
  })
  return selected.size > 0 ? <div className={classes.selection}>{children([...selected])}</div> : null
}

interface BarProps<C extends { id: number }> {
  entity: Entity
  cards: readonly C[]
  actions: readonly BulkAction<C>[]
  controller: BoardController
}

/** The bulk actions of an area for cards of a board. */
export function SelectionBar<C extends { id: number }>({ entity, cards, actions, controller }: BarProps<C>) {
  return (
    <BulkBar
      entity={entity}
      rows={[...cards]}
      actions={actions}
      removable={false}
      onDone={(left) => controller.select(left.map(({ id }) => id))}
    />
  )
}
