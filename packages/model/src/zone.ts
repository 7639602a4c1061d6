/**
 * Whose clock a moment is told by. One rule for screens, exports, papers, letters and imports: the clock of the branch where
 * the record has one, else of the reader's profile (which is the clinic's where it names none). A condition on days is one
 * for records of all branches: it goes by the reader's clock. Zones are IANA names.
 */

/** The zone of the rule. */
export const zoneFor = (profile: string, branch?: string | null): string => branch || profile

const DAY = 86_400_000

/** What the zone's clock shows at a moment, written as if it were UTC. */
export function wallOf(moment: number, timeZone: string): number {
  const parts = Object.fromEntries(
    clock(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  const whole = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
  return whole + (moment - Math.floor(moment / 1000) * 1000)
}

/** Further than any offset and any change of clocks. */
const APART = 1.5 * DAY

/** The first moment at which the zone's clock shows this; where it never does, the moment at which it jumps past it. */
export function momentOf(wall: number, timeZone: string): number {
  const offset = (moment: number) => wallOf(moment, timeZone) - moment
  const [before, after] = [offset(wall - APART), offset(wall + APART)]
  const found = [wall - before, wall - after].filter((moment) => wallOf(moment, timeZone) === wall)
  if (found.length) return Math.min(...found)
  let [early, late] = [wall - after, wall - before]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (offset(middle) === before) early = middle
    else late = middle
  }
  return late
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const numeric = 'numeric'
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
  clocks.set(timeZone, made)
  return made
}

/** The day `YYYY-MM-DD` so many days later; earlier with a negative number. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** The day `YYYY-MM-DD` that the zone's calendar shows at a moment. */
export const dayIn = (timeZone: string, moment: Date | number): string =>
  new Date(wallOf(Number(moment), timeZone)).toISOString().slice(0, 10)

/** When a day `YYYY-MM-DD` begins in the zone, so many days later; ISO. */
export const midnightIn = (timeZone: string, day: string, later = 0): string =>
  new Date(momentOf(Date.parse(day) + later * DAY, timeZone)).toISOString()

/** When the zone's clock shows `HH:mm` on a day `YYYY-MM-DD`; ISO. */
export const momentIn = (timeZone: string, day: string, time: string): string =>
  new Date(momentOf(Date.parse(`${day}T${time}Z`), timeZone)).toISOString()
