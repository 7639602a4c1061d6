/** Completion time of an order: the laboratory's term in working days, counted from the cutoff hour. Pure. */
import { addWorkingDays, isWorkingDay, type WorkingCalendar } from '../../workingTime.ts'
import { dayIn, momentIn, wallOf } from '../../zone.ts'

/** Minutes of an urgent own test, and the hour at which a term ends. */
const CITO_MINUTES = 120
const READY_AT = '18:00'

export interface TermOf {
  /** Working days; 0: the same day. */
  termDays: number
  /** `HH:MM` until which material counts for today; null: all day. */
  cutoff: string | null
  isPartner: boolean
}

/**
 * Completion time of a test, ISO.
 * @param at milliseconds of the order
 */
export function readyAt(
  { termDays, cutoff, isPartner }: TermOf,
  at: number,
  timeZone: string,
  calendar: WorkingCalendar,
  cito = false,
): string {
  if (cito && !isPartner) return new Date(at + CITO_MINUTES * 60_000).toISOString()
  const day = dayIn(timeZone, at)
  const clock = new Date(wallOf(at, timeZone)).toISOString().slice(11, 16)
  const isLate = (cutoff !== null && clock > cutoff) || !isWorkingDay(day, calendar)
  const days = (cito ? Math.max(0, termDays - 1) : termDays) + (isLate ? 1 : 0)
  return momentIn(timeZone, addWorkingDays(day, days, calendar), READY_AT)
}
