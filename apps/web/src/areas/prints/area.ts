import { IconPrinter } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const prints = {
  icons: {
    printTemplates: IconPrinter,
  },
  screens: {
    printTemplates: () => import('./PrintTemplatesPage.tsx'),
    printTemplate: () => import('./PrintTemplatePage.tsx'),
  },
} satisfies Area
