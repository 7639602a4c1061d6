import type { Area } from '#records/area.ts'
import { applyDiscounts, calculateDiscounts, discountUses, reverseUses } from './apply.ts'
import { approvals, decide } from './approvals.ts'
import { generateCodes, promoCodes } from './codes.ts'
import { demo } from './demo.ts'
import { copyDiscount, discountRecords } from './discounts.ts'
import { bonusPrograms } from './programs.ts'

export { give, reverseOrder } from './apply.ts'
export { givesAgreed } from './approvals.ts'
export { lockRules } from './discounts.ts'
export { estimateOf, type QuotedLine, quoteOf, reasonsOf } from './estimate.ts'
export { type Asked, ask, askEach, type Bill, bonusRates, bonusShares } from './question.ts'
export { limitOf } from './questionFacts.ts'

/** Discounts: conditions, scope, recipients, amounts, and all uses. */
export const discounts: Area = {
  name: 'discounts',
  title: 'Скидки',
  records: [discountRecords, promoCodes, approvals, discountUses, bonusPrograms],
  operations: [calculateDiscounts, applyDiscounts, reverseUses, copyDiscount, generateCodes, decide],
  demo,
}
