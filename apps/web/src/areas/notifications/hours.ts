import { minutesOf } from '#kit/clock.ts'

/**
 * Whether a clock of the day lies within the allowed hours, both ends `HH:mm`; `22:00`–`06:00` goes over midnight, equal
 * ends are the whole day.
 */
export function withinHours(now: Date, start: string, end: string): boolean {
  const [at, from, to] = [minutesOf(now), minutes(start), minutes(end)]
  if (from === to) return true
  return from < to ? at >= from && at < to : at >= from || at < to
}

const minutes = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}
