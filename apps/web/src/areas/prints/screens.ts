import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  printTemplates: () => import('./PrintTemplatesPage.tsx'),
  printTemplate: () => import('./PrintTemplatePage.tsx'),
} satisfies Screens
