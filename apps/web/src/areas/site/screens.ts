import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  clientPages: () => import('./PagesPage.tsx'),
  clientPage: () => import('./ClientPagePage.tsx'),
  homePageStructure: () => import('./HomePage.tsx'),
  clientTheme: () => import('./ThemePage.tsx'),
  clientDocuments: () => import('./DocumentsPage.tsx'),
} satisfies Screens
