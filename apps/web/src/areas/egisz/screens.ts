import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  semds: () => import('./SemdsPage.tsx'),
  egiszOperations: () => import('./OperationsPage.tsx'),
  egiszMessages: () => import('./MessagesPage.tsx'),
  egiszEvents: () => import('./EventsPage.tsx'),
  egiszEditions: () => import('./EditionsPage.tsx'),
  egiszDictionaries: () => import('./DictionariesPage.tsx'),
} satisfies Screens
