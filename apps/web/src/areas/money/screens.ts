import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  cashDesks: () => import('./desk/CashDesksPage.tsx'),
  families: () => import('./FamiliesPage.tsx'),
  cash: () => import('./desk/CashPage.tsx'),
} satisfies Screens
