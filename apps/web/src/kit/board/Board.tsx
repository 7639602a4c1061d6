import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { combinationOf } from '../hotkeys.ts'
import classes from './Board.module.css'
import { BoardContext, BoardController, type BoardRules } from './controller.ts'
import { isAtPlace, type Place } from './pages.ts'

export interface BoardProps {
  /** Name of the region for a screen reader. */
  label: string
  columns: readonly { id: number; name: string; color?: string | null }[]
  rules: BoardRules
  /** Moves a column next to another; absent: columns cannot be moved. */
  onMoveColumn?: (id: number, place: { before?: number; after?: number }) => void
  /** A key pressed on a card that the board does not handle. Returns true when handled. */
  onKey?: (combination: string, id: number) => boolean
  controller?: BoardController
  /** One of several boards in one scroller: without its own scrolling and phone tabs. */
  lane?: boolean
  children: ReactNode
}

interface DragData {
  board?: symbol
  kind?: 'card' | 'column'
  id?: number
  column?: number
}

/**
 * A kanban board independent of any entity: columns side by side, cards moved by pointer, by keys and by
 * `controller.put`. One drag monitor for the whole board, since a dragged card may be unmounted by its list.
 */
export function Board({ label, columns, rules, onMoveColumn, onKey, controller, lane, children }: BoardProps) {
  const [own] = useState(() => controller ?? new BoardController(rules))
  own.rules = rules
  own.order = columns.map((column) => column.id)
  const scroller = useRef<HTMLElement>(null)
  const moveColumn = useRef(onMoveColumn)
  moveColumn.current = onMoveColumn

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const ours = (data: DragData) => data.board === own.key
    return combine(
      lane ? () => {} : autoScrollForElements({ element, canScroll: ({ source }) => ours(source.data) }),
      monitorForElements({
        canMonitor: ({ source }) => ours(source.data),
        onDragStart: ({ source }) => {
          own.cancel()
          element.dataset.dragging = (source.data as DragData).kind
        },
        onDrop: ({ source, location }) => {
          delete element.dataset.dragging
          const dragged = source.data as DragData
          const id = dragged.id as number
          const target = location.current.dropTargets[0]
          if (!target) return
          if (dragged.kind === 'column') {
            const over = target.data as DragData
            const other = over.column as number
            const edge = extractClosestEdge(target.data)
            if (other !== id) moveColumn.current?.(id, edge === 'left' ? { before: other } : { after: other })
            return
          }
          const there = target.data.controller as BoardController
          const place = dropPlace(
            there,
            target.data as DragData,
            extractClosestEdge(target.data),
            target.element,
            location.current.input.clientY,
          )
          if (there !== own) {
            own.rules.leave?.(id, there, place)
            return
          }
          if (own.columnOf(id)?.id === place.column && isAtPlace(own.rules.items(place.column), id, place)) return
          own.put(id, place, false)
          own.flash(id)
          announce(
            `Карточка «${own.rules.cardName(id)}» перемещена в колонку «${own.column(place.column)?.name ?? ''}».`,
          )
        },
      }),
    )
  }, [own, lane])

  const keyOf = useRef(onKey)
  keyOf.current = onKey

  // A card moved to another list leaves the document for a moment, with the focus: keep handling quick keys.
  useEffect(() => {
    const keyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const inside = scroller.current?.contains(target) && target.dataset.card
      const id = inside ? Number(target.dataset.card) : target === document.body ? own.wanted : null
      if (id === null || event.isComposing || event.defaultPrevented) return
      const combination = combinationOf(event)
      if (own.press(combination, id) || keyOf.current?.(combination, id)) {
        event.preventDefault()
        event.stopPropagation()
      }
    }
    document.addEventListener('keydown', keyDown)
    return () => document.removeEventListener('keydown', keyDown)
  }, [own])

  return (
    <BoardContext value={own}>
      {!lane && <ColumnTabs scroller={scroller} columns={columns} />}
      <section
        ref={scroller}
        className={classes.board}
        data-lane={lane || undefined}
        aria-label={lane ? undefined : label}
      >
        {children}
      </section>
    </BoardContext>
  )
}

/** Over a card: beside it. Over a column: its head is the start, the space below its cards the end. */
function dropPlace(board: BoardController, over: DragData, edge: string | null, element: Element, y: number): Place {
  const column = over.column as number
  if (over.kind === 'card') return edge === 'top' ? { column, before: over.id } : { column, after: over.id }
  const last = board.rules.items(column).at(-1)
  const list = element.querySelector('[data-list]')
  if (!last || (list && y < list.getBoundingClientRect().top)) return { column, at: 'first' }
  return { column, after: last.id }
}

/** On a phone: one column per screen, with tabs above. Hidden by CSS elsewhere. */
function ColumnTabs({
  scroller,
  columns,
}: {
  scroller: React.RefObject<HTMLElement | null>
  columns: BoardProps['columns']
}) {
  const [current, setCurrent] = useState<number>()
  const row = useRef<HTMLElement>(null)
  const ids = columns.map((column) => column.id).join()

  useEffect(() => {
    const element = scroller.current
    if (!element || !ids) return
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (entry.intersectionRatio >= 0.6) setCurrent(Number((entry.target as HTMLElement).dataset.column))
        }
      },
      { root: element, threshold: [0.6] },
    )
    for (const column of element.querySelectorAll('[data-column]')) observer.observe(column)
    return () => observer.disconnect()
  }, [scroller, ids])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row follows the current tab
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (tab && row.current) row.current.scrollTo({ left: tab.offsetLeft - 24, behavior: 'smooth' })
  }, [current])

  const show = (id: number) =>
    scroller.current
      ?.querySelector(`[data-column="${id}"]`)
      ?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'smooth' })

  return (
    <nav ref={row} className={classes.tabs} aria-label="Колонки">
      {columns.map((column) => (
        <button
          key={column.id}
          type="button"
          className={classes.tab}
          aria-current={column.id === current ? 'true' : undefined}
          onClick={() => show(column.id)}
        >
          <span className={classes.dot} style={{ background: column.color ?? undefined }} />
          {column.name}
        </button>
      ))}
    </nav>
  )
}
