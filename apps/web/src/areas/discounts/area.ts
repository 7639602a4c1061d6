import { IconDiscount } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const discounts = {
  icons: {
    discounts: IconDiscount,
  },
  screens: {
    discounts: () => import('./DiscountsPage.tsx'),
    newDiscount: () => import('./NewDiscountPage.tsx'),
    discount: () => import('./DiscountPage.tsx'),
    discountCheck: () => import('./check/DiscountCheckPage.tsx'),
    bonusPrograms: () => import('./bonuses/BonusProgramsPage.tsx'),
    discountApprovals: () => import('./ApprovalsPage.tsx'),
  },
} satisfies Area
