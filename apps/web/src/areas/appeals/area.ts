import { IconHeartHandshake, IconMessageReport } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const appeals = {
  icons: {
    appeals: IconMessageReport,
    promises: IconHeartHandshake,
  },
  screens: {
    appeals: () => import('./AppealsPage.tsx'),
    promises: () => import('./PromisesPage.tsx'),
    appeal: () => import('./AppealPage.tsx'),
  },
} satisfies Area
