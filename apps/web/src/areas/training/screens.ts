import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  training: () => import('./TrainingPage.tsx'),
} satisfies Screens
