import { BonusProgram } from './bonusProgram.ts'
import { Discount, DiscountApproval, DiscountUse, PromoCode } from './discount.ts'

/** Entities of this area. */
export const entities = [Discount, PromoCode, DiscountApproval, DiscountUse, BonusProgram] as const
