import { IconSchool } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const training = {
  icons: {
    training: IconSchool,
  },
  screens: {
    training: () => import('./TrainingPage.tsx'),
  },
} satisfies Area
