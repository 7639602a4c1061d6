import { plusDays } from '@ordinator/model/zone'
import { useMemo, useRef } from 'react'
import { dayOf, formatDateTime, minutesOf, momentOf } from '../clock.ts'
import { DayGrid } from '../dayGrid/DayGrid.tsx'
import type { GridColumn, GridItem } from '../dayGrid/grid.ts'
import { clockOf, DAY_MINUTES, minuteAt, type Scale } from '../dayGrid/scale.ts'
import { HEAD, TIMES } from '../dayGrid/sheet.ts'
import { TooltipFacts } from '../TooltipFacts.tsx'
import { useNow } from '../useNow.ts'
import classes from './Calendar.module.css'
import { useCalendarDrop } from './drag.ts'
import { type CalendarItem, type CalendarPlace, type CalendarProps, daysOfItem, daysShown } from './item.ts'

const scale: Scale = { from: 0, to: DAY_MINUTES, step: 15 }
/** Minutes scrolled to at first: 8:00. */
const START = 8 * 60
/** Minutes drawn for a point in time, and given to a new item. */
const LENGTH = 30
const STEP = 15

interface Box extends GridItem {
  item: CalendarItem
  /** On one day, so that it can be moved here. */
  whole: boolean
}

/** A day, or the days of a week, by hours: the grid of the schedule. */
export function Hours({ span, date, items, onOpen, onMenu, onMove, onSelect, onReceive }: CalendarProps) {
  const frame = useRef<HTMLDivElement>(null)
  const days = useMemo(() => daysShown(span, date), [span, date])
  const columns = useMemo(() => days.map(columnOf), [days])
  const boxes = useMemo(() => items.flatMap((item) => boxesOf(item, days)), [items, days])
  const now = new Date(useNow(60_000))
  const today = dayOf(now)

  useCalendarDrop(frame, ({ id, x, y }) => {
    const sheet = frame.current?.querySelector('[data-grid] > [role="group"]')?.getBoundingClientRect()
    if (!sheet) return
    const wide = (sheet.width - TIMES) / days.length
    const day = days[Math.floor((x - sheet.left - TIMES) / wide)]
    const minute = Math.floor(minuteAt(scale, y - sheet.top - HEAD) / STEP) * STEP
    if (day !== undefined && minute >= 0 && minute < DAY_MINUTES)
      onReceive(id, { start: momentAt(day, minute), end: null, allDay: false })
  })
  return (
    <div ref={frame} className={classes.hours}>
      <DayGrid
        label={span === 'day' ? 'День' : 'Неделя'}
        scale={scale}
        columns={columns}
        grounds={none}
        items={boxes}
        face={Face}
        hint={Hint}
        columnWidth={span === 'day' ? 320 : 112}
        {...(days.includes(today) && { now: { minute: minutesOf(now), column: today } })}
        freeWord={freeWord}
        {...(onSelect && {
          onFree: (day: string, minute: number) =>
            onSelect({ start: momentAt(day, minute), end: momentAt(day, minute + LENGTH), allDay: false }),
        })}
        onOpen={onOpen}
        onMenu={onMenu}
        onMove={(id, { column, from, to }) => {
          const box = boxes.find((one) => one.id === id)
          if (box?.whole) onMove(id, placeOf(box, column, from, to))
        }}
        start={START}
      />
    </div>
  )
}

const none: never[] = []
const freeWord = () => 'свободно'
const momentAt = (day: string, minute: number): Date =>
  new Date(momentOf(plusDays(day, Math.floor(minute / DAY_MINUTES)), clockOf(minute)))

function columnOf(day: string): GridColumn {
  const name = new Date(`${day}T00:00Z`).toLocaleDateString('ru-RU', {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return { key: day, name, head: name }
}

/** Boxes of an item on the visible days. One that lasts several days is on each of them, and is moved by its menu. */
function boxesOf(item: CalendarItem, days: readonly string[]): Box[] {
  const [first, last] = daysOfItem(item)
  const whole = first === last
  return days
    .filter((day) => first <= day && day <= last)
    .map((column) => {
      const from = column === first ? Math.min(minutesOf(new Date(item.start)), DAY_MINUTES - STEP) : 0
      const end = item.end && column === last ? minutesOf(new Date(item.end)) || DAY_MINUTES : undefined
      const to = Math.min(DAY_MINUTES, Math.max(from + STEP, end ?? (whole ? from + LENGTH : DAY_MINUTES)))
      return { id: item.id, column, from, to, name: nameOf(item), movable: item.movable && whole, item, whole }
    })
}

/** A point in time stays one unless it was made longer or shorter. */
function placeOf(box: Box, day: string, from: number, to: number): CalendarPlace {
  const isSame = to - from === box.to - box.from
  return {
    start: momentAt(day, from),
    end: box.item.end === undefined && isSame ? null : momentAt(day, to),
    allDay: false,
  }
}

const nameOf = ({ title, start, end }: CalendarItem): string =>
  `${title}, ${formatDateTime(start)}${end ? ` – ${formatDateTime(end)}` : ''}`

const Face = ({ item: { item, from } }: { item: Box }) => (
  <span
    className={classes.face}
    data-done={item.done || undefined}
    style={{ '--item': item.color } as React.CSSProperties}
  >
    <span className="tabular">{clockOf(from)}</span> {item.title}
  </span>
)

const Hint = ({ item: { item } }: { item: Box }) => (
  <TooltipFacts
    title={item.title}
    facts={[
      [item.end ? 'Начало' : 'Время', formatDateTime(item.start)],
      ['Окончание', item.end && formatDateTime(item.end)],
    ]}
  />
)
