/**
 * Time zones of displayed times. One rule for screens, exports, documents, mails and imports: the zone of the record's
 * branch if it has one, else of the reader's profile (or of the clinic if that has none). A filter on days applies to
 * records of all branches: it uses the reader's zone. Zones are IANA names.
 */

/** The time zone by this rule. */
export const zoneFor = (profile: string, branch?: string | null): string => branch || profile

const DAY = 86_400_000

/** Local time in the zone at a moment, represented as UTC. */
export function wallOf(moment: number, timeZone: string): number {
  const parts = Object.fromEntries(
    clock(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  const whole = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
  return whole + (moment - Math.floor(moment / 1000) * 1000)
}

/** More than any offset or clock change. */
const APART = 1.5 * DAY

/** The first moment with this local time; for a skipped local time, the moment of the jump. */
export function momentOf(wall: number, timeZone: string): number {
  const day = Math.floor(wall / DAY)
  const steady = offsetOf(day - 2, timeZone)
  if (steady === offsetOf(day + 3, timeZone)) return wall - steady
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

/** Offsets at the beginnings of days, by zone and by days since 1970; a table of visits has the same days many times. */
const offsets = new Map<string, Map<number, number>>()
const MAX_OFFSETS = 50_000

function offsetOf(day: number, timeZone: string): number {
  const own = offsets.get(timeZone) ?? new Map<number, number>()
  if (own.size === 0) offsets.set(timeZone, own)
  const known = own.get(day)
  if (known !== undefined) return known
  const offset = wallOf(day * DAY, timeZone) - day * DAY
  if (own.size >= MAX_OFFSETS) own.clear()
  own.set(day, offset)
  return offset
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

/** The day `YYYY-MM-DD` in the zone at a moment. */
export const dayIn = (timeZone: string, moment: Date | number): string =>
  new Date(wallOf(Number(moment), timeZone)).toISOString().slice(0, 10)

/** Start of a day `YYYY-MM-DD` in the zone, plus so many days; ISO. */
export const midnightIn = (timeZone: string, day: string, later = 0): string =>
  new Date(momentOf(Date.parse(day) + later * DAY, timeZone)).toISOString()

/** Moment of the local time `HH:mm` on a day `YYYY-MM-DD`; ISO. */
export const momentIn = (timeZone: string, day: string, time: string): string =>
  new Date(momentOf(Date.parse(`${day}T${time}Z`), timeZone)).toISOString()
