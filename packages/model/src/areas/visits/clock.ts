/** Times of a branch's clock: `HH:mm`; a day may end at `24:00`. */
import { messages } from '../../messages.ts'

/** Minutes since midnight; undefined: not a valid time. */
export function minutesOf(clock: string): number | undefined {
  const parts = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(clock)
  const minutes = parts ? Number(parts[1]) * 60 + Number(parts[2]) : Number.NaN
  return minutes <= DAY_MINUTES ? minutes : undefined
}

export const DAY_MINUTES = 24 * 60

/** `HH:mm` of minutes since midnight. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Validation rule of a field. */
export const clockRule = (value: string): string | undefined =>
  value === '' || minutesOf(value) !== undefined ? undefined : messages.clock
