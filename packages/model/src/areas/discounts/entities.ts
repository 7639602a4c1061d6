import { BonusProgram } from './bonusProgram.ts'
import { Discount, DiscountApproval } from './discount.ts'
import { DiscountUse } from './discountUse.ts'
import { PromoCode } from './promoCode.ts'

/** Entities of this area. */
export const entities = [Discount, PromoCode, DiscountApproval, DiscountUse, BonusProgram] as const
