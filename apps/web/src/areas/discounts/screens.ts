import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  discounts: () => import('./DiscountsPage.tsx'),
  newDiscount: () => import('./NewDiscountPage.tsx'),
  discount: () => import('./DiscountPage.tsx'),
  discountCheck: () => import('./check/DiscountCheckPage.tsx'),
  bonusPrograms: () => import('./bonuses/BonusProgramsPage.tsx'),
  discountApprovals: () => import('./ApprovalsPage.tsx'),
} satisfies Screens
