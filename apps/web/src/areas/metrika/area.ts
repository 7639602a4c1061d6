import { IconChartDots } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const metrika = {
  icons: {
    metrika: IconChartDots,
  },
  screens: {
    metrikaGoals: () => import('./MetrikaGoalsPage.tsx'),
    metrikaCounters: () => import('./CountersPage.tsx'),
  },
} satisfies Area
