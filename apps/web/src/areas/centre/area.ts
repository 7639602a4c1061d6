import { IconPlayerPlay } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const centre = {
  icons: {
    simulator: IconPlayerPlay,
  },
  screens: {
    simulator: () => import('./SimulatorPage.tsx'),
  },
} satisfies Area
