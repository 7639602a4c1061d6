import { plusDays } from '@ordinator/model/zone'
import { dayOf, midnight, minutesOf, momentOf } from '../clock.ts'
import { clockOf } from '../dayGrid/scale.ts'

type CalendarSpan = 'month' | 'week' | 'day'

/** An item of the calendar. Without `end` it is a point in time: a deadline. */
export interface CalendarItem {
  id: number
  title: string
  /** ISO. */
  start: string
  end?: string
  color: string
  movable: boolean
  /** Struck through. */
  done?: boolean
}

/** Target of a drop: start and end, and whether it is a whole day. */
export interface CalendarPlace {
  start: Date
  end: Date | null
  allDay: boolean
}

export interface CalendarProps {
  span: CalendarSpan
  /** A visible day, `YYYY-MM-DD`. */
  date: string
  items: readonly CalendarItem[]
  onOpen: (id: number) => void
  /** Opens the menu of an item: right click or a key. */
  onMenu: (id: number) => void
  /** Shows the change at once. */
  onMove: (id: number, place: CalendarPlace) => void
  /** An empty day or time was chosen; absent: nothing can be created. */
  onSelect?: ((place: CalendarPlace) => void) | undefined
  /** An element dragged by `useCalendarDrag` was dropped here. */
  onReceive: (id: number, place: CalendarPlace) => void
}

/** The Monday of a day's week. */
const mondayOf = (day: string): string => plusDays(day, -((new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7))

/** Days shown: the weeks that contain the month, one week, or one day. */
export function daysShown(span: CalendarSpan, date: string): string[] {
  if (span === 'day') return [date]
  const first = mondayOf(span === 'month' ? `${date.slice(0, 8)}01` : date)
  const count = span === 'week' ? 7 : 42
  return Array.from({ length: count }, (_, at) => plusDays(first, at))
}

/** The days of an item; an end at midnight belongs to the day before. */
export function daysOfItem({ start, end }: Pick<CalendarItem, 'start' | 'end'>): [first: string, last: string] {
  const first = dayOf(start)
  const last = end ? dayOf(new Date(new Date(end).getTime() - 1)) : first
  return [first, last < first ? first : last]
}

/** The item on another day at the same time of day, as long as before. */
export function movedToDay({ start, end }: Pick<CalendarItem, 'start' | 'end'>, day: string): CalendarPlace {
  const next = new Date(momentOf(day, clockOf(minutesOf(new Date(start)))))
  const length = end ? new Date(end).getTime() - new Date(start).getTime() : undefined
  return { start: next, end: length === undefined ? null : new Date(next.getTime() + length), allDay: false }
}

export const wholeDay = (day: string): CalendarPlace => ({
  start: new Date(midnight(day)),
  end: new Date(midnight(day, 1)),
  allDay: true,
})
