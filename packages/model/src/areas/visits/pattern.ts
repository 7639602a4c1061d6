import { minutesOf } from './clock.ts'

export const patternCycles = {
  week: 'По неделям',
  two: '2 через 2',
  parity: 'Чётные и нечётные дни',
  custom: 'Свой цикл',
} as const
export type PatternCycle = keyof typeof patternCycles

/**
 * A shift of a day of the cycle: in a week 0 is Monday; in «2 через 2» 0 and 1 are worked, 2 and 3 free; with even and
 * odd days of the month 0 and 1; in a custom cycle the days since its first.
 */
export interface PatternRow {
  day: number
  from: string
  to: string
  idRoom?: number | null
}

const MAX_ROWS = 124

/** Validation rule of the field. */
export function wrongRows(rows: PatternRow[]): string | undefined {
  if (!Array.isArray(rows) || rows.length === 0) return 'Добавьте хотя бы одну смену'
  if (rows.length > MAX_ROWS) return `Не больше ${MAX_ROWS} смен`
  for (const row of rows) {
    const { day, from, to } = row ?? {}
    if (!Number.isInteger(day) || day < 0 || day > 61) return 'День цикла — целое число от 0'
    if (minutesOf(String(from)) === undefined || minutesOf(String(to)) === undefined)
      return 'У смены есть начало и конец ЧЧ:ММ'
    if (from === to) return 'Конец смены должен отличаться от начала'
  }
  return undefined
}

const DAY_MS = 86_400_000
const lengths: Record<PatternCycle, number> = { week: 7, two: 4, parity: 2, custom: 0 }

/** Index of a day `YYYY-MM-DD` in the cycle. @param start the first day of a cycle, for cycles not tied to the calendar */
export function dayOfCycle(cycle: PatternCycle, day: string, start: string, length = lengths[cycle]): number {
  const date = new Date(`${day}T00:00:00Z`)
  if (cycle === 'week') return (date.getUTCDay() + 6) % 7
  if (cycle === 'parity') return date.getUTCDate() % 2
  const days = Math.round((date.getTime() - Date.parse(`${start}T00:00:00Z`)) / DAY_MS)
  const of = cycle === 'two' ? lengths.two : Math.max(1, length)
  return ((days % of) + of) % of
}
