/** Timesheet of a month from shifts and absences; scheme by day. Pure. */
import { plusDays } from '../../zone.ts'
import { minutesOf } from '../visits/clock.ts'
import type { EventType } from '../visits/shift.ts'
import type { WorkDay } from './facts.ts'
import type { Accrual, PayOver, PayRule } from './rules.ts'

/** An event of a person's day, in the branch's time zone. */
export interface DayEvent {
  type: EventType
  localFrom: string
  localTo: string
}

const DAY = 1440
/** Night hours in minutes from midnight (ТК ст. 96: 22 to 6); the second interval ends in the next morning. */
const nights: readonly (readonly [number, number])[] = [
  [0, 360],
  [1320, 1800],
  [2760, 2880],
]

const spanOf = ({ localFrom, localTo }: DayEvent): [number, number] => {
  const from = minutesOf(localFrom) ?? 0
  const to = minutesOf(localTo) ?? 0
  return [from, to > from ? to : to + DAY]
}

/** Merged intervals in ascending order. */
function joined(spans: readonly (readonly [number, number])[]): [number, number][] {
  const found: [number, number][] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = found.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}

const without = (spans: readonly [number, number][], taken: readonly [number, number][]): [number, number][] =>
  taken.reduce<[number, number][]>(
    (left, [from, to]) =>
      left.flatMap(([a, b]): [number, number][] =>
        to <= a || from >= b
          ? [[a, b]]
          : [...(a < from ? [[a, from] as [number, number]] : []), ...(to < b ? [[to, b] as [number, number]] : [])],
      ),
    [...spans],
  )

const minutesWithin = (spans: readonly [number, number][], of: readonly (readonly [number, number])[]): number =>
  spans.reduce(
    (all, [a, b]) => all + of.reduce((some, [from, to]) => some + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0),
    0,
  )

const hoursOf = (minutes: number): number => Math.round((minutes * 100) / 60) / 100

/**
 * Worked time of a day: merged shifts minus breaks and absences. Two shifts of one day count as one (hrms #3552). A
 * shift over midnight belongs to the day it begins on.
 */
export function workOf(events: readonly DayEvent[]): Pick<WorkDay, 'hours' | 'nightHours' | 'isShift'> {
  const shifts = joined(events.filter(({ type }) => type === 'shift').map(spanOf))
  const off = joined(events.filter(({ type }) => type !== 'shift').map(spanOf))
  const worked = without(shifts, off)
  const minutes = worked.reduce((all, [a, b]) => all + b - a, 0)
  return { hours: hoursOf(minutes), nightHours: hoursOf(minutesWithin(worked, nights)), isShift: minutes > 0 }
}

/** Facts of a scheme. */
export interface SchemeFacts {
  id: number
  idUser: number | null
  idFilial: number | null
  dateFrom: string
  dateTo: string | null
  accrual: Accrual
  /** What its norms, tiers and guarantees count over. */
  over: PayOver
  rules: readonly PayRule[]
}

/** Scheme of a day: the person's before the post's, the branch's before the general one, then the later one. */
export const schemeOn = (schemes: readonly SchemeFacts[], day: string): SchemeFacts | undefined =>
  schemes
    .filter(({ dateFrom, dateTo }) => dateFrom <= day && (dateTo === null || dateTo >= day))
    .toSorted(
      (a, b) =>
        Number(b.idUser !== null) - Number(a.idUser !== null) ||
        Number(b.idFilial !== null) - Number(a.idFilial !== null) ||
        (a.dateFrom < b.dateFrom ? 1 : a.dateFrom > b.dateFrom ? -1 : b.id - a.id),
    )[0]

export interface SchemeSpan {
  scheme: SchemeFacts
  from: string
  to: string
}

/** A month divided by the schemes in force; days without one are left out. */
export function schemeSpans(schemes: readonly SchemeFacts[], from: string, to: string): SchemeSpan[] {
  const spans: SchemeSpan[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    const scheme = schemeOn(schemes, day)
    const last = spans.at(-1)
    if (last && scheme && last.scheme.id === scheme.id && last.to === plusDays(day, -1)) last.to = day
    else if (scheme) spans.push({ scheme, from: day, to: day })
  }
  return spans
}

/** Last day of a month, from its first day. */
export function lastDay(month: string): string {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at, 0)).toISOString().slice(0, 10)
}
