import { announce } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { Tooltip } from '@mantine/core'
import {
  type ComponentType,
  type CSSProperties,
  type KeyboardEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Spot } from '../Anchored.tsx'
import { Column } from './Column.tsx'
import classes from './DayGrid.module.css'
import { nudged, type Place, samePlace } from './drag.ts'
import type { GridColumn, GridGround, GridItem, GridMark, GridPlace } from './grid.ts'
import {
  clockOf,
  fitted,
  hoursIn,
  minuteAt,
  perMinute,
  type Scale,
  shownColumns,
  spanText,
  stepAt,
  topOf,
} from './scale.ts'
import { boxOf, bringIntoSight, HEAD, isGround, itemAt, TIMES } from './sheet.ts'
import { useDrag } from './useDrag.ts'
import { useHint } from './useHint.ts'
import { type Cursor, isWalkKey, type WalkItem, walked } from './walk.ts'

interface Props<I extends GridItem> {
  label: string
  scale: Scale
  columns: readonly GridColumn[]
  grounds: readonly GridGround[]
  items: readonly I[]
  /** Renders an item; it has room for `lines` of 16 px. */
  face: ComponentType<{ item: I; lines: number }>
  /** Marks at the sides of the columns, and the component for one or several at about one time. */
  marks?: readonly GridMark[]
  mark?: ComponentType<{ marks: readonly GridMark[] }>
  /** Tooltip of a hovered or focused item. */
  hint: ComponentType<{ item: I }>
  /** The current minute and, unless it applies to all columns, the column of today. */
  now?: { minute: number; column?: string }
  /** Absent: nothing can be booked. */
  onFree?: (column: string, minute: number) => void
  /** Description of an empty step: «свободно», «вне смены». */
  freeWord: (column: string, minute: number) => string
  onOpen: (id: number) => void
  /** Opens the menu: right click, menu key or `S`. */
  onMenu: (id: number, rect: DOMRect) => void
  onMove?: (id: number, place: GridPlace) => void
  /** Short reason why an item should not be placed there; the drop is still possible. */
  refuses?: (id: number, place: GridPlace) => string | undefined
  /** Fits the whole sheet on the screen. */
  whole?: boolean
  /** The item to scroll to. */
  sought?: number | undefined
  /** Pixels per column. */
  columnWidth?: number
  /** The minute scrolled to at first; changes with the data shown. */
  start: number
}

/**
 * A grid of columns and minutes with items that can be moved and resized by mouse and keys (arrows, Enter, `M`, `S`,
 * Escape). Only items and visible columns are elements, so that thirty columns cost the same as three. Independent of any
 * entity.
 */
export function DayGrid<I extends GridItem>(props: Props<I>) {
  const { label, columns, grounds, items, face, now, columnWidth = 176, start, whole, sought } = props
  const scroller = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const hint = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ left: 0, width: 1_200, height: 640 })
  const scale = useMemo(
    () => (whole ? { ...props.scale, fit: fitted(props.scale, seen.height - HEAD - 2) } : props.scale),
    [whole, props.scale, seen.height],
  )
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
  const marksOf = useMemo(() => Map.groupBy(props.marks ?? none, ({ column }) => column), [props.marks])

  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const measure = () =>
      setSeen({ left: element.scrollLeft, width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled when another day is shown, not when it grows
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = Math.max(0, topOf(scale, start) - 40)
  }, [start, scale.step])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is looked for
  useLayoutEffect(() => {
    const item = items.find(({ id }) => id === sought)
    const at = item && index.get(item.column)
    if (item && at !== undefined)
      bringIntoSight(scroller.current, at * wide, topOf(scale, item.from), topOf(scale, item.to), wide)
  }, [sought])

  // An item moved to another column by keys is a new element there.
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

  /** Moves the keyboard cursor: scrolls to the target, and renders it before focusing. */
  const stand = (next: Cursor) => {
    const element = scroller.current as HTMLDivElement
    const item = items.find(({ id }) => id === next.item)
    const [from, to] = [topOf(scale, item?.from ?? next.minute), topOf(scale, item?.to ?? next.minute + scale.step)]
    bringIntoSight(element, next.column * wide, from, to, wide)
    flushSync(() => {
      setCursor(next)
      setSeen({ left: element.scrollLeft, width: element.clientWidth, height: element.clientHeight })
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
  const refusal = (id: number, { column, from, to }: Place) =>
    props.refuses?.(id, { column: columns[column]?.key ?? '', from, to })
  const told = (id: number, place: Place) =>
    [columns[place.column]?.name ?? '', spanText(place), refusal(id, place)].filter(Boolean).join(', ')

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).closest('[data-mark]')) return
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
        const isFixed = event.shiftKey && items.find(({ id }) => id === ghost.id)?.fixed
        const place = !isFixed && nudged(ghost.place, event.key, event.shiftKey, columns.length, scale)
        if (!place) return
        bringIntoSight(scroller.current, place.column * wide, topOf(scale, place.from), topOf(scale, place.to), wide)
        setGhost({ ...ghost, place })
        announce(told(ghost.id, place))
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
      const stretches = item.fixed ? '' : ' Shift со стрелками меняет длительность,'
      announce(`${item.name}. Стрелки переносят,${stretches} Enter ставит, Escape отменяет`)
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
  /** Shows the time of the free step under the pointer; updated without React on every move. */
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
      onScroll={({ currentTarget: { scrollLeft, clientWidth, clientHeight } }) => {
        const [nextFirst, nextLast] = shownColumns(scrollLeft, clientWidth - TIMES, wide, columns.length)
        if (nextFirst !== first || nextLast !== last)
          setSeen({ left: scrollLeft, width: clientWidth, height: clientHeight })
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
          // A click by a key never ends a drag.
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
              marks={marksOf.get(column.key) ?? none}
              mark={props.mark}
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
            <div
              className={`${classes.ghost} tabular`}
              data-ghost
              data-refused={refusal(ghost.id, ghost.place) ? true : undefined}
              style={boxOf(scale, wide, ghost.place)}
            >
              {[spanText(ghost.place), refusal(ghost.id, ghost.place)].filter(Boolean).join(' · ')}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

const none: never[] = []

const isIn = ({ from, to }: Scale, minute: number) => minute >= from && minute <= to
