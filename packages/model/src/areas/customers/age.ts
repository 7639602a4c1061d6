import { counted } from '../../format.ts'

const YEARS = ['год', 'года', 'лет'] as const
const MONTHS = ['месяц', 'месяца', 'месяцев'] as const
const DAYS = ['день', 'дня', 'дней'] as const
/** Years from which an age has no months, and years above which it is taken for a mistake (spec §3). */
const WITHOUT_MONTHS = 3
const OLDEST = 150

/**
 * An age in words (spec §3): «5 месяцев 12 дней» under a year, «2 года 3 месяца» under three, then «41 год».
 * @param birthday DD.MM.YYYY
 * @param today the reader's current day, YYYY-MM-DD
 * @returns '' over 150 years, for a future day and for an invalid date
 */
export function ageText(birthday: string | null | undefined, today: string): string {
  const born = dayOf(birthday)
  if (!born) return ''
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const age = between(born, { year, month, day })
  if (!age || age.years > OLDEST) return ''
  if (age.years >= WITHOUT_MONTHS) return counted(age.years, YEARS)
  if (age.years >= 1) return joined([age.years, YEARS], [age.months, MONTHS])
  return joined([age.months, MONTHS], [age.days, DAYS]) || counted(0, DAYS)
}

/** Whole years of age on a day; undefined for a future birthday and for an invalid date. */
export function yearsOn(birthday: string, today: string): number | undefined {
  const born = dayOf(birthday)
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  return born && between(born, { year, month, day })?.years
}

interface Day {
  year: number
  month: number
  day: number
}

function dayOf(birthday: string | null | undefined): Day | undefined {
  const parts = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(birthday ?? '')
  if (!parts) return undefined
  const [day, month, year] = parts.slice(1).map(Number) as [number, number, number]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? { year, month, day } : undefined
}

/** Whole years, months and days; for a birth on the 31st or on 29 February a short month is complete on its last day. */
function between(from: Day, to: Day): { years: number; months: number; days: number } | undefined {
  const reached = (year: number, month: number) => Math.min(from.day, daysIn(year, month))
  let months = (to.year - from.year) * 12 + to.month - from.month
  let days = to.day - reached(to.year, to.month)
  if (days < 0) {
    months--
    const [year, month] = to.month === 1 ? [to.year - 1, 12] : [to.year, to.month - 1]
    days = daysIn(year, month) - reached(year, month) + to.day
  }
  return months < 0 ? undefined : { years: Math.floor(months / 12), months: months % 12, days }
}

function daysIn(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

const joined = (...parts: [number, readonly [string, string, string]][]): string =>
  parts
    .filter(([value]) => value > 0)
    .map(([value, forms]) => counted(value, forms))
    .join(' ')
