import { IconBooks, IconForms, IconReportMedical } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const examinations = {
  icons: {
    examinations: IconReportMedical,
    examinationTemplates: IconForms,
    dictionaries: IconBooks,
  },
  screens: {
    examinations: () => import('./ExaminationsPage.tsx'),
    examination: () => import('./ExaminationPage.tsx'),
    examinationTemplates: () => import('./templates/TemplatesPage.tsx'),
    examinationTemplate: () => import('./templates/TemplatePage.tsx'),
    dictionaries: () => import('./DictionariesPage.tsx'),
  },
} satisfies Area
