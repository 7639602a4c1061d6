import { IconStethoscope } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const clinical = {
  icons: {
    clinical: IconStethoscope,
  },
  screens: {
    clinicalRecommendations: () => import('./RecommendationsPage.tsx'),
  },
} satisfies Area
