import { formatMoney, formatNumber } from '../../format.ts'
import { half, kopecks, rubles, scaled, split } from '../../money.ts'
import { lineRefusal, orderRefusal, sumOf } from './conditions.ts'
import { mayBePerOrder, unitOf } from './discount.ts'
import type { Authority, Basket, CodeFacts, ManualDiscount, Rule } from './facts.ts'

/** A discount applied to a line; without an id: given by hand. */
export interface Applied {
  idDiscount: number | null
  name: string
  /** Kopecks, above zero. */
  amount: bigint
  why: string
}

export interface CalculatedLine {
  /** Kopecks: `final` = `base` − `discount`, and `due` = `final` − `bonus`. */
  base: bigint
  discount: bigint
  final: bigint
  bonus: bigint
  due: bigint
  applied: readonly Applied[]
  /** Discounts not applied to this line, with the reason. */
  refused: readonly { idDiscount: number; name: string; why: string }[]
}

export interface Calculation {
  lines: readonly CalculatedLine[]
  /** Discounts that need another employee's approval first; `null` is the discount by hand. */
  needApproval: readonly (number | null)[]
}

export interface Question {
  basket: Basket
  rules: readonly Rule[]
  code?: CodeFacts | undefined
  manual?: ManualDiscount | undefined
  /** Kopecks to pay with bonuses. */
  bonus?: bigint | undefined
  authority: Authority
}

const HUNDRED = 10_000n
export const MANUAL = 'Скидка вручную'

/**
 * Price of a basket after discounts, with reasons (`screens.md` §5). Sums are whole kopecks; the result is
 * deterministic.
 *
 * Combinable discounts are applied one after another to the remainder: fixed prices, percents by priority, sums of
 * lines, then gifts and sums of the whole order. A discount that is not combinable is used alone: on a line the most
 * beneficial one applies, compared with all combinable ones together; a gift or a sum of the whole order that is not
 * combinable applies only where it gives more than all others. The discount by hand comes last, and only it is cut to
 * the employee's limit. Bonuses pay a part of the remainder.
 */
export function calculate({ basket, rules, code, manual, bonus = 0n, authority }: Question): Calculation {
  const state = new State(basket)
  const open: Rule[] = []
  const needApproval: (number | null)[] = []
  for (const rule of rules.toSorted((a, b) => b.priority - a.priority || a.id - b.id)) {
    const refusal = orderRefusal(rule, basket, code)
    if (refusal) state.refuse(rule, refusal)
    else if (rule.needApproval && !authority.approved.discounts.includes(rule.id)) {
      needApproval.push(rule.id)
      state.refuse(rule, 'Нужно согласование')
    } else open.push(rule)
  }
  const discounts = open.filter((rule) => rule.kind !== 'bonus')
  state.choose(discounts)
  if (manual) {
    state.give(null, MANUAL, state.manualAmounts(manual), manual.reason)
    if (!authority.approved.manual && state.isOver(authority.limit ?? 0)) needApproval.push(null)
  }
  if (!authority.approved.manual) {
    if (authority.limit !== null) state.cut(authority.limit)
    // No limit is set for discounts by hand: each needs another employee's approval.
    else if (manual) state.takeBack(null)
  }
  return { lines: state.answer(bestBonus(open, basket, state), bonus), needApproval }
}

type Amounts = readonly bigint[]

const total = (amounts: Amounts): bigint => amounts.reduce((sum, one) => sum + one, 0n)
const percentOf = (amount: bigint, percent: number): bigint => half(amount * scaled(percent, 2), HUNDRED)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const at = <T>(list: readonly T[], index: number): T => list[index] as T

/** A gift or a sum of the whole order is applied completely or not at all. */
const isWhole = (rule: Rule): boolean => rule.kind === 'gift' || (mayBePerOrder(rule) && rule.perOrder)

/** Order of combinable discounts. */
const turn = (rule: Rule): number =>
  rule.kind === 'fixedPrice' ? 0 : rule.kind === 'gift' ? 3 : unitOf(rule) === 'percent' ? 1 : isWhole(rule) ? 4 : 2

interface Given extends Omit<Applied, 'amount'> {
  amounts: bigint[]
}

/** State of the lines while discounts are applied. */
class State {
  readonly base: Amounts
  private given: Given[] = []
  private readonly refused: { idDiscount: number; name: string; why: string }[][]
  private readonly basket: Basket

  constructor(basket: Basket) {
    this.basket = basket
    this.base = basket.lines.map(sumOf)
    this.refused = basket.lines.map(() => [])
  }

  /** Remainder of each line. */
  private left(given: readonly Given[] = this.given): bigint[] {
    return this.base.map((sum, line) => given.reduce((rest, one) => rest - at(one.amounts, line), sum))
  }

  refuse({ id, name }: Rule, why: string, only?: (line: number) => boolean): void {
    this.refused.forEach((list, line) => {
      if (!only || only(line)) list.push({ idDiscount: id, name, why })
    })
  }

  choose(rules: readonly Rule[]): void {
    const summed = rules.filter((rule) => rule.stackable).toSorted((a, b) => turn(a) - turn(b))
    const alone = rules.filter((rule) => !rule.stackable)
    const chain: Given[] = []
    for (const rule of summed.filter((one) => !isWhole(one))) chain.push(this.offer(rule, this.left(chain)))
    const single = alone.filter((one) => !isWhole(one)).map((rule) => this.offer(rule, this.base))
    const taken = this.base.map((sum, line) => {
      const together = sum - at(this.left(chain), line)
      const best = single.reduce<Given | undefined>(
        (found, one) => (at(one.amounts, line) > (found ? at(found.amounts, line) : 0n) ? one : found),
        undefined,
      )
      return best && at(best.amounts, line) > together ? best : undefined
    })
    const usual = [
      ...chain.map((one) => only(one, (line) => at(taken, line) === undefined)),
      ...single.map((one) => only(one, (line) => at(taken, line) === one)),
    ]
    for (const rule of summed.filter(isWhole))
      usual.push(this.offer(rule, this.left(usual), (line) => at(taken, line) === undefined))
    const benefit = (given: readonly Given[]) => given.reduce((sum, one) => sum + total(one.amounts), 0n)
    const wholes = alone.filter(isWhole).map((rule) => [this.offer(rule, this.base)])
    this.given = wholes.reduce((best, one) => (benefit(one) > benefit(best) ? one : best), usual)
    this.explain(rules)
  }

  /** Records why an applicable discount is not on a line. */
  private explain(rules: readonly Rule[]): void {
    for (const rule of rules) {
      const own = this.given.find((one) => one.idDiscount === rule.id)
      this.basket.lines.forEach((line, number) => {
        if (own && at(own.amounts, number) > 0n) return
        const why = lineRefusal(rule, line) ?? 'Другая скидка выгоднее или осталось ноль'
        at(this.refused, number).push({ idDiscount: rule.id, name: rule.name, why })
      })
    }
  }

  private offer(rule: Rule, left: Amounts, among: (line: number) => boolean = () => true): Given {
    const rests = this.basket.lines.map((line, number) =>
      among(number) && !lineRefusal(rule, line) ? at(left, number) : 0n,
    )
    const amounts = this.amountsOf(rule, rests)
    const most = rule.maxDiscount === null ? undefined : kopecks(rule.maxDiscount)
    const isCapped = most !== undefined && total(amounts) > most
    return {
      idDiscount: rule.id,
      name: rule.name,
      amounts: isCapped ? split(most, amounts) : amounts,
      why: `${this.wordsOf(rule)}${isCapped ? `, не больше ${formatMoney(rule.maxDiscount)}` : ''}`,
    }
  }

  private wordsOf(rule: Rule): string {
    if (rule.kind === 'fixedPrice') return `Цена ${formatMoney(rule.value)}`
    if (rule.kind === 'gift') return `Каждая ${(rule.giftEvery ?? 0) + 1}-я в подарок`
    if (rule.kind === 'accumulative') return `${formatNumber(this.tierOf(rule))} % по накоплениям`
    if (unitOf(rule) === 'percent') return `${formatNumber(rule.value)} %`
    return `${formatMoney(rule.value)}${isWhole(rule) ? ' с заказа' : ''}`
  }

  private tierOf(rule: Rule): number {
    const paid = this.basket.customer?.paid[rule.window] ?? 0
    return rule.tiers?.findLast((tier) => tier.fromSum <= paid)?.percent ?? 0
  }

  /** @param rests kopecks left of each line that the discount applies to; 0 for the others */
  private amountsOf(rule: Rule, rests: Amounts): bigint[] {
    const value = rule.value ?? 0
    if (rule.kind === 'accumulative') return rests.map((rest) => percentOf(rest, this.tierOf(rule)))
    if (rule.kind === 'gift') return this.giftOf(rule.giftEvery ?? 0, rests)
    if (rule.kind === 'fixedPrice')
      return rests.map((rest, line) => {
        const fixed = sumOf({ quantity: at(this.basket.lines, line).quantity, price: value })
        return rest > fixed ? rest - fixed : 0n
      })
    if (unitOf(rule) === 'percent') return rests.map((rest) => percentOf(rest, value))
    const amount = kopecks(value)
    return isWhole(rule) ? split(least(amount, total(rests)), rests) : rests.map((rest) => least(amount, rest))
  }

  /** The cheapest of every `every` + 1 pieces is free; for a partly paid piece, its remainder. */
  private giftOf(every: number, rests: Amounts): bigint[] {
    const pieces = rests.map((rest, line) => (rest > 0n ? Math.floor(at(this.basket.lines, line).quantity) : 0))
    let free = Math.floor(pieces.reduce((sum, one) => sum + one, 0) / (every + 1))
    const amounts = rests.map(() => 0n)
    const cheapest = rests
      .map((_, line) => line)
      .sort((a, b) => at(this.basket.lines, a).price - at(this.basket.lines, b).price || a - b)
    for (const line of cheapest) {
      const taken = Math.min(free, at(pieces, line))
      free -= taken
      amounts[line] = half(at(rests, line) * BigInt(taken) * 1000n, scaled(at(this.basket.lines, line).quantity, 3))
    }
    return amounts
  }

  manualAmounts({ unit, value }: ManualDiscount): bigint[] {
    const left = this.left()
    if (unit === 'percent') return left.map((rest) => percentOf(rest, Math.min(value, 100)))
    return split(least(kopecks(value), total(left)), left)
  }

  give(idDiscount: number | null, name: string, amounts: bigint[], why: string): void {
    this.given.push({ idDiscount, name, amounts, why })
  }

  takeBack(idDiscount: number | null): void {
    this.given = this.given.filter((one) => one.idDiscount !== idDiscount)
  }

  /** Kopecks of the discount by hand above the employee's limit, a percent of the line's base price. */
  private over({ amounts }: { amounts: readonly bigint[] }, line: number, limit: number): bigint {
    return at(amounts, line) - percentOf(at(this.base, line), limit)
  }

  isOver(limit: number): boolean {
    return this.given.some(
      (one) => one.idDiscount === null && this.base.some((_, line) => this.over(one, line, limit) > 0n),
    )
  }

  /** Takes back the part above the employee's limit. */
  cut(limit: number): void {
    for (const one of this.given) {
      if (one.idDiscount !== null) continue
      this.base.forEach((_, line) => {
        const back = this.over(one, line, limit)
        if (back <= 0n) return
        one.amounts[line] = at(one.amounts, line) - back
        const words = `, предел сотрудника ${formatNumber(limit)} %`
        if (!one.why.endsWith(words)) one.why += words
      })
    }
  }

  answer(most: Amounts, wanted: bigint): CalculatedLine[] {
    const left = this.left()
    const bonuses = split(least(wanted, total(most)), most)
    return this.base.map((base, line) => {
      const final = at(left, line)
      const bonus = at(bonuses, line)
      return {
        base,
        discount: base - final,
        final,
        bonus,
        due: final - bonus,
        applied: this.given.flatMap(({ amounts, ...one }) => {
          const amount = at(amounts, line)
          return amount > 0n ? [{ ...one, amount }] : []
        }),
        refused: at(this.refused, line),
      }
    })
  }

  /** Maximum per line that bonuses may pay by a rule; in total at most its percent of the order. */
  bonusOf(rule: Rule): bigint[] {
    const finals = this.left().map((rest, line) => (lineRefusal(rule, at(this.basket.lines, line)) ? 0n : rest))
    const most = (total(finals) * scaled(rule.value ?? 0, 2)) / HUNDRED
    return split(rule.maxDiscount === null ? most : least(most, kopecks(rule.maxDiscount)), finals)
  }
}

const only = (given: Given, among: (line: number) => boolean): Given => ({
  ...given,
  amounts: given.amounts.map((amount, line) => (among(line) ? amount : 0n)),
})

/** Bonus amounts of the most generous rule. */
const bestBonus = (rules: readonly Rule[], basket: Basket, state: State): Amounts =>
  rules
    .filter((rule) => rule.kind === 'bonus')
    .map((rule) => state.bonusOf(rule))
    .reduce<Amounts>(
      (best, one) => (total(one) > total(best) ? one : best),
      basket.lines.map(() => 0n),
    )

/** Totals of all lines in rubles, for the response. */
export function totals({ lines }: Calculation) {
  const sum = (of: 'base' | 'discount' | 'final' | 'bonus' | 'due') => rubles(total(lines.map((line) => line[of])))
  return { base: sum('base'), discount: sum('discount'), final: sum('final'), bonus: sum('bonus'), due: sum('due') }
}
