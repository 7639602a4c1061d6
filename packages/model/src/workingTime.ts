import { type Holiday, type Hours, hoursOn, type WorkingHours } from './hours.ts'
import { dayIn, momentIn, plusDays } from './zone.ts'

/**
 * Terms in working days and in working minutes. Days follow the production calendar of Russia: a week of five days, the
 * holidays of the Labour Code (ТК ст. 112), and what the government's order moves each year, which the clinic keeps as
 * its dated dictionary (`calendar-days`). Minutes follow the hours of a branch. Pure, on both sides; days are
 * `YYYY-MM-DD`.
 */

export const dayKinds = { off: 'Выходной', work: 'Рабочий', short: 'Сокращённый' } as const
export type DayKind = keyof typeof dayKinds

/** What the dictionary says of days that the law alone would have otherwise. */
export type WorkingCalendar = ReadonlyMap<string, DayKind>

export const calendarOf = (days: readonly { day: string; kind: DayKind }[]): WorkingCalendar =>
  new Map(days.map(({ day, kind }) => [day, kind]))

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

const newYear = ['01-01', '01-02', '01-03', '01-04', '01-05', '01-06', '01-07', '01-08']
const others = ['02-23', '03-08', '05-01', '05-09', '06-12', '11-04']
const holidays = new Set([...newYear, ...others])

/** A holiday by name of the Labour Code, whatever weekday it falls on. */
export const isHoliday = (day: string): boolean => holidays.has(day.slice(5))

/** What the holidays of the Labour Code are called (ТК ст. 112). */
const holidayNames: Readonly<Record<string, string>> = {
  '01-07': 'Рождество Христово',
  '02-23': 'День защитника Отечества',
  '03-08': 'Международный женский день',
  '05-01': 'Праздник Весны и Труда',
  '05-09': 'День Победы',
  '06-12': 'День России',
  '11-04': 'День народного единства',
}

/** The holidays of a year, in order. */
export const holidaysOf = (year: number): { day: string; name: string }[] =>
  [...holidays]
    .toSorted()
    .map((date) => ({ day: `${year}-${date}`, name: holidayNames[date] ?? 'Новогодние каникулы' }))

/**
 * Whether the law alone makes it a day off: a weekend, a holiday, or the working day after a holiday that fell on a
 * weekend. Which days the weekends of the first eight days of January move to, the government says each year.
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

/** What a day is. The eve of a holiday that is worked is an hour shorter (ТК ст. 95). */
export function dayKindOf(day: string, calendar: WorkingCalendar): DayKind {
  const said = calendar.get(day)
  if (said) return said
  if (isOffByLaw(day)) return 'off'
  return isHoliday(plusDays(day, 1)) ? 'short' : 'work'
}

export const isWorkingDay = (day: string, calendar: WorkingCalendar): boolean => dayKindOf(day, calendar) !== 'off'

/** Longer than any holidays; whoever is never at work is not waited for. */
const MOST_DAYS_OFF = 400

/**
 * The last day of a term of so many working days that begins with the day after `day`; with 0 the day itself, or the
 * first working day after it.
 * @throws RangeError where the calendar has no working day within more than a year
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

/** How many working days lie after `from` up to `to`, which counts; negative where `to` is the earlier one. */
export function workingDaysBetween(from: string, to: string, calendar: WorkingCalendar): number {
  if (to < from) return -workingDaysBetween(to, from, calendar)
  let days = 0
  for (let at = plusDays(from, 1); at <= to; at = plusDays(at, 1)) if (isWorkingDay(at, calendar)) days++
  return days
}

/** When somebody is at work, by the clock of a zone. */
export interface WorkingTime {
  timeZone: string
  /** Absent: not that day. */
  hoursOn(day: string): Hours | undefined
}

/** The time at which a branch is open: its week, and the days that differ from it. */
export const timeOfBranch = (week: WorkingHours | null, days: readonly Holiday[], timeZone: string): WorkingTime => ({
  timeZone,
  hoursOn: (day) => hoursOn(week, day, days),
})

/** The time of who is always there. */
export const ALWAYS: WorkingTime = { timeZone: 'UTC', hoursOn: () => ({ start: '00:00', end: '24:00' }) }

/** From when to when a day is worked, in milliseconds; absent: it is not. */
function spanOn(day: string, { timeZone, hoursOn: hours }: WorkingTime): [from: number, to: number] | undefined {
  const open = hours(day)
  if (!open) return undefined
  const to = open.end === '24:00' ? momentIn(timeZone, plusDays(day, 1), '00:00') : momentIn(timeZone, day, open.end)
  return [Date.parse(momentIn(timeZone, day, open.start)), Date.parse(to)]
}

/**
 * The moment at which so many minutes of work will have passed since `start`; with 0 the first moment of work from then.
 * @param start milliseconds @returns milliseconds; undefined: nobody is at work within more than a year
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

/** Minutes of work from one moment to another, both in milliseconds, fractions included; 0 where the second is earlier. */
export function workingMinutesBetween(from: number, to: number, time: WorkingTime): number {
  const last = dayIn(time.timeZone, to)
  let worked = 0
  for (let day = dayIn(time.timeZone, from); day <= last; day = plusDays(day, 1)) {
    const span = spanOn(day, time)
    if (span) worked += Math.max(0, Math.min(span[1], to) - Math.max(span[0], from))
  }
  return worked / 60_000
}
