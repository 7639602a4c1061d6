/** Input and results of payroll. */
import type { Accrual, PayRule, RuleType } from './rules.ts'

/** A provided service. For `paid` schemes `paid` is the money received for it in the month. Sums in kopecks. */
export interface ServiceFact {
  idLine: number
  idService: number
  idGroup: number | null
  isProduct: boolean
  /** Day that it counts on by `done`; null: provided in another month. */
  doneDay: string | null
  /** Last day of the month with a payment for it; null: none. */
  paidDay: string | null
  /** Thousandths. */
  qty: number
  list: number
  discounted: number
  /** Total paid for it, and the part of this month. */
  paid: number
  paidNow: number
  /** Costs of materials and laboratory, for the whole line. */
  costs: number
  performers: readonly Performer[]
  /** The referring employee; never a performer. */
  idReferrer: number | null
  assistants: readonly number[]
  /** The employee who booked the visit. */
  idAuthor: number | null
}

export interface Performer {
  idUser: number
  /** Percent, to the hundredth. */
  share: number
  /** The performer's percentage from the catalogue. */
  own: number | null
}

/** A work day of the timesheet; hours to the hundredth. */
export interface WorkDay {
  day: string
  hours: number
  nightHours: number
  isHoliday: boolean
  /** A counted shift began that day; two on one day count once. */
  isShift: boolean
}

export interface SchemeInForce {
  idScheme: number
  accrual: Accrual
  /**
   * First and last days of the periods in which the scheme applies, in order; another scheme may apply between them.
   */
  spans: readonly { from: string; to: string }[]
  /** The branch that pays what is due once per person: a whole salary, KPI, a guarantee. */
  isHome: boolean
  /**
   * Norms, tiers and guarantees count over all branches of the person (`MonthFacts.elsewhere`), and this branch pays its
   * share; absent: over this branch alone.
   */
  isShared?: boolean
  rules: readonly PayRule[]
}

export interface PersonFacts {
  idUser: number
  /** Distinct, without overlaps. */
  schemes: readonly SchemeInForce[]
  days: readonly WorkDay[]
  /** The person's bookings of the month with a visit that took place. */
  bookings: readonly { idAppointment: number; day: string }[]
  /** KPI score, 1 is 100 %; null: no plans. */
  score: number | null
}

export interface MonthFacts {
  idFilial?: number
  /** The same month in the other branches of people with shared schemes. */
  elsewhere?: readonly MonthFacts[]
  /** First and last day. */
  from: string
  to: string
  /** By the production calendar. */
  normHours: number
  normDays: number
  /** Revenue of the branch from provided services, kopecks. */
  revenue: number
  people: readonly PersonFacts[]
  services: readonly ServiceFact[]
}

export interface CalculatedLine {
  idUser: number
  idScheme: number
  rule: string
  type: RuleType
  name: string
  idCouponService: number | null
  day: string | null
  /** Kopecks; by `unit`, hundredths of hours or shifts. */
  base: number
  /** Percent, or rubles per unit, to the hundredth. */
  rate: number
  sum: number
}
