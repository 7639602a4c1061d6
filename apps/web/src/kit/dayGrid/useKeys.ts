import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { nudged } from './drag.ts'
import type { DayGridProps, GridItem } from './grid.ts'
import { clockOf } from './scale.ts'
import { itemAt } from './sheet.ts'
import type { Ghost, Move } from './useMove.ts'
import type { Viewport } from './useViewport.ts'
import { type Cursor, isWalkKey, type WalkKey, walked } from './walk.ts'

interface KeysOptions<I extends GridItem> {
  props: DayGridProps<I>
  sheet: RefObject<HTMLElement | null>
  index: ReadonlyMap<string, number>
  view: Viewport
  move: Move<I>
}

/** The keyboard of the grid: its cursor, `M` and arrows to move an item, `S` or the menu key for its menu. */
export function useKeys<I extends GridItem>({ props, sheet, index, view, move }: KeysOptions<I>) {
  const { columns, items, start } = props
  const { scale } = view
  const [cursor, setCursor] = useState<Cursor>({ column: 0, minute: start })
  const refocus = useRef<number>(undefined)

  const focus = (selector: string) =>
    sheet.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  // An item moved to another column by keys is a new element there.
  useLayoutEffect(() => {
    if (refocus.current === undefined || move.ghost) return
    focus(`[data-item="${refocus.current}"]`)
    refocus.current = undefined
  })

  const freeText = ({ column, minute }: Cursor) => {
    const { key = '', name = '' } = columns[column] ?? {}
    return `${name}, ${clockOf(minute)}, ${props.freeWord(key, minute)}`
  }

  /** Moves the cursor: scrolls to the target, and renders it before focusing. */
  const walk = (key: WalkKey) => {
    const placed = items.map(({ id, column, from, to }) => ({ id, from, to, column: index.get(column) ?? -1 }))
    const next = walked(cursor, key, { scale, columns: columns.length, items: placed })
    const item = items.find(({ id }) => id === next.item)
    view.reveal({
      column: next.column,
      from: item?.from ?? next.minute,
      to: item?.to ?? next.minute + scale.step,
    })
    flushSync(() => {
      setCursor(next)
      view.measure()
    })
    focus(next.item === undefined ? '[data-slot]' : `[data-item="${next.item}"]`)
    if (next.item === undefined) announce(freeText(next))
  }

  const startMove = (item: I) => {
    if (!item.movable || !props.onMove) return announce('Эту запись нельзя перенести')
    move.setGhost({ id: item.id, place: move.placeOf(item), byKeys: true })
    const stretches = item.fixed ? '' : ' Shift со стрелками меняет длительность,'
    announce(`${item.name}. Стрелки переносят,${stretches} Enter ставит, Escape отменяет`)
  }

  const continueMove = ({ key, shiftKey }: KeyboardEvent, ghost: Ghost) => {
    if (key === 'Escape') {
      move.setGhost(undefined)
      announce('Перенос отменён')
    } else if (key === 'Enter') {
      move.drop(ghost.id, ghost.place)
      refocus.current = ghost.id
    } else {
      const isFixed = shiftKey && items.find(({ id }) => id === ghost.id)?.fixed
      const place = !isFixed && nudged(ghost.place, key, shiftKey, columns.length, scale)
      if (!place) return
      view.reveal(place)
      move.setGhost({ ...ghost, place })
      announce(move.describe(ghost.id, place))
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (target.closest('[data-mark]')) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (move.ghost?.byKeys) {
      event.preventDefault()
      event.stopPropagation()
      continueMove(event, move.ghost)
      return
    }
    const id = itemAt(target)
    const item = items.find((one) => one.id === id)
    if (isWalkKey(event.key) && !event.shiftKey) {
      event.preventDefault()
      walk(event.key)
    } else if (event.code === 'KeyM' && item) {
      event.preventDefault()
      startMove(item)
    } else if ((event.code === 'KeyS' || event.key === 'ContextMenu') && item) {
      event.preventDefault()
      props.onMenu(item.id, target.getBoundingClientRect())
    }
  }

  return { cursor, setCursor, onKeyDown, freeText }
}
