import { messages } from '../../messages.ts'
import { momentOf, wallOf } from '../../zone.ts'

/** How a reminder repeats (spec §3). */
export const repeatTypes = {
  ONCE: 'Не повторять',
  EVERYDAY: 'Каждый день',
  WEEKDAYS: 'По будням',
  WEEKLY: 'Каждую неделю',
  MONTHLY: 'Каждый месяц',
  ANNUALLY: 'Каждый год',
  CUSTOM: 'Свой период',
} as const
export type RepeatType = keyof typeof repeatTypes

/** Units of an own period. */
export const repeatUnits = { DAY: 'дней', WEEK: 'недель', MONTH: 'месяцев', YEAR: 'лет' } as const
export type RepeatUnit = keyof typeof repeatUnits

export interface Repeat {
  type: RepeatType
  /** The first occurrence, which all later ones are reckoned from. */
  date: string
  /** IANA name; the clock that the occurrences keep. */
  timeZone: string
  /** Of CUSTOM. */
  unit?: RepeatUnit | null
  value?: number | null
}

/**
 * The first occurrence later than a moment; undefined: there is none (spec §3).
 *
 * All keep the first one's time of day in its zone. One that the change of clocks leaves out comes at the next minute
 * that there is, one that comes twice at the first. A day that a month lacks is its last: 31 January, 28 February,
 * 31 March.
 */
export function nextOccurrence(repeat: Repeat, after: Date): Date | undefined {
  for (const moment of occurrences(repeat, after)) if (moment > after.getTime()) return new Date(moment)
  return undefined
}

/** The last occurrence not later than a moment; undefined: the first is still to come. */
export function lastOccurrence(repeat: Repeat, until: Date): Date | undefined {
  let last: Date | undefined
  for (const moment of occurrences(repeat, until)) {
    if (moment > until.getTime()) break
    last = new Date(moment)
  }
  return last
}

/** What a repeat lacks, by field; nothing: it is whole. */
export function wrongRepeat(task: {
  notificationType?: RepeatType | null
  notificationCustomRepeatType?: RepeatUnit | null
  notificationCustomRepeatValue?: number | null
}): { field: string; message: string }[] {
  if (task.notificationType !== 'CUSTOM') return []
  return (['notificationCustomRepeatType', 'notificationCustomRepeatValue'] as const)
    .filter((field) => !task[field])
    .map((field) => ({ field, message: messages.required }))
}

/** The occurrences in their order without end, from a few before `around`. */
function* occurrences(repeat: Repeat, around: Date): Generator<number> {
  const first = Date.parse(repeat.date)
  if (repeat.type === 'ONCE') return yield first
  const step = stepOf(repeat)
  if (!step) return
  const wall = wallOf(first, repeat.timeZone)
  const since = Math.max(0, wallOf(around.getTime(), repeat.timeZone) - wall)
  // A few steps too early rather than too late: the clocks may have changed between, and a weekend may lie there.
  for (let n = Math.max(0, Math.floor(since / step.longest) - EARLY); ; n++) {
    const day = step.wall(wall, n)
    if (repeat.type !== 'WEEKDAYS' || !isWeekend(day)) yield momentOf(day, repeat.timeZone)
  }
}

const EARLY = 4
const DAY = 86_400_000

interface Step {
  /** The clock's reading `n` steps after a first one. */
  wall(first: number, n: number): number
  /** Milliseconds that a step takes at most. */
  longest: number
}

const days = (count: number): Step => ({ wall: (first, n) => first + n * count * DAY, longest: count * DAY })
const months = (count: number): Step => ({
  wall: (first, n) => addMonths(first, n * count),
  longest: count * 31 * DAY,
})

function stepOf({ type, unit, value }: Repeat): Step | undefined {
  if (type === 'EVERYDAY' || type === 'WEEKDAYS') return days(1)
  if (type === 'WEEKLY') return days(7)
  if (type === 'MONTHLY') return months(1)
  if (type === 'ANNUALLY') return months(12)
  if (!unit || !value || value < 1) return undefined
  return { DAY: days(value), WEEK: days(7 * value), MONTH: months(value), YEAR: months(12 * value) }[unit]
}

function addMonths(wall: number, count: number): number {
  const date = new Date(wall)
  const month = date.getUTCMonth() + count
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return (
    Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last)) + (wall - Math.floor(wall / DAY) * DAY)
  )
}

const isWeekend = (wall: number): boolean => [0, 6].includes(new Date(wall).getUTCDay())
