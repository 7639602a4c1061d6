import { minutesOf } from '#kit/clock.ts'

/**
 * True when a time of day is within `HH:mm` limits; `22:00`–`06:00` spans midnight, equal limits mean the whole day.
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
