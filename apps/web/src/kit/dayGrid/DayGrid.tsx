import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { Tooltip, VisuallyHidden } from '@mantine/core'
import {
  type ComponentType,
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Spot } from '../Anchored.tsx'
import classes from './DayGrid.module.css'
import { type DragMode, dragged, nudged, type Place, samePlace } from './drag.ts'
import { type Lane, lanesOf } from './lanes.ts'
import {
  clockOf,
  hoursIn,
  minuteAt,
  perMinute,
  type Scale,
  type Span,
  shownColumns,
  spanText,
  stepAt,
  topOf,
} from './scale.ts'
import { type Cursor, isWalkKey, type WalkItem, walked } from './walk.ts'

export interface GridColumn {
  key: string
  /** As it is spoken. */
  name: string
  head: ReactNode
}

/** What lies under the things of a column: time that is open, shut with a word, or held by somebody. */
export interface GridGround extends Span {
  key: string
  column: string
  kind: 'open' | 'shut' | 'hold'
  word?: string
}

export interface GridItem extends Span {
  id: number
  column: string
  /** As it is spoken. */
  name: string
  movable: boolean
}

/** Where a thing was put. */
export interface GridPlace extends Span {
  column: string
}

interface Props<I extends GridItem> {
  label: string
  scale: Scale
  columns: readonly GridColumn[]
  grounds: readonly GridGround[]
  items: readonly I[]
  /** What a thing looks like; `lines` of 16 px have room in it. */
  face: ComponentType<{ item: I; lines: number }>
  /** What is shown beside a thing that is pointed at, or has the focus. */
  hint: ComponentType<{ item: I }>
  /** The minute of now and, unless it is that of all columns, the column of today. */
  now?: { minute: number; column?: string }
  /** Nobody books here: absent. */
  onFree?: (column: string, minute: number) => void
  /** What a step is that nothing stands in: «свободно», «вне смены». */
  freeWord: (column: string, minute: number) => string
  onOpen: (id: number) => void
  /** Asked for by the right button, the menu key or `S`. */
  onMenu: (id: number, rect: DOMRect) => void
  onMove?: (id: number, place: GridPlace) => void
  /** Pixels that a column needs. */
  columnWidth?: number
  /** Minute that is seen first; it changes with what is shown. */
  start: number
}

const HEAD = 56
const TIMES = 52
const GAP = 2
const DRAG_FROM = 4
const EDGE_SCROLL = 36
const SCROLL_STEP = 14

/**
 * A sheet of columns and minutes with things that are moved and stretched: by the mouse, and by keys (arrows, Enter, `M`,
 * `S`, Escape). Only things and the columns that are in sight are elements, so that thirty columns cost what three do.
 * It knows no entity.
 */
export function DayGrid<I extends GridItem>(props: Props<I>) {
  const { label, scale, columns, grounds, items, face, now, columnWidth = 176, start } = props
  const scroller = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const hint = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ left: 0, width: 1_200 })
  const [cursor, setCursor] = useState<Cursor>({ column: 0, minute: start })
  const [ghost, setGhost] = useState<{ id: number; place: Place; byKeys: boolean }>()
  const refocus = useRef<number>(undefined)
  const latest = useRef(props)
  latest.current = props

  const wide = Math.max(columnWidth, Math.floor((seen.width - TIMES) / Math.max(1, columns.length)))
  const high = topOf(scale, scale.to)
  const [first, last] = shownColumns(seen.left, seen.width - TIMES, wide, columns.length)
  const shown = columns.slice(first, last)
  const index = useMemo(() => new Map(columns.map(({ key }, at) => [key, at])), [columns])
  const byColumn = useMemo(() => Map.groupBy(items, ({ column }) => column), [items])
  const groundsOf = useMemo(() => Map.groupBy(grounds, ({ column }) => column), [grounds])

  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const measure = () => setSeen({ left: element.scrollLeft, width: element.clientWidth })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled when another day is shown, not when it grows
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = Math.max(0, topOf(scale, start) - 40)
  }, [start, scale.step])

  // A thing that has gone to another column by keys is another element there.
  useLayoutEffect(() => {
    if (refocus.current === undefined || ghost) return
    sheet.current?.querySelector<HTMLElement>(`[data-item="${refocus.current}"]`)?.focus({ preventScroll: true })
    refocus.current = undefined
  })

  const walk = (): { scale: Scale; columns: number; items: WalkItem[] } => ({
    scale,
    columns: columns.length,
    items: items.map(({ id, column, from, to }) => ({ id, from, to, column: index.get(column) ?? -1 })),
  })

  /** Puts the keyboard there: what it stands on is brought into sight, and drawn before it gets the focus. */
  const stand = (next: Cursor) => {
    const element = scroller.current as HTMLDivElement
    const item = items.find(({ id }) => id === next.item)
    const [from, to] = [topOf(scale, item?.from ?? next.minute), topOf(scale, item?.to ?? next.minute + scale.step)]
    show(element, next.column * wide, from, to, wide)
    flushSync(() => {
      setCursor(next)
      setSeen({ left: element.scrollLeft, width: element.clientWidth })
    })
    const wanted = next.item === undefined ? '[data-slot]' : `[data-item="${next.item}"]`
    sheet.current?.querySelector<HTMLElement>(wanted)?.focus({ preventScroll: true })
  }

  const put = (id: number, place: Place) => {
    const item = latest.current.items.find((one) => one.id === id)
    const column = columns[place.column]
    setGhost(undefined)
    if (!item || !column) return
    if (!samePlace(place, placeOf(item)))
      latest.current.onMove?.(id, { column: column.key, from: place.from, to: place.to })
  }
  const placeOf = ({ column, from, to }: I): Place => ({ column: index.get(column) ?? 0, from, to })
  const told = (place: Place) => `${columns[place.column]?.name ?? ''}, ${spanText(place)}`

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (ghost?.byKeys) {
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') {
        setGhost(undefined)
        announce('Перенос отменён')
      } else if (event.key === 'Enter') {
        put(ghost.id, ghost.place)
        refocus.current = ghost.id
      } else {
        const place = nudged(ghost.place, event.key, event.shiftKey, columns.length, scale)
        if (!place) return
        show(scroller.current, place.column * wide, topOf(scale, place.from), topOf(scale, place.to), wide)
        setGhost({ ...ghost, place })
        announce(told(place))
      }
      return
    }
    const id = itemAt(event.target)
    const item = items.find((one) => one.id === id)
    if (isWalkKey(event.key) && !event.shiftKey) {
      event.preventDefault()
      const next = walked(cursor, event.key, walk())
      stand(next)
      if (next.item === undefined) announce(freeText(next))
    } else if (event.code === 'KeyM' && item) {
      event.preventDefault()
      if (!item.movable || !props.onMove) return announce('Эту запись нельзя перенести')
      setGhost({ id: item.id, place: placeOf(item), byKeys: true })
      announce(`${item.name}. Стрелки переносят, Shift со стрелками меняет длительность, Enter ставит, Escape отменяет`)
    } else if ((event.code === 'KeyS' || event.key === 'ContextMenu') && item) {
      event.preventDefault()
      props.onMenu(item.id, (event.target as HTMLElement).getBoundingClientRect())
    }
  }
  const freeText = ({ column, minute }: Cursor) => {
    const { key = '', name = '' } = columns[column] ?? {}
    return `${name}, ${clockOf(minute)}, ${props.freeWord(key, minute)}`
  }

  const drag = useDrag({
    scroller,
    sheet,
    scale,
    wide,
    count: columns.length,
    grabbed: (id) => {
      const item = latest.current.items.find((one) => one.id === id)
      return item?.movable && latest.current.onMove ? placeOf(item) : undefined
    },
    onGhost: (id, place) => setGhost(place && { id, place, byKeys: false }),
    onDrop: put,
  })

  const pointed = (event: { clientX: number; clientY: number }): { column: number; minute: number } | undefined => {
    const box = sheet.current?.getBoundingClientRect()
    if (!box) return undefined
    const column = Math.floor((event.clientX - box.left - TIMES) / wide)
    const minute = minuteAt(scale, event.clientY - box.top - HEAD)
    return column >= 0 && column < columns.length && minute >= scale.from && minute < scale.to
      ? { column, minute: stepAt(scale, minute) }
      : undefined
  }
  /** The free step under the pointer shows its time; drawn by hand, since it follows every move. */
  const hover = (event: { clientX: number; clientY: number; target: EventTarget | null } | undefined) => {
    const element = hint.current
    if (!element) return
    const at = event && itemAt(event.target) === undefined && isGround(event.target) ? pointed(event) : undefined
    element.style.visibility = at && props.onFree ? 'visible' : 'hidden'
    if (!at) return
    Object.assign(element.style, boxOf(scale, wide, { ...at, from: at.minute, to: at.minute + scale.step }))
    element.textContent = clockOf(at.minute)
  }
  const hinted = useHint(sheet)
  const about = items.find(({ id }) => id === hinted.at?.id)
  const Hint = props.hint
  const slot = boxOf(scale, wide, { column: cursor.column, from: cursor.minute, to: cursor.minute + scale.step })

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-grid
      onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => {
        const [nextFirst, nextLast] = shownColumns(scrollLeft, clientWidth - TIMES, wide, columns.length)
        if (nextFirst !== first || nextLast !== last) setSeen({ left: scrollLeft, width: clientWidth })
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        ref={sheet}
        role="group"
        aria-label={label}
        className={classes.sheet}
        style={
          {
            width: TIMES + wide * columns.length,
            height: HEAD + high,
            '--step': `${perMinute(scale) * scale.step}px`,
            '--hour': `${perMinute(scale) * 60}px`,
          } as CSSProperties
        }
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const item = items.find(({ id }) => id === itemAt(target))
          if (item && item.id !== cursor.item) setCursor({ ...placeOf(item), minute: item.from, item: item.id })
        }}
        onBlur={() => ghost?.byKeys && setGhost(undefined)}
        onPointerDown={drag.onPointerDown}
        onPointerMove={hover}
        onPointerLeave={() => hover(undefined)}
        onClick={(event) => {
          // A click by a key is never the end of a drag.
          if (event.detail > 0 && drag.hasDragged()) return
          const id = itemAt(event.target)
          const at = id === undefined && isGround(event.target) ? pointed(event) : undefined
          if (id !== undefined) props.onOpen(id)
          else if (at && props.onFree) {
            setCursor(at)
            props.onFree(columns[at.column]?.key as string, at.minute)
          }
        }}
        onContextMenu={(event) => {
          const id = itemAt(event.target)
          if (id === undefined) return
          event.preventDefault()
          const { clientX, clientY } = event
          props.onMenu(id, new DOMRect(clientX, clientY, 0, 0))
        }}
      >
        <div className={classes.head} style={{ height: HEAD }}>
          <div className={classes.corner} style={{ width: TIMES }} />
          {shown.map((column, at) => (
            <div key={column.key} className={classes.name} style={{ left: TIMES + (first + at) * wide, width: wide }}>
              {column.head}
            </div>
          ))}
        </div>
        <div className={classes.body} style={{ height: high }}>
          <div className={classes.times} style={{ width: TIMES, height: high }} aria-hidden>
            {hoursIn(scale).map((minute) => (
              <span key={minute} className={`${classes.hour} tabular`} style={{ top: topOf(scale, minute) }}>
                {clockOf(minute)}
              </span>
            ))}
            {now && isIn(scale, now.minute) && (
              <span className={`${classes.nowMark} tabular`} style={{ top: topOf(scale, now.minute) }}>
                {clockOf(now.minute)}
              </span>
            )}
          </div>
          {shown.map((column, at) => (
            <Column
              key={column.key}
              left={TIMES + (first + at) * wide}
              width={wide}
              name={column.name}
              scale={scale}
              grounds={groundsOf.get(column.key) ?? none}
              items={(byColumn.get(column.key) as GridItem[] | undefined) ?? none}
              face={face as ComponentType<{ item: GridItem; lines: number }>}
              stretch={props.onMove !== undefined}
              gone={ghost?.id}
            />
          ))}
          {now && isIn(scale, now.minute) && (
            <div
              className={classes.now}
              style={{
                top: topOf(scale, now.minute),
                left: TIMES + (now.column === undefined ? 0 : (index.get(now.column) ?? 0) * wide),
                width: now.column === undefined ? wide * columns.length : wide,
              }}
            />
          )}
          <div ref={hint} className={`${classes.hint} tabular`} aria-hidden />
          <button
            type="button"
            data-slot
            className={`${classes.slot} tabular`}
            style={slot}
            aria-label={freeText(cursor)}
            onFocus={() => setCursor(({ column, minute }) => ({ column, minute }))}
            onClick={(event) => {
              event.stopPropagation()
              props.onFree?.(columns[cursor.column]?.key as string, cursor.minute)
            }}
          >
            {clockOf(cursor.minute)}
          </button>
          {about && !ghost && (
            <Tooltip opened label={<Hint item={about} />} position="right-start" withArrow={false}>
              <Spot rect={hinted.at?.rect} label="" />
            </Tooltip>
          )}
          {ghost && (
            <div className={`${classes.ghost} tabular`} data-ghost style={boxOf(scale, wide, ghost.place)}>
              {spanText(ghost.place)}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

const none: never[] = []

interface ColumnProps {
  left: number
  width: number
  name: string
  scale: Scale
  grounds: readonly GridGround[]
  items: readonly GridItem[]
  face: ComponentType<{ item: GridItem; lines: number }>
  stretch: boolean
  /** The thing whose ghost is shown. */
  gone: number | undefined
}

/** One column; drawn again only when something of its own has changed. */
const Column = memo(
  function Column({ left, width, name, scale, grounds, items, face: Face, stretch, gone }: ColumnProps) {
    const lanes = lanesOf(items)
    return (
      <section className={classes.column} style={{ left, width }} aria-label={name}>
        {grounds.map(({ key, kind, word, ...span }) => (
          <div
            key={key}
            className={classes.ground}
            data-kind={kind}
            style={{ top: topOf(scale, span.from), height: heightOf(scale, span) }}
          >
            {word && <span>{word}</span>}
          </div>
        ))}
        {items.map((item) => {
          const { lane, lanes: count } = lanes.get(item.id) as Lane
          const height = heightOf(scale, item) - GAP
          const share = (width - 6) / count
          return (
            <button
              key={item.id}
              type="button"
              tabIndex={-1}
              data-item={item.id}
              data-gone={item.id === gone || undefined}
              className={classes.item}
              style={{ top: topOf(scale, item.from) + 1, height, left: 2 + lane * share, width: share - GAP }}
            >
              <VisuallyHidden>{item.name}</VisuallyHidden>
              <span className={classes.face} aria-hidden>
                <Face item={item} lines={Math.max(1, Math.floor((height - 4) / 16))} />
              </span>
              {stretch && item.movable && <span className={classes.edge} data-edge />}
            </button>
          )
        })}
      </section>
    )
  },
  (a, b) =>
    a.left === b.left &&
    a.width === b.width &&
    a.name === b.name &&
    a.scale === b.scale &&
    a.face === b.face &&
    a.stretch === b.stretch &&
    sameAll(a.items, b.items) &&
    sameAll(a.grounds, b.grounds) &&
    (a.gone === b.gone || !a.items.some(({ id }) => id === a.gone || id === b.gone)),
)

const sameAll = <T,>(a: readonly T[], b: readonly T[]) =>
  a.length === b.length && a.every((one, at) => one === b[at] || JSON.stringify(one) === JSON.stringify(b[at]))

const heightOf = (scale: Scale, { from, to }: Span) => (Math.min(to, scale.to) - from) * perMinute(scale)
const isIn = ({ from, to }: Scale, minute: number) => minute >= from && minute <= to

const boxOf = (
  scale: Scale,
  wide: number,
  { column, from, to }: Place,
): Record<'left' | 'top' | 'width' | 'height', string> => ({
  left: `${TIMES + column * wide + 2}px`,
  top: `${topOf(scale, from)}px`,
  width: `${wide - 6}px`,
  height: `${heightOf(scale, { from, to })}px`,
})

function itemAt(target: EventTarget | null): number | undefined {
  const element = (target as HTMLElement | null)?.closest<HTMLElement>('[data-item]')
  return element ? Number(element.dataset.item) : undefined
}

/** Time that nothing stands in; a hold is somebody's already. */
const isGround = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(`.${classes.column}`) !== null &&
  target.closest('[data-kind="hold"]') === null

/** Scrolls as little as shows the place under the head and beside the times. */
function show(element: HTMLElement | null, left: number, top: number, bottom: number, width: number): void {
  if (!element) return
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
  const [roomX, roomY] = [clientWidth - TIMES, clientHeight - HEAD]
  if (left < scrollLeft) element.scrollLeft = left
  else if (left + width > scrollLeft + roomX) element.scrollLeft = left + width - roomX
  if (top < scrollTop + GAP) element.scrollTop = Math.max(0, top - 8)
  else if (bottom > scrollTop + roomY) element.scrollTop = Math.min(top - 8, bottom - roomY + 8)
}

const HINT_MS = 450

/** The thing that is pointed at for a moment, or that the keyboard stands on. */
function useHint(sheet: { current: HTMLElement | null }): { at?: { id: number; rect: DOMRect } } {
  const [at, setAt] = useState<{ id: number; rect: DOMRect }>()
  useEffect(() => {
    const element = sheet.current as HTMLElement
    let timer: ReturnType<typeof setTimeout> | undefined
    let over: number | undefined
    const begin = (target: EventTarget | null, wait: number) => {
      const id = itemAt(target)
      if (id === over) return
      end()
      over = id
      const thing = (target as HTMLElement).closest<HTMLElement>('[data-item]')
      if (id !== undefined && thing)
        timer = setTimeout(() => thing.isConnected && setAt({ id, rect: thing.getBoundingClientRect() }), wait)
    }
    const end = () => {
      clearTimeout(timer)
      over = undefined
      setAt(undefined)
    }
    const point = (event: PointerEvent) => event.pointerType === 'mouse' && begin(event.target, HINT_MS)
    const focus = (event: FocusEvent) =>
      (event.target as HTMLElement).matches(':focus-visible') && begin(event.target, HINT_MS)
    const on = { pointerover: point, pointerleave: end, pointerdown: end, focusin: focus, focusout: end, keydown: end }
    for (const [name, run] of Object.entries(on)) element.addEventListener(name, run as EventListener)
    const scroller = element.parentElement
    scroller?.addEventListener('scroll', end, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const [name, run] of Object.entries(on)) element.removeEventListener(name, run as EventListener)
      scroller?.removeEventListener('scroll', end)
    }
  }, [sheet])
  return { at }
}

interface DragOptions {
  scroller: { current: HTMLElement | null }
  sheet: { current: HTMLElement | null }
  scale: Scale
  wide: number
  count: number
  /** Where the thing stands; undefined: it does not move. */
  grabbed: (id: number) => Place | undefined
  onGhost: (id: number, place: Place | undefined) => void
  onDrop: (id: number, place: Place) => void
}

/** Moving and stretching by the pointer: the ghost follows by steps, the edge of the window scrolls, Escape gives up. */
function useDrag(options: DragOptions) {
  const latest = useRef(options)
  latest.current = options
  const moved = useRef(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const onPointerDown = (down: React.PointerEvent) => {
    const id = itemAt(down.target)
    moved.current = false
    // A finger scrolls; it moves a visit by the menu.
    if (id === undefined || down.button !== 0 || down.pointerType === 'touch') return
    const at = latest.current.grabbed(id)
    if (!at) return
    const mode: DragMode = (down.target as HTMLElement).closest('[data-edge]') ? 'end' : 'move'
    const pointed = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const { sheet, scale, wide, count } = latest.current
      const box = (sheet.current as HTMLElement).getBoundingClientRect()
      const column = Math.floor((clientX - box.left - TIMES) / wide)
      return {
        column: Math.min(count - 1, Math.max(0, column)),
        minute: minuteAt(scale, clientY - box.top - HEAD),
      }
    }
    const grab = pointed(down).minute - at.from
    let place: Place | undefined
    let pointer = { clientX: down.clientX, clientY: down.clientY }
    let frame = 0
    const follow = () => {
      const { column, minute } = pointed(pointer)
      const next = dragged({ mode, at, grab }, column, minute, latest.current.scale)
      if (place && samePlace(place, next)) return
      place = next
      latest.current.onGhost(id, next)
    }
    const scroll = () => {
      frame = requestAnimationFrame(scroll)
      const element = latest.current.scroller.current
      if (!element || !moved.current) return
      const box = element.getBoundingClientRect()
      const { clientX: x, clientY: y } = pointer
      const dx = x > box.right - EDGE_SCROLL ? SCROLL_STEP : x < box.left + TIMES + EDGE_SCROLL ? -SCROLL_STEP : 0
      const dy = y > box.bottom - EDGE_SCROLL ? SCROLL_STEP : y < box.top + HEAD + EDGE_SCROLL ? -SCROLL_STEP : 0
      if (dx === 0 && dy === 0) return
      element.scrollBy(dx, dy)
      follow()
    }
    const move = (event: PointerEvent) => {
      pointer = event
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= DRAG_FROM
      if (!moved.current && !far) return
      moved.current = true
      follow()
    }
    const end = (drop: boolean) => {
      stop.current?.()
      if (!moved.current) return
      if (drop && place) latest.current.onDrop(id, place)
      else latest.current.onGhost(id, undefined)
    }
    const up = () => end(true)
    const cancel = () => end(false)
    const key = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || !moved.current) return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    }
    stop.current = () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', key, true)
      stop.current = undefined
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', key, true)
    frame = requestAnimationFrame(scroll)
  }
  /** Whether the press that has just ended was a drag: its click is none. */
  const hasDragged = () => moved.current
  return { onPointerDown, hasDragged }
}
