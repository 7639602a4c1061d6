import { IconCashRegister, IconQrcode, IconUsersGroup } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const money = {
  icons: {
    cash: IconCashRegister,
    families: IconUsersGroup,
    paymentLinks: IconQrcode,
  },
  screens: {
    cashDesks: () => import('./desk/CashDesksPage.tsx'),
    families: () => import('./FamiliesPage.tsx'),
    cash: () => import('./desk/CashPage.tsx'),
  },
} satisfies Area
