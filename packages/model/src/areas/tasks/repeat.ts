import { messages } from '../../messages.ts'
import { momentOf, wallOf } from '../../zone.ts'

/** Repetition of a reminder (spec §3). */
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

/** Units of a custom period. */
export const repeatUnits = { DAY: 'дней', WEEK: 'недель', MONTH: 'месяцев', YEAR: 'лет' } as const
export type RepeatUnit = keyof typeof repeatUnits

export interface Repeat {
  type: RepeatType
  /** The first occurrence; later ones are computed from it. */
  date: string
  /** IANA name of the zone of the occurrences. */
  timeZone: string
  /** For CUSTOM. */
  unit?: RepeatUnit | null
  value?: number | null
}

/**
 * The first occurrence after a moment; undefined: none (spec §3).
 *
 * All keep the local time of the first in its zone. A local time skipped by a clock change moves to the next existing
 * minute; a repeated one is taken at its first time. A missing day becomes the month's last: 31 January, 28 February,
 * 31 March.
 */
export function nextOccurrence(repeat: Repeat, after: Date): Date | undefined {
  for (const moment of occurrences(repeat, after)) if (moment > after.getTime()) return new Date(moment)
  return undefined
}

/** The last occurrence not after a moment; undefined: all are later. */
export function lastOccurrence(repeat: Repeat, until: Date): Date | undefined {
  let last: Date | undefined
  for (const moment of occurrences(repeat, until)) {
    if (moment > until.getTime()) break
    last = new Date(moment)
  }
  return last
}

/** Missing parts of a repetition, by field. */
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

/** All occurrences in order, starting a few before `around`; infinite. */
function* occurrences(repeat: Repeat, around: Date): Generator<number> {
  const first = Date.parse(repeat.date)
  if (repeat.type === 'ONCE') return yield first
  const step = stepOf(repeat)
  if (!step) return
  const wall = wallOf(first, repeat.timeZone)
  const since = Math.max(0, wallOf(around.getTime(), repeat.timeZone) - wall)
  // Starts a few steps early: clock changes and weekends may lie between.
  for (let n = Math.max(0, Math.floor(since / step.longest) - EARLY); ; n++) {
    const day = step.wall(wall, n)
    if (repeat.type !== 'WEEKDAYS' || !isWeekend(day)) yield momentOf(day, repeat.timeZone)
  }
}

const EARLY = 4
const DAY = 86_400_000

interface Step {
  /** Local time `n` steps after the first. */
  wall(first: number, n: number): number
  /** Maximum milliseconds of a step. */
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
