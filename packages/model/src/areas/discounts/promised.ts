/** Discounts that a patient was told, and what holds of them at the visit. Pure, on both sides. */
import { type Calculation, calculate, type Question } from './calculate.ts'
import type { BasketLine, Rule } from './facts.ts'

/** The end of the reason of a discount that is given because it was told. */
const PROMISED = 'обещано при записи'

/** True of a reason that `calculatePromised` made. */
export const isPromisedWhy = (why: string): boolean => why.endsWith(PROMISED)

/** What was told of one line of a visit. */
export interface PromisedDiscounts {
  /** The discounts that applied, as they were then. */
  rules: readonly Rule[]
  /** Percent that the author of a discount by hand could give then; null: there was none within a limit. */
  limit: number | null
  /** The card was merged since: what the other card has come and paid for takes nothing back. */
  isMerged: boolean
}

/** A rule of a promise: its size and its conditions of place and time, without those that the clinic may change. */
const promisedRule = (rule: Rule): Rule => ({
  ...rule,
  status: 'active',
  category: null,
  services: [],
  groups: [],
  exceptServices: [],
  exceptGroups: [],
  tags: [],
  pensioner: false,
  staff: false,
  sources: [],
  gender: null,
})

/**
 * Discounts of a basket of which some were promised. The promise is calculated beside the discounts in force today; each
 * line gets the greater of both. A promise holds against what the clinic changes (a discount paused, changed, deleted, a
 * card merged, a tag removed) and not against what the patient changes: on a day, at an hour, in a branch or with a doctor
 * for which the discount never was it does not apply. Limits of uses hold for both: they were told with it.
 * @param promised of each line; undefined: nothing was promised
 */
export function calculatePromised(
  question: Question,
  promised: readonly (PromisedDiscounts | undefined)[],
): Calculation {
  const today = calculate(question)
  if (!promised.some((one) => one && (one.rules.length > 0 || one.limit !== null))) return today
  const { basket, code, authority } = question
  const rules = new Map<number, Rule>()
  const named = new Map<number, number[]>()
  for (const [at, one] of promised.entries())
    for (const rule of one?.rules ?? []) {
      const merged = one?.isMerged ? { onlyFirstVisit: false, ageFrom: null, ageTo: null, birthdayDays: null } : {}
      const services = [...(named.get(rule.id) ?? []), (basket.lines[at] as BasketLine).idService]
      named.set(rule.id, services)
      rules.set(rule.id, { ...rule, ...merged, services })
    }
  const byCode = code && rules.has(code.idDiscount)
  const limits = promised.flatMap((one) => one?.limit ?? [])
  const told = calculate({
    ...question,
    rules: [...rules.values()],
    ...(byCode && { code: { ...code, idCustomer: null, expires: null } }),
    authority: limits.length ? { ...authority, limit: Math.max(authority.limit ?? 0, ...limits) } : authority,
  })
  const isManualToday = today.needApproval.includes(null)
  const lines = today.lines.map((line, at) => {
    const own = told.lines[at]
    const one = promised[at]
    if (!own || !one || own.discount <= line.discount) return line
    if (own.applied.some(({ idDiscount }) => idDiscount !== null && !one.rules.some(({ id }) => id === idDiscount)))
      return line
    const applied = own.applied.map((given) => {
      const isNew = !line.applied.some((now) => now.idDiscount === given.idDiscount && now.amount === given.amount)
      return isNew ? { ...given, why: `${given.why}, ${PROMISED}` } : given
    })
    const refused = line.refused.filter(
      ({ idDiscount }) => !own.applied.some((given) => given.idDiscount === idDiscount),
    )
    return { ...own, applied, refused }
  })
  const given = new Set(lines.flatMap(({ applied }) => applied.map(({ idDiscount }) => idDiscount)))
  return {
    lines,
    needApproval: today.needApproval.filter((id) =>
      id === null ? isManualToday && (limits.length === 0 || told.needApproval.includes(null)) : !given.has(id),
    ),
  }
}

/** The discounts that a calculation gives a line, as they are kept with a promise: those told before stay as they were. */
export function toldRules(
  { lines }: Calculation,
  at: number,
  rules: readonly Rule[],
  before: readonly Rule[] = [],
): Rule[] {
  const found = new Map(before.map((rule) => [rule.id, rule]))
  for (const { idDiscount, why } of lines[at]?.applied ?? []) {
    const rule = rules.find(({ id }) => id === idDiscount)
    if (rule && !isPromisedWhy(why)) found.set(rule.id, promisedRule(rule))
  }
  return [...found.values()]
}
