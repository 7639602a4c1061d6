import { IconWorld } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const site = {
  icons: {
    site: IconWorld,
  },
  screens: {
    clientPages: () => import('./PagesPage.tsx'),
    clientPage: () => import('./ClientPagePage.tsx'),
    homePageStructure: () => import('./HomePage.tsx'),
    clientTheme: () => import('./ThemePage.tsx'),
    clientDocuments: () => import('./DocumentsPage.tsx'),
  },
} satisfies Area
