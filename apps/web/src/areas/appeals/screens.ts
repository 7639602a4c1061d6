import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  appeals: () => import('./AppealsPage.tsx'),
  promises: () => import('./PromisesPage.tsx'),
  appeal: () => import('./AppealPage.tsx'),
} satisfies Screens
