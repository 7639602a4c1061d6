/** Sums of payroll divided and multiplied to the kopeck: rates, tiers, shares among people. */
import { half, scaled, split } from '../../money.ts'
import type { Performer, ServiceFact, WorkDay } from './facts.ts'
import type { Accrual, PayRule } from './rules.ts'

/** Base of a percentage, in kopecks. By `paid`, a partly paid line bears the same part of its costs. */
export function baseOf(rule: Pick<PayRule, 'base' | 'lessCosts'>, accrual: Accrual, fact: ServiceFact): number {
  const { list, discounted, paid, paidNow, costs } = fact
  const whole = rule.base === 'list' ? list : discounted
  // By `paid`, a line counts in the parts that are paid.
  const part = accrual === 'paid' ? paidNow : paid
  const due = discounted
  const base =
    rule.base === 'paid'
      ? part
      : accrual === 'paid'
        ? due > 0
          ? ratio(whole, Math.min(paidNow, due), due)
          : whole
        : whole
  if (!rule.lessCosts) return base
  const bears = rule.base === 'paid' || accrual === 'paid'
  const ownCosts = bears && due > 0 ? ratio(costs, Math.min(part, due), due) : costs
  return Math.max(0, base - ownCosts)
}

/** Pay by tiers: the reached tier's rate for the whole base, or each tier's rate for its part. */
export function progressive({ tiers = [], mode }: Pick<PayRule, 'tiers' | 'mode'>, base: number): number {
  if (base <= 0) return 0
  const steps = tiers.map(({ from, rate }) => ({ from: kopecksOf(from), rate }))
  if (mode === 'whole') return percentOf(base, steps.findLast(({ from }) => base >= from)?.rate ?? 0)
  let worth = 0n
  for (const [at, { from, rate }] of steps.entries()) {
    const to = Math.min(base, steps[at + 1]?.from ?? base)
    if (to > from) worth += BigInt(to - from) * scaled(rate, 2)
  }
  return Number(half(worth, 10_000n))
}

export function isAmong({ services, groups }: PayRule, { idService, idGroup }: ServiceFact): boolean {
  if (!services?.length && !groups?.length) return true
  return (services?.includes(idService) ?? false) || (idGroup !== null && (groups?.includes(idGroup) ?? false))
}

export const rateOf = (rule: PayRule, performer: Performer): number =>
  (rule.ownRate === false ? null : performer.own) ?? rule.rate ?? 0

/** A performer's share of a sum, to the kopeck; the largest share gets the rest. */
export function shareOf(sum: number, { performers }: ServiceFact, at: number): number {
  if (performers.length === 1) return sum
  return (
    sharesOf(
      sum,
      performers.map(({ share }) => scaled(share, 2)),
    )[at] ?? 0
  )
}

/** A sum in proportion to weights. `split` never shares out more than the sum of the weights, so they are scaled up. */
export function sharesOf(sum: number, weights: readonly bigint[]): number[] {
  const whole = weights.reduce((all, one) => all + one, 0n)
  if (whole === 0n) return weights.map(() => 0)
  const sign = sum < 0 ? -1 : 1
  const large = weights.map((one) => one * (BigInt(Math.abs(sum)) + 1n))
  return split(BigInt(Math.abs(sum)), large).map((one) => Number(one) * sign)
}

export const equalShare = (sum: number, people: readonly number[], idUser: number): number =>
  sharesOf(
    sum,
    people.map(() => 1n),
  )[people.indexOf(idUser)] ?? 0

export const kopecksOf = (rubles = 0): number => Number(scaled(rubles, 2))

export const hundredths = (value: number): number => Number(scaled(value, 2))

/** value × of / by, rounded half away from zero. */
export function ratio(value: number, of: number, by: number): number {
  const product = BigInt(value) * BigInt(of)
  const rounded = half(product < 0n ? -product : product, BigInt(by))
  return Number(product < 0n ? -rounded : rounded)
}

export const percentOf = (base: number, rate: number): number => ratio(base, hundredths(rate), 10_000)

/** Hundredths of an hour, weighted by factors in hundredths. */
export function hoursWorth(
  { nightFactor = 1, holidayFactor = 1 }: PayRule,
  { hours, nightHours, isHoliday }: WorkDay,
): bigint {
  const day = scaled(hours, 2) - scaled(nightHours, 2)
  const worth = day * 100n + scaled(nightHours, 2) * scaled(nightFactor, 2)
  return isHoliday ? half(worth * scaled(holidayFactor, 2), 100n) : worth
}
