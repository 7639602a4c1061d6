import { IconArrowsSplit } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const referrers = {
  icons: {
    referrers: IconArrowsSplit,
  },
  screens: {
    referrers: () => import('./ReferrersPage.tsx'),
    referrerActs: () => import('./ActsPage.tsx'),
  },
} satisfies Area
