/** Discounts that were quoted to a patient, and what holds of them at the visit. Pure, on both sides. */
import { type Calculation, calculate, type Question } from './calculate.ts'
import { lineRefusal } from './conditions.ts'
import type { BasketLine, Rule } from './facts.ts'

/** The end of the reason of a discount that is given because it was quoted. */
const PROMISED = 'обещано при записи'

/** True of a reason that `calculatePromised` made. */
export const isPromisedWhy = (why: string): boolean => why.endsWith(PROMISED)

/** Discounts quoted for one line of a visit. */
export interface PromisedDiscounts {
  /** Each time that a price was quoted: the discounts that could apply, as they were then. They hold together. */
  quotes: readonly (readonly Rule[])[]
  /** Percent that the author of a discount by hand could give then; null: there was none within a limit. */
  limit: number | null
  /** The card was merged since: what the other card has come and paid for takes nothing back. */
  isMerged: boolean
}

/** Promises kept of one line: the first and the latest ones. */
const MAX_QUOTES = 6

/**
 * A rule of a promise: its size and its conditions of place and time. Its services and goods stay as they were for the
 * services of the basket, and whom it is for is not asked again.
 */
const promisedRule = (rule: Rule, lines: readonly BasketLine[]): Rule => ({
  ...rule,
  status: 'active',
  uses: 0,
  customerUses: 0,
  category: null,
  groups: [],
  exceptServices: [],
  exceptGroups: [],
  tags: [],
  pensioner: false,
  staff: false,
  sources: [],
  gender: null,
  services: [
    ...new Set(lines.filter((line) => !lineRefusal({ ...rule, doctors: [] }, line)).map(({ idService }) => idService)),
  ],
})

const ofMerged = { onlyFirstVisit: false, ageFrom: null, ageTo: null, birthdayDays: null }

/**
 * Discounts of a basket of which some were promised. Each promise is calculated beside the discounts in force today; each
 * line gets the greatest. A promise holds against what the clinic changes (a discount paused, changed, archived, a card
 * merged, a tag removed) and not against what the patient changes: on a day, at an hour, in a branch or with a doctor
 * for which the discount never was it does not apply. Limits of uses hold for both: they were quoted with it.
 * @param promised of each line; undefined: nothing was promised
 */
export function calculatePromised(
  question: Question,
  promised: readonly (PromisedDiscounts | undefined)[],
): Calculation {
  const today = calculate(question)
  const { code, authority } = question
  const limits = promised.flatMap((one) => one?.limit ?? [])
  const keyOf = (rules: readonly Rule[]) => JSON.stringify(rules)
  const sets = new Map<string, { rules: readonly Rule[]; lines: Set<number> }>()
  for (const [at, one] of promised.entries())
    for (const rules of one ? [...one.quotes, ...(one.limit === null || one.quotes.length ? [] : [[]])] : []) {
      const set = sets.get(keyOf(rules)) ?? {
        rules: one?.isMerged ? rules.map((rule) => ({ ...rule, ...ofMerged })) : rules,
        lines: new Set<number>(),
      }
      sets.set(keyOf(rules), set)
      set.lines.add(at)
    }
  const lines = [...today.lines]
  let isByHand = today.needApproval.includes(null)
  for (const set of sets.values()) {
    const atPromise = calculate({
      ...question,
      rules: set.rules,
      ...(code &&
        set.rules.some(({ id }) => id === code.idDiscount) && { code: { ...code, idCustomer: null, expires: null } }),
      authority: limits.length ? { ...authority, limit: Math.max(authority.limit ?? 0, ...limits) } : authority,
    })
    if (limits.length && !atPromise.needApproval.includes(null)) isByHand = false
    for (const at of set.lines) {
      const [now, own] = [lines[at], atPromise.lines[at]]
      if (!now || !own || own.discount <= now.discount) continue
      const applied = own.applied.map((given) => ({ ...given, why: `${given.why}, ${PROMISED}` }))
      const refused = now.refused.filter(({ idDiscount }) => !applied.some((given) => given.idDiscount === idDiscount))
      lines[at] = { ...own, applied, refused }
    }
  }
  const given = new Set(lines.flatMap(({ applied }) => applied.map(({ idDiscount }) => idDiscount)))
  const needApproval = today.needApproval.filter((id) => (id === null ? isByHand : !given.has(id)))
  return { lines, needApproval }
}

/**
 * Adds the discounts that may apply to a basket to those quoted for a line.
 * @param open the discounts that may apply now
 */
export function joinQuotes(
  open: readonly Rule[],
  lines: readonly BasketLine[],
  before: PromisedDiscounts['quotes'] = [],
): PromisedDiscounts['quotes'] {
  const now = open.map((rule) => promisedRule(rule, lines)).filter(({ services }) => services.length > 0)
  const plain = (rules: readonly Rule[]) => JSON.stringify(rules.map((rule) => ({ ...rule, uses: 0, customerUses: 0 })))
  if (now.length === 0 || before.some((rules) => plain(rules) === plain(now))) return before
  const [first, ...later] = [...before, now]
  return first ? [first, ...later.slice(1 - MAX_QUOTES)] : []
}
