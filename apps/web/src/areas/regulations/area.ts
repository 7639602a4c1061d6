import { IconBook2 } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const regulations = {
  icons: {
    regulations: IconBook2,
  },
  screens: {
    regulations: () => import('./RegulationsPage.tsx'),
  },
} satisfies Area
