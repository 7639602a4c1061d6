import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  reports: () => import('./ReportsPage.tsx'),
  reportMailings: () => import('./MailingsPage.tsx'),
  reportRollups: () => import('./RollupsPage.tsx'),
} satisfies Screens
