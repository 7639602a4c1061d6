import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  examinations: () => import('./ExaminationsPage.tsx'),
  examination: () => import('./ExaminationPage.tsx'),
  examinationTemplates: () => import('./templates/TemplatesPage.tsx'),
  examinationTemplate: () => import('./templates/TemplatePage.tsx'),
  dictionaries: () => import('./DictionariesPage.tsx'),
} satisfies Screens
