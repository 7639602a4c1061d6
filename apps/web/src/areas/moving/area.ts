import { IconTruckDelivery } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const moving = {
  icons: {
    moving: IconTruckDelivery,
  },
  screens: {
    moving: () => import('./MovingPage.tsx'),
  },
} satisfies Area
