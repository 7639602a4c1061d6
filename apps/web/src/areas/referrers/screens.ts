import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  referrers: () => import('./ReferrersPage.tsx'),
  referrerActs: () => import('./ActsPage.tsx'),
} satisfies Screens
