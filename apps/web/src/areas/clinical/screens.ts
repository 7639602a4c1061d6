import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  clinicalRecommendations: () => import('./RecommendationsPage.tsx'),
} satisfies Screens
