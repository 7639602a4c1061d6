import { IconTargetArrow } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const kpi = {
  icons: {
    kpi: IconTargetArrow,
  },
  screens: {
    kpiAnalysis: () => import('./KpiAnalysisPage.tsx'),
    kpiPlans: () => import('./KpiPlansPage.tsx'),
  },
} satisfies Area
