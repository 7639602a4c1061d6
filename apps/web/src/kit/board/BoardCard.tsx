import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import {
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import classes from './Board.module.css'
import { useBoard } from './controller.ts'
import type { BoardItem } from './pages.ts'

interface BoardCardProps<C extends BoardItem> {
  card: C
  column: number
  index: number
  /** Pixels between this row and the one above, or the top of the list. */
  gap: number
  /** Number of cards of the whole list, -1 while there are more to load. */
  count: number
  /** The card with the tab stop. */
  tab: boolean
  measure: (element: Element | null) => void
  label: (card: C) => string
  render: (card: C) => ReactNode
}

/** The row of one card: focus, drag and drop. Its body belongs to the area and re-renders only when the card changes. */
export const BoardCard = memo(function BoardCard<C extends BoardItem>(props: BoardCardProps<C>) {
  const { card, column, index, gap } = props
  const { id } = card
  const board = useBoard()
  const row = useRef<HTMLLIElement>(null)
  const face = useRef<HTMLDivElement>(null)
  const [edge, setEdge] = useState<Edge | null>(null)
  const [dragging, setDragging] = useState(false)
  const state = useSyncExternalStore(board.subscribe, () =>
    board.picked?.id === id ? 'picked' : board.flashed === id ? 'flashed' : board.wanted === id ? 'wanted' : undefined,
  )

  const selected = useSyncExternalStore(board.subscribe, () => board.selected.has(id))

  const { measure } = props
  const setRow = useCallback(
    (element: HTMLLIElement | null) => {
      row.current = element
      measure(element)
    },
    [measure],
  )

  useLayoutEffect(() => {
    // Only when the card is at its new place: rendering follows the move.
    if (board.wanted !== id || !face.current || board.rules.items(column)[index]?.id !== id) return
    board.wanted = null
    face.current.focus({ preventScroll: true })
    face.current.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  useEffect(() => {
    const element = row.current
    const handle = face.current
    if (!element || !handle) return
    const data = { board: board.key, family: board.family, controller: board, kind: 'card', id, column }
    return combine(
      draggable({
        element: handle,
        canDrag: () => board.rules.canMove(id),
        getInitialData: () => data,
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => board.accepts(source.data) && source.data.kind === 'card',
        getIsSticky: () => true,
        getData: ({ input }) => attachClosestEdge({ ...data }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ source, self }) => setEdge(source.data.id === id ? null : extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    )
  }, [board, id, column])

  return (
    <li
      ref={setRow}
      className={classes.row}
      aria-setsize={props.count}
      aria-posinset={index + 1}
      data-index={index}
      style={gap ? { marginTop: gap } : undefined}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the board answers to the keys of all its cards */}
      {/* biome-ignore lint/a11y/useSemanticElements: a button may hold neither blocks nor its own menu button */}
      <div
        ref={face}
        className={classes.card}
        role="group"
        aria-label={props.label(card)}
        aria-roledescription="карточка"
        tabIndex={props.tab ? 0 : -1}
        data-card={id}
        data-state={state}
        data-selected={selected || undefined}
        data-dragging={dragging || undefined}
        onFocus={(event) => event.target === event.currentTarget && board.setActive(id)}
        onPointerEnter={() => {
          board.hovered = id
        }}
        onPointerLeave={() => {
          if (board.hovered === id) board.hovered = null
        }}
        onClick={(event) => {
          if (event.defaultPrevented || (event.target as Element).closest('button, a, input')) return
          if (event.ctrlKey || event.metaKey || event.shiftKey) {
            board.toggleSelected(id)
            return
          }
          board.rules.open(id)
        }}
      >
        {props.render(card)}
      </div>
      {edge && <div className={classes.line} data-edge={edge} />}
    </li>
  )
}) as <C extends BoardItem>(props: BoardCardProps<C>) => ReactNode
