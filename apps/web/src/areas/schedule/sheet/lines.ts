import type { VisitStatus } from '@ordinator/model/areas/visits/rules'
import { takesTime } from '@ordinator/model/areas/visits/rules'
import { type DayVisit, startOf } from '../day.ts'
import { isExpected } from '../statuses.ts'

/** Filters of the day sheet. */
export const sheetFilters = {
  all: 'Все',
  expected: 'Придут',
  late: 'Опаздывают',
  waits: 'Ждут',
  inside: 'На приёме',
  came: 'Пришли',
  absent: 'Не пришли',
} as const
export type SheetFilter = keyof typeof sheetFilters

/** A line of the day sheet: a visit with all its coupons. */
export interface SheetLine {
  visit: DayVisit
  /** All coupons by time. */
  coupons: DayVisit[]
  late: boolean
  /** Minutes since arrival, until called. */
  wait: number | undefined
  /** Unpaid rubles; undefined without the right. */
  owed: number | undefined
  /** Paid rubles; undefined without the right. */
  paid: number | undefined
}

/** Minutes of waiting from which it is shown in red. */
export const LONG_WAIT = 15

/** Lines by time. @param now local time of the branch, and the moment (for waiting times) */
export function linesOf(
  visits: readonly DayVisit[],
  now: { today: string; minute: number; moment: number },
): SheetLine[] {
  return [...Map.groupBy(visits, ({ idAppointment }) => idAppointment).values()]
    .map((some) => {
      const coupons = some.toSorted((a, b) => startOf(a) - startOf(b) || a.id - b.id)
      const visit = coupons[0] as DayVisit
      const late =
        isExpected(visit.visitStatus) &&
        (visit.localDate < now.today || (visit.localDate === now.today && startOf(visit) < now.minute))
      const wait =
        visit.visitStatus === 'arrived' && visit.dateArrived
          ? Math.max(0, Math.floor((now.moment - Date.parse(visit.dateArrived)) / 60_000))
          : undefined
      const isKnown = coupons.every(({ due }) => due !== null)
      const unpaid = coupons.map(({ due, paid }) => Math.max(0, Math.round(((due ?? 0) - (paid ?? 0)) * 100)))
      // A visit that takes no time has nothing to pay.
      const kopecks = takesTime(visit.visitStatus) ? unpaid.reduce((sum, one) => sum + one, 0) : 0
      const owed = isKnown ? kopecks / 100 : undefined
      const paid = isKnown ? Math.round(coupons.reduce((sum, one) => sum + (one.paid ?? 0), 0) * 100) / 100 : undefined
      return { visit, coupons, late, wait, owed, paid }
    })
    .sort((a, b) => startOf(a.visit) - startOf(b.visit) || a.visit.idAppointment - b.visit.idAppointment)
}

/** Next patient to call: of the arrived ones the earliest time, then the longest wait. */
export const nextOf = (lines: readonly SheetLine[]): SheetLine | undefined =>
  lines
    .filter(({ visit }) => visit.visitStatus === 'arrived')
    .toSorted((a, b) => startOf(a.visit) - startOf(b.visit) || (b.wait ?? 0) - (a.wait ?? 0))[0]

const has =
  (...some: VisitStatus[]) =>
  ({ visit }: SheetLine): boolean =>
    some.includes(visit.visitStatus)

const tests: Record<SheetFilter, (line: SheetLine) => boolean> = {
  all: ({ visit }) => takesTime(visit.visitStatus) || visit.visitStatus === 'noShow',
  expected: has('booked', 'confirmed'),
  late: ({ late }) => late,
  waits: has('arrived'),
  inside: has('inProgress'),
  came: has('arrived', 'inProgress', 'completed'),
  absent: has('noShow'),
}

export const fits = (filter: SheetFilter, line: SheetLine): boolean => tests[filter](line)
