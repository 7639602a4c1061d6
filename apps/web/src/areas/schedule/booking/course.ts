import { MAX_SERIES } from '@ordinator/model/areas/visits/visit'
import { plusDays } from '@ordinator/model/zone'

export const courseWays = {
  day: 'Каждый день',
  weekday: 'По будням',
  second: 'Через день',
  week: 'Раз в неделю',
} as const
export type CourseWay = keyof typeof courseWays

/** One visit of a course, by the clock of its branch. */
export interface CourseDay {
  localDate: string
  localStart: string
}

const isWeekend = (day: string): boolean => new Date(day).getUTCDay() % 6 === 0
const steps = { day: 1, weekday: 1, second: 2, week: 7 } as const satisfies Record<CourseWay, number>

/** So many days `YYYY-MM-DD` of a course, from the first of them on. */
export function courseDays(first: string, count: number, way: CourseWay): string[] {
  const days = [first]
  for (let day = first; days.length < Math.min(count, MAX_SERIES); ) {
    day = plusDays(day, steps[way])
    if (way !== 'weekday' || !isWeekend(day)) days.push(day)
  }
  return days
}
