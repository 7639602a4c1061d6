import { IconBriefcase, IconChartBar, IconFilter, IconInbox } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const sales = {
  icons: {
    deals: IconBriefcase,
    funnels: IconFilter,
    dealRequests: IconInbox,
    dealAnalytics: IconChartBar,
  },
  screens: {
    deals: () => import('./SalesPage.tsx'),
    funnels: () => import('./funnels/FunnelsPage.tsx'),
    funnel: () => import('./funnels/FunnelPage.tsx'),
    dealRequests: () => import('./requests/RequestsPage.tsx'),
    funnelAnalytics: () => import('./analytics/FunnelAnalyticsPage.tsx'),
    dealAnalytics: () => import('./analytics/LeadAnalyticsPage.tsx'),
  },
} satisfies Area
