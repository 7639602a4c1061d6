/**
 * A schedule as iCalendar (RFC 5545), for other calendar apps. The wall clock and the zone are authoritative here too: an
 * event carries the time of the branch's clock, and the zone is defined in the file. Pure.
 */
import { plusDays, wallOf } from '../../zone.ts'
import { DAY_MINUTES, minutesOf } from './clock.ts'

export interface IcalEvent {
  /** Unique, and constant for the event's lifetime. */
  uid: string
  /** `YYYY-MM-DD` */
  day: string
  /** `HH:mm`; a day may end at `24:00`, and an end not after the start is on the next day. */
  from: string
  to: string
  /** IANA name. */
  zone: string
  summary: string
  location?: string | undefined
  description?: string | undefined
  /** Marks the person as busy. */
  busy: boolean
  /** ISO. */
  changed: string
}

export interface IcalCalendar {
  name: string
  events: readonly IcalEvent[]
}

/** Maximum octets of a line, without its end (§3.1). */
const LINE = 75

export function icalOf({ name, events }: IcalCalendar): string {
  const zones = Map.groupBy(events, ({ zone }) => zone)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ordinator//Schedule//RU',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${textOf(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...[...zones].flatMap(([zone, some]) => {
      const days = some.map(({ day }) => day).toSorted()
      return zoneLines(zone, days[0] as string, plusDays(days.at(-1) as string, 2))
    }),
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines({ uid, day, from, to, zone, summary, location, description, busy, changed }: IcalEvent): string[] {
  const whole = from === '00:00' && to === '24:00'
  const last = to > from ? day : plusDays(day, 1)
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${utcOf(changed)}`,
    `LAST-MODIFIED:${utcOf(changed)}`,
    ...(whole
      ? [`DTSTART;VALUE=DATE:${bare(day)}`, `DTEND;VALUE=DATE:${bare(plusDays(day, 1))}`]
      : [`DTSTART;TZID=${zone}:${wallText(day, from)}`, `DTEND;TZID=${zone}:${wallText(last, to)}`]),
    `SUMMARY:${textOf(summary)}`,
    ...(location ? [`LOCATION:${textOf(location)}`] : []),
    ...(description ? [`DESCRIPTION:${textOf(description)}`] : []),
    `TRANSP:${busy ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ]
}

/** The zone's offsets over these days: one observance each, the first from the start of the period (§3.6.5). */
function zoneLines(zone: string, from: string, to: string): string[] {
  const observances: { at: number; before: number; after: number }[] = []
  const end = Date.parse(to)
  let at = Date.parse(plusDays(from, -1))
  let offset = offsetOf(zone, at)
  observances.push({ at, before: offset, after: offset })
  for (let next = at + DAY; next <= end + DAY; next += DAY) {
    const after = offsetOf(zone, next)
    if (after !== offset) {
      observances.push({ at: changeOf(zone, at, next), before: offset, after })
      offset = after
    }
    at = next
  }
  const standard = Math.min(...observances.map(({ after }) => after))
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observances.flatMap((one) => {
      const kind = one.after > standard ? 'DAYLIGHT' : 'STANDARD'
      return [
        `BEGIN:${kind}`,
        `DTSTART:${momentText(one.at + one.before * MINUTE)}`,
        `TZOFFSETFROM:${offsetText(one.before)}`,
        `TZOFFSETTO:${offsetText(one.after)}`,
        `END:${kind}`,
      ]
    }),
    'END:VTIMEZONE',
  ]
}

const MINUTE = 60_000
const DAY = 86_400_000

/** Offset of the zone from UTC, in minutes. */
const offsetOf = (zone: string, moment: number): number => Math.round((wallOf(moment, zone) - moment) / MINUTE)

/** The moment of the offset change between two moments with different offsets. */
function changeOf(zone: string, early: number, late: number): number {
  const before = offsetOf(zone, early)
  let [low, high] = [early, late]
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE
    if (offsetOf(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

const two = (number: number): string => String(number).padStart(2, '0')
const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`
}
const bare = (text: string): string => text.replaceAll(/[-:]/g, '')
/** Text of a moment given as UTC. */
const momentText = (moment: number): string => bare(new Date(moment).toISOString().slice(0, 19))
const utcOf = (iso: string): string => `${momentText(Date.parse(iso))}Z`
const wallText = (day: string, clock: string): string => {
  const minutes = minutesOf(clock) as number
  return minutes === DAY_MINUTES ? `${bare(plusDays(day, 1))}T000000` : `${bare(day)}T${bare(clock)}00`
}

/** Escapes the characters that iCalendar text must not contain (§3.3.11). */
const textOf = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // Control characters would end a line, or the file.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** Folds a line to the maximum octets, continuations after a space; characters are not split. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const letter of line) {
    const size = new TextEncoder().encode(letter).length
    if (octets + size > LINE) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += letter
    octets += size
  }
  return [...parts, part].join('\r\n')
}
