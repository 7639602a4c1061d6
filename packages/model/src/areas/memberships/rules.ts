/** Pure rules of memberships, in whole kopecks. */
import { formatDay, formatMoney } from '../../format.ts'
import { rubles } from '../money/rules.ts'

export const membershipUsers = { one: 'Один клиент', family: 'Семья', bearer: 'Предъявитель' } as const
export const membershipStarts = { sale: 'С продажи', visit: 'С первого визита' } as const
/** The refund formula of a type; the law asks to keep no more than what was really given (ЗоЗПП, ст. 32). */
export const refundRules = {
  share: 'Доля неиспользованного',
  list: 'Цена минус оказанное по прайс-листу',
} as const
/** Patients whose visits one membership pays for. */
export const MAX_MEMBERSHIP_USERS = 10
export const membershipStates = {
  pending: 'Оплачивается',
  waiting: 'Не начат',
  active: 'Действует',
  frozen: 'Заморожен',
  expired: 'Истёк',
  spent: 'Использован',
  returning: 'Возвращается',
  returned: 'Возвращён',
} as const
export type MembershipState = keyof typeof membershipStates

/** What a membership pays for: one service or a group with its subgroups; `qty` null: from the common balance. */
export interface Cover {
  idService: number | null
  idGroup: number | null
  qty: number | null
  /** Of a package of a treatment plan: its item, which alone is paid for. */
  idPlanItem?: number
  /** Kopecks of each visit, where the plan has prices. */
  sums?: number[]
}

/**
 * Splits a price into the shares of its visits so that they add up to it: each is the difference of running floors.
 * 1,000.00 for three equal visits: 333.33, 333.33, 333.34.
 * @param weights of the visits, above zero
 */
export function sharesOf(price: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let weight = 0
  let before = 0
  return weights.map((own) => {
    weight += own
    const until = Math.floor((price * weight) / all)
    const share = until - before
    before = until
    return share
  })
}

interface Term {
  /** Days of the whole term. */
  days: number
  dateTo: string
  frozenFrom: string | null
  frozenTo: string | null
}
const DAY = 86_400_000
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY)

/** Days of a term that are over at the end of the day before `day`; frozen days do not count. */
export function elapsedOf({ days, dateTo, frozenFrom, frozenTo }: Term, day: string): number {
  const isFrozenAhead = frozenFrom !== null && frozenTo !== null && day <= frozenTo
  const frozen = isFrozenAhead ? daysBetween(day > frozenFrom ? day : frozenFrom, frozenTo) + 1 : 0
  const left = daysBetween(day, dateTo) + 1 - frozen
  return Math.min(days, Math.max(0, days - left))
}

/** Part of the price that a term has earned. */
export const earnedOf = (price: number, elapsed: number, days: number): number =>
  Math.floor((price * Math.min(elapsed, days)) / days)

interface Refunded {
  price: number
  rule: keyof typeof refundRules
  /** Kopecks of the unused and unreserved visits. */
  unused: number
  visits: { total: number; used: number }
  /** Kopecks of the used visits at list prices. */
  listed: number
  /** The balance in the ledger: no more can be returned. */
  held: number
  /** Of a membership without a number of visits. */
  term: { elapsed: number; days: number } | null
}

/** What is returned for a membership, and how it was calculated. */
export function refundOf({ price, rule, unused, visits, listed, held, term }: Refunded): {
  sum: number
  formula: string
} {
  const money = (kopecks: number) => formatMoney(rubles(kopecks))
  if (term) {
    const earned = earnedOf(price, term.elapsed, term.days)
    const sum = Math.min(held, price - earned)
    return {
      sum,
      formula: `${money(price)} − ${money(price)} × ${term.elapsed} / ${term.days} дн. = ${money(sum)}`,
    }
  }
  if (rule === 'share')
    return {
      sum: Math.min(held, unused),
      formula: `${money(price)}: использовано ${visits.used} из ${visits.total}, не использовано на ${money(Math.min(held, unused))}`,
    }
  const sum = Math.min(held, Math.max(0, price - listed))
  return { sum, formula: `${money(price)} − ${money(listed)} (оказано по прайс-листу: ${visits.used}) = ${money(sum)}` }
}

/** Words of a membership's rest: «осталось 3 из 5, по 30.11.2026». */
export const restWords = ({
  total,
  rest,
  dateTo,
}: {
  total: number | null
  rest: number | null
  dateTo: string | null
}): string =>
  [
    total === null ? 'без ограничения посещений' : `осталось ${rest ?? 0} из ${total}`,
    dateTo && `по ${formatDay(dateTo)}`,
  ]
    .filter(Boolean)
    .join(', ')
