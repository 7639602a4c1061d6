/** Periods of a report: presets, the previous period, the days of a group. Pure; days are `YYYY-MM-DD`. */
import type { TimeUnit } from './report.ts'
import { plusDays } from './zone.ts'

export interface Period {
  from: string
  until: string
}

export const periodPresets = {
  today: 'Сегодня',
  yesterday: 'Вчера',
  week: 'Неделя',
  month: 'Месяц',
  lastMonth: 'Прошлый месяц',
  quarter: 'Квартал',
  year: 'Год',
} as const
export type PeriodPreset = keyof typeof periodPresets

const parts = (day: string): [number, number, number] => day.split('-').map(Number) as [number, number, number]
const dayText = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

/** The first day of the week, month, quarter or year that contains the day; weeks begin on Monday. */
export function startOf(unit: TimeUnit, day: string): string {
  const [year, month, date] = parts(day)
  if (unit === 'day') return day
  if (unit === 'week') return plusDays(day, -((new Date(Date.UTC(year, month - 1, date)).getUTCDay() + 6) % 7))
  if (unit === 'month') return dayText(year, month, 1)
  if (unit === 'quarter') return dayText(year, month - ((month - 1) % 3), 1)
  return dayText(year, 1, 1)
}

/** The last day of the period that begins on this day. */
export function endOf(unit: TimeUnit, start: string): string {
  const [year, month] = parts(start)
  if (unit === 'day') return start
  if (unit === 'week') return plusDays(start, 6)
  return dayText(year, month + (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12), 0)
}

/** Days of a preset; a current period ends today. */
export function presetPeriod(preset: PeriodPreset, today: string): Period {
  if (preset === 'today') return { from: today, until: today }
  if (preset === 'yesterday') return { from: plusDays(today, -1), until: plusDays(today, -1) }
  if (preset === 'lastMonth') {
    const until = plusDays(startOf('month', today), -1)
    return { from: startOf('month', until), until }
  }
  return { from: startOf(preset, today), until: today }
}

/** Distance to the previous period. */
export type Shift = { months: number } | { days: number }

/** A period that begins a month is compared with as many months before, any other with as many days before. */
export function shiftOf({ from, until }: Period): Shift {
  const [y1, m1, d1] = parts(from)
  const [y2, m2] = parts(until)
  if (d1 === 1) return { months: (y2 - y1) * 12 + m2 - m1 + 1 }
  return { days: (Date.parse(until) - Date.parse(from)) / 86_400_000 + 1 }
}

/** The same day so many months earlier, or the last one of a shorter month. */
function minusMonths(day: string, months: number): string {
  const [year, month, date] = parts(day)
  const last = dayText(year, month - months + 1, 0)
  const same = dayText(year, month - months, date)
  return same < last ? same : last
}

/**
 * The neighbouring period of the same length; one that begins a month consists of whole months.
 * @param step −1 the one before, 1 the one after, which ends today at the latest
 */
export function periodBeside(period: Period, step: -1 | 1, today: string): Period {
  const shift = shiftOf(period)
  if ('days' in shift)
    return { from: plusDays(period.from, step * shift.days), until: plusDays(period.until, step * shift.days) }
  const from = minusMonths(period.from, -step * shift.months)
  const until = plusDays(minusMonths(from, -shift.months), -1)
  return { from, until: step > 0 && from <= today && today < until ? today : until }
}

/** The previous period, or the same one a year earlier. */
export function periodBefore(period: Period, with_: 'previous' | 'year'): { period: Period; shift: Shift } {
  const shift: Shift = with_ === 'year' ? { months: 12 } : shiftOf(period)
  if ('days' in shift)
    return {
      shift,
      period: { from: plusDays(period.from, -shift.days), until: plusDays(period.until, -shift.days) },
    }
  const isWhole = endOf('month', startOf('month', period.until)) === period.until
  const until = minusMonths(period.until, shift.months)
  return {
    shift,
    period: {
      from: minusMonths(period.from, shift.months),
      until: isWhole ? endOf('month', startOf('month', until)) : until,
    },
  }
}

/** The days of a group within the period. */
export function bucketOf(unit: TimeUnit, start: string, period: Period): Period {
  const end = endOf(unit, start)
  return { from: start > period.from ? start : period.from, until: end < period.until ? end : period.until }
}
