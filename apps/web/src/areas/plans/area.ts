import { IconClipboardHeart } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const plans = {
  icons: {
    plans: IconClipboardHeart,
  },
  screens: {
    customerPlans: () => import('./PlansPage.tsx'),
    customerPlan: () => import('./PlanPage.tsx'),
  },
} satisfies Area
