import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  sickLeaves: () => import('./SickLeavesPage.tsx'),
  sickLeave: () => import('./SickLeavePage.tsx'),
  elnNumbers: () => import('./NumbersPage.tsx'),
} satisfies Screens
