import { MAX_SERIES } from '@ordinator/model/areas/visits/visit'
import { plusDays } from '@ordinator/model/zone'

export const courseWays = {
  day: 'Каждый день',
  weekday: 'По будням',
  second: 'Через день',
  week: 'Раз в неделю',
} as const
export type CourseWay = keyof typeof courseWays

/** A visit of a course, in the branch's time zone. */
export interface CourseDay {
  localDate: string
  localStart: string
}

const isWeekend = (day: string): boolean => new Date(day).getUTCDay() % 6 === 0
const steps = { day: 1, weekday: 1, second: 2, week: 7 } as const satisfies Record<CourseWay, number>

/** Days `YYYY-MM-DD` of a course, starting with the first. */
export function courseDays(first: string, count: number, way: CourseWay): string[] {
  const days = [first]
  for (let day = first; days.length < Math.min(count, MAX_SERIES); ) {
    day = plusDays(day, steps[way])
    if (way !== 'weekday' || !isWeekend(day)) days.push(day)
  }
  return days
}
