import { dayIn, wallOf } from './zone.ts'

/** Opening hours: a week, and days that differ from it. Pure, on both sides. */

export const weekdays = {
  monday: 'Понедельник',
  tuesday: 'Вторник',
  wednesday: 'Среда',
  thursday: 'Четверг',
  friday: 'Пятница',
  saturday: 'Суббота',
  sunday: 'Воскресенье',
} as const
export type Weekday = keyof typeof weekdays
export const weekdayNames = Object.keys(weekdays) as Weekday[]
const short: Record<Weekday, string> = {
  monday: 'пн',
  tuesday: 'вт',
  wednesday: 'ср',
  thursday: 'чт',
  friday: 'пт',
  saturday: 'сб',
  sunday: 'вс',
}

/** `HH:mm` in the branch's zone; a day may end at `24:00`. */
export interface Hours {
  start: string
  end: string
}
/** An absent day, or null, is a day off. */
export type WorkingHours = { [D in Weekday]?: Hours | null }

/** A day that differs from its weekday: closed, or with other hours. */
export interface Holiday {
  /** YYYY-MM-DD */
  day: string
  start: string | null
  end: string | null
}

const CLOCK = /^(([01]\d|2[0-3]):[0-5]\d)$/
const isStart = (value: unknown): value is string => typeof value === 'string' && CLOCK.test(value)
const isEnd = (value: unknown): value is string => isStart(value) || value === '24:00'

/** The error in the hours of one day, in Russian. */
export function hoursError({ start, end }: { [N in keyof Hours]?: unknown }): string | undefined {
  if (!isStart(start)) return 'начало должно быть временем ЧЧ:ММ'
  if (!isEnd(end)) return 'конец должен быть временем ЧЧ:ММ'
  return end > start ? undefined : 'конец работы должен быть позже начала'
}

/** The rule of the field: the error in a week, with the name of the day. */
export function workingHoursError(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Нужны часы по дням недели'
  for (const [day, hours] of Object.entries(value as Record<string, unknown>)) {
    if (!Object.hasOwn(weekdays, day)) return `Неизвестный день недели: ${day.slice(0, 32)}`
    if (hours === null) continue
    const { start, end, ...more } = (typeof hours === 'object' ? hours : {}) as Record<string, unknown>
    const wrong = Object.keys(more).length ? 'у дня есть только начало и конец' : hoursError({ start, end })
    if (wrong) return `${weekdays[day as Weekday]}: ${wrong}`
  }
  return undefined
}

/** The weekday of a day YYYY-MM-DD. */
export const weekdayOf = (day: string): Weekday =>
  weekdayNames[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] as Weekday

/** Opening hours on a day; undefined: closed. A holiday takes precedence over the week. */
export function hoursOn(week: WorkingHours | null, day: string, holidays: readonly Holiday[] = []): Hours | undefined {
  const holiday = holidays.find((one) => one.day === day)
  if (holiday) return holiday.start && holiday.end ? { start: holiday.start, end: holiday.end } : undefined
  return week?.[weekdayOf(day)] ?? undefined
}

/** «08:00–20:00», «круглосуточно». */
export const hoursText = ({ start, end }: Hours): string =>
  start === '00:00' && end === '24:00' ? 'круглосуточно' : `${start}–${end}`

/** State of a branch at a local time: «открыт до 20:00», «откроется в 08:00», «сегодня выходной». */
export function openText(
  {
    week,
    days,
    timeZone,
  }: { week: WorkingHours | null; days?: readonly (Holiday & { reason?: string })[]; timeZone: string },
  moment: Date,
): { open: boolean; text: string } {
  const day = dayIn(timeZone, moment)
  const hours = hoursOn(week, day, days)
  const reason = days?.find((one) => one.day === day)?.reason
  const why = reason ? ` (${reason})` : ''
  if (!hours) return { open: false, text: `сегодня выходной${why}` }
  const now = new Date(wallOf(moment.getTime(), timeZone)).toISOString().slice(11, 16)
  if (now < hours.start) return { open: false, text: `откроется в ${hours.start}${why}` }
  if (now >= hours.end) return { open: false, text: `закрыт с ${hours.end}${why}` }
  return { open: true, text: `${hours.end === '24:00' ? 'открыт' : `открыт до ${hours.end}`}${why}` }
}

/** The week as text, with equal consecutive days joined: «пн–пт 08:00–20:00, сб 09:00–15:00, вс выходной». */
export function weekText(week: WorkingHours): string {
  const words = weekdayNames.map((day) => {
    const hours = week[day]
    return hours ? hoursText(hours) : 'выходной'
  })
  const parts: string[] = []
  for (let from = 0; from < words.length; ) {
    let to = from
    while (words[to + 1] === words[from]) to++
    const [first, last] = [weekdayNames[from], weekdayNames[to]].map((day) => short[day as Weekday])
    parts.push(`${first === last ? first : from === 0 && to === 6 ? 'ежедневно' : `${first}–${last}`} ${words[from]}`)
    from = to + 1
  }
  return parts.join(', ')
}
