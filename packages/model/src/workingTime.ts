import { type Holiday, type Hours, hoursOn, type WorkingHours } from './hours.ts'
import { dayIn, momentIn, plusDays } from './zone.ts'

/**
 * Deadlines in working days and working minutes. Days follow the production calendar of Russia: a five-day week, the
 * holidays of the Labour Code (ТК ст. 112), and the days moved by the government each year, which the clinic keeps in a
 * dated dictionary (`calendar-days`). Minutes follow the hours of a branch. Pure, on both sides; days are `YYYY-MM-DD`.
 */

export const dayKinds = { off: 'Выходной', work: 'Рабочий', short: 'Сокращённый' } as const
export type DayKind = keyof typeof dayKinds

/** Days in the dictionary, which override the rules of the law. */
export type WorkingCalendar = ReadonlyMap<string, DayKind>

export const calendarOf = (days: readonly { day: string; kind: DayKind }[]): WorkingCalendar =>
  new Map(days.map(({ day, kind }) => [day, kind]))

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

const newYear = ['01-01', '01-02', '01-03', '01-04', '01-05', '01-06', '01-07', '01-08']
const others = ['02-23', '03-08', '05-01', '05-09', '06-12', '11-04']
const holidays = new Set([...newYear, ...others])

/** A public holiday of the Labour Code, on any weekday. */
export const isHoliday = (day: string): boolean => holidays.has(day.slice(5))

/** Names of the holidays (ТК ст. 112). */
const holidayNames: Readonly<Record<string, string>> = {
  '01-07': 'Рождество Христово',
  '02-23': 'День защитника Отечества',
  '03-08': 'Международный женский день',
  '05-01': 'Праздник Весны и Труда',
  '05-09': 'День Победы',
  '06-12': 'День России',
  '11-04': 'День народного единства',
}

/** Holidays of a year, in order. */
export const holidaysOf = (year: number): { day: string; name: string }[] =>
  [...holidays]
    .toSorted()
    .map((date) => ({ day: `${year}-${date}`, name: holidayNames[date] ?? 'Новогодние каникулы' }))

/**
 * Whether the law alone makes it a day off: a weekend, a holiday, or the working day after a holiday on a weekend. The days
 * replacing the weekends of 1 to 8 January are set by the government each year.
 */
function isOffByLaw(day: string): boolean {
  if (isWeekend(day) || isHoliday(day)) return true
  return others.some((date) => {
    const holiday = `${day.slice(0, 4)}-${date}`
    if (!isWeekend(holiday)) return false
    let moved = plusDays(holiday, 1)
    while (isWeekend(moved) || isHoliday(moved)) moved = plusDays(moved, 1)
    return moved === day
  })
}

/** The kind of a day. A working day before a holiday is an hour shorter (ТК ст. 95). */
export function dayKindOf(day: string, calendar: WorkingCalendar): DayKind {
  const marked = calendar.get(day)
  if (marked) return marked
  if (isOffByLaw(day)) return 'off'
  return isHoliday(plusDays(day, 1)) ? 'short' : 'work'
}

export const isWorkingDay = (day: string, calendar: WorkingCalendar): boolean => dayKindOf(day, calendar) !== 'off'

/** More than any holidays; the search for a working day stops here. */
const MOST_DAYS_OFF = 400

/**
 * The last day of a period of so many working days that begins after `day`; with 0 the day itself, or the next working
 * day.
 * @throws RangeError when the calendar has no working day within more than a year
 */
export function addWorkingDays(day: string, days: number, calendar: WorkingCalendar): string {
  let at = days === 0 ? plusDays(day, -1) : day
  for (let left = Math.max(days, 1), off = 0; left > 0; ) {
    at = plusDays(at, 1)
    if (isWorkingDay(at, calendar)) {
      left--
      off = 0
    } else if (++off > MOST_DAYS_OFF) throw new RangeError('The calendar has no working days')
  }
  return at
}

/** Number of working days after `from` up to and including `to`; negative if `to` is earlier. */
export function workingDaysBetween(from: string, to: string, calendar: WorkingCalendar): number {
  if (to < from) return -workingDaysBetween(to, from, calendar)
  let days = 0
  for (let at = plusDays(from, 1); at <= to; at = plusDays(at, 1)) if (isWorkingDay(at, calendar)) days++
  return days
}

/** Working hours in a time zone. */
export interface WorkingTime {
  timeZone: string
  /** Absent: not that day. */
  hoursOn(day: string): Hours | undefined
}

/** Working time of a branch: its week, and the days that differ from it. */
export const timeOfBranch = (week: WorkingHours | null, days: readonly Holiday[], timeZone: string): WorkingTime => ({
  timeZone,
  hoursOn: (day) => hoursOn(week, day, days),
})

/** Around-the-clock working time. */
export const ALWAYS: WorkingTime = { timeZone: 'UTC', hoursOn: () => ({ start: '00:00', end: '24:00' }) }

/** Start and end of work on a day, in milliseconds; undefined: a day off. */
function spanOn(day: string, { timeZone, hoursOn: hours }: WorkingTime): [from: number, to: number] | undefined {
  const open = hours(day)
  if (!open) return undefined
  const to = open.end === '24:00' ? momentIn(timeZone, plusDays(day, 1), '00:00') : momentIn(timeZone, day, open.end)
  return [Date.parse(momentIn(timeZone, day, open.start)), Date.parse(to)]
}

/**
 * The moment so many working minutes after `start`; with 0 the next moment of work.
 * @param start milliseconds @returns milliseconds; undefined: no working time within more than a year
 */
export function addWorkingMinutes(start: number, minutes: number, time: WorkingTime): number | undefined {
  let left = minutes * 60_000
  let day = dayIn(time.timeZone, start)
  for (let off = 0; off <= MOST_DAYS_OFF; day = plusDays(day, 1)) {
    const span = spanOn(day, time)
    const from = span && Math.max(span[0], start)
    if (!span || from === undefined || from >= span[1]) {
      off++
      continue
    }
    off = 0
    if (left <= span[1] - from) return from + left
    left -= span[1] - from
  }
  return undefined
}

/** Working minutes between two moments in milliseconds, with fractions; 0 if the second is earlier. */
export function workingMinutesBetween(from: number, to: number, time: WorkingTime): number {
  const last = dayIn(time.timeZone, to)
  let worked = 0
  for (let day = dayIn(time.timeZone, from); day <= last; day = plusDays(day, 1)) {
    const span = spanOn(day, time)
    if (span) worked += Math.max(0, Math.min(span[1], to) - Math.max(span[0], from))
  }
  return worked / 60_000
}
