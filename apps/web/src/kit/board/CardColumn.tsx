import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { formatNumber } from '@ordinator/model/format'
import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import classes from './Board.module.css'
import { BoardCard } from './BoardCard.tsx'
import { useBoard } from './controller.ts'
import type { BoardItem } from './pages.ts'

/** Estimated height of an unmeasured card with its gap, pixels. */
const CARD_ESTIMATE = 84
const OVERSCAN = 4
/** The same before the column was used: a page load renders only what is visible. */
const FIRST_OVERSCAN = 1
/** The next page is loaded when so few cards remain below the visible ones, once scrolled. */
const PREFETCH = 25
/** Cards rendered in a far column, for its height and name; the others are rendered when it comes near. */
const FAR_CARDS = 1
/** Distance that counts as near, pixels. */
const NEAR = 320
const COLUMN_WIDTH = 300
const FIRST_SKELETONS = [72, 96, 76, 84]

export interface BoardColumnProps<C extends BoardItem> {
  id: number
  name: string
  color?: string | null
  items: readonly C[]
  /** Number beside the name. */
  total?: number
  /** Recommended maximum of cards: shown with the number, and marked when exceeded. */
  limit?: number | null
  /** Replaces the name: a field for renaming. */
  title?: ReactNode
  /** Below the name: the sum of the deals. */
  sum?: ReactNode
  /** Buttons on the right of the head. */
  actions?: ReactNode
  /** Between head and cards: quick add. */
  top?: ReactNode
  /** Shown when there are no cards. */
  empty?: ReactNode
  loading?: boolean
  error?: ReactNode
  hasMore?: boolean
  loadingMore?: boolean
  onMore?: () => void
  movable?: boolean
  /** The name is shown elsewhere: a column of a lane. */
  headless?: boolean
  /** Renders the card's body; must be a constant function, or every card re-renders. */
  renderCard: (card: C) => ReactNode
  cardLabel: (card: C) => string
}

export function CardColumn<C extends BoardItem>(props: BoardColumnProps<C>) {
  const { id, name, items, total, limit, hasMore, onMore, loadingMore } = props
  const isOver = Boolean(limit) && total !== undefined && total > (limit as number)
  const board = useBoard()
  const section = useRef<HTMLElement>(null)
  const head = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  const [edge, setEdge] = useState<Edge | null>(null)

  const [reached, setReached] = useState(false)

  const active = useSyncExternalStore(board.subscribe, () => board.active)
  const activeIndex = active === null ? -1 : items.findIndex((card) => card.id === active)
  const [near, setNear] = useNear(section, board.order.indexOf(id))
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = near ? defaultRangeExtractor(range) : defaultRangeExtractor(range).slice(0, FAR_CARDS)
      if (activeIndex < 0 || shown.includes(activeIndex)) return shown
      return [...shown, activeIndex].sort((a, b) => a - b)
    },
    [activeIndex, near],
  )
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current,
    estimateSize: () => CARD_ESTIMATE,
    getItemKey: (index) => (items[index] as C).id,
    overscan: reached ? OVERSCAN : FIRST_OVERSCAN,
    rangeExtractor,
    measureElement: heightOf,
    useFlushSync: false,
  })

  useEffect(() => {
    board.register({ id, name, scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }) })
    return () => board.unregister(id)
  }, [board, id, name, virtualizer])

  // Scrolls to a card of this column that must get the focus, however it got here.
  useLayoutEffect(() => {
    if (board.wanted === null) return
    const index = items.findIndex((card) => card.id === board.wanted)
    if (index < 0) return
    setNear(true)
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [items, board, virtualizer, setNear])

  const rows = virtualizer.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? 0
  const ahead = virtualizer.scrollOffset ? PREFETCH : 1
  const wantsMore = hasMore && !loadingMore && lastShown >= items.length - ahead
  useEffect(() => {
    if (wantsMore) onMore?.()
  }, [wantsMore, onMore])

  const { movable } = props
  useEffect(() => {
    const element = section.current
    const handle = head.current
    const scroller = list.current
    if (!element || !handle || !scroller) return
    const ours = (data: Record<string, unknown>) => board.accepts(data)
    const leave = () => {
      setOver(false)
      setEdge(null)
    }
    return combine(
      autoScrollForElements({
        element: scroller,
        canScroll: ({ source }) => ours(source.data) && source.data.kind === 'card',
      }),
      draggable({
        element,
        dragHandle: handle,
        canDrag: () => movable === true,
        getInitialData: () => ({ board: board.key, kind: 'column', id }),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => ours(source.data),
        getData: ({ input, source }) => {
          const data = { kind: 'column', column: id, board: board.key, controller: board }
          return source.data.kind === 'column'
            ? attachClosestEdge(data, { element, input, allowedEdges: ['left', 'right'] })
            : data
        },
        onDrag: ({ source, self }) => {
          if (source.data.kind === 'card') setOver(true)
          else setEdge(source.data.id === id ? null : extractClosestEdge(self.data))
        },
        onDragLeave: leave,
        onDrop: leave,
      }),
    )
  }, [board, id, movable])

  const tabStop = activeIndex >= 0 ? active : items[rows[0]?.index ?? 0]?.id
  return (
    <section
      ref={section}
      className={classes.column}
      data-column={id}
      data-over={over || undefined}
      aria-label={props.headless ? undefined : columnLabel(name, total, limit)}
      onPointerEnter={() => setReached(true)}
      onFocus={() => setReached(true)}
    >
      {edge && <div className={classes.columnLine} data-edge={edge} />}
      <header ref={head} className={classes.head} data-movable={movable || undefined} hidden={props.headless}>
        <span className={classes.dot} style={{ background: props.color ?? undefined }} />
        {props.title ?? (
          <h2 className={classes.name} title={name}>
            {name}
          </h2>
        )}
        {total !== undefined && !props.title && (
          <span
            className={classes.count}
            data-over={isOver || undefined}
            title={limit ? `Предел: ${limit}` : undefined}
          >
            {formatNumber(total)}
            {limit ? `/${limit}` : ''}
          </span>
        )}
        <span className={classes.actions}>{props.actions}</span>
      </header>
      {props.sum && <div className={classes.sum}>{props.sum}</div>}
      {props.top}
      <div ref={list} className={classes.list} data-list>
        {props.loading ? (
          FIRST_SKELETONS.map((height) => <div key={height} className={classes.skeleton} style={{ height }} />)
        ) : props.error ? (
          <div className={classes.note}>{props.error}</div>
        ) : items.length === 0 ? (
          <div className={classes.note}>{props.empty}</div>
        ) : (
          <ul
            className={classes.inner}
            aria-label={`Карточки колонки «${name}»`}
            style={{ height: virtualizer.getTotalSize() }}
          >
            {rows.map((row, at) => {
              const card = items[row.index] as C
              return (
                <BoardCard
                  key={card.id}
                  card={card}
                  column={id}
                  index={row.index}
                  gap={row.start - (rows[at - 1]?.end ?? 0)}
                  count={hasMore ? -1 : items.length}
                  tab={card.id === tabStop}
                  measure={virtualizer.measureElement}
                  label={props.cardLabel}
                  render={props.renderCard}
                />
              )
            })}
          </ul>
        )}
        {loadingMore && <div className={classes.more}>Загружаются ещё карточки…</div>}
      </div>
    </section>
  )
}

/**
 * The height of a row. For initially rendered rows the browser reports it after layout: reading it earlier would force a
 * layout per column.
 */
function heightOf<E extends Element>(
  row: E,
  entry: ResizeObserverEntry | undefined,
  list: Virtualizer<HTMLDivElement, E>,
): number {
  return entry || list.itemSizeCache.size > 0 ? measureElement(row, entry, list) : CARD_ESTIMATE
}

/**
 * True when the column is in or near the window, or has been.
 * @param place index of the column, used before the first render
 */
function useNear(section: RefObject<HTMLElement | null>, place: number): [boolean, (near: boolean) => void] {
  const [near, setNear] = useState(() => place * COLUMN_WIDTH < window.innerWidth)
  useEffect(() => {
    const element = section.current
    if (near || !element) return
    const observer = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setNear(true), {
      root: element.parentElement,
      rootMargin: `0px ${NEAR}px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [section, near])
  return [near, setNear]
}

const columnLabel = (name: string, total?: number, limit?: number | null) =>
  total === undefined
    ? `Колонка «${name}»`
    : `Колонка «${name}», карточек: ${formatNumber(total)}${limit ? `, предел ${limit}${total > limit ? ', превышен' : ''}` : ''}`
