import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  deals: () => import('./SalesPage.tsx'),
  funnels: () => import('./funnels/FunnelsPage.tsx'),
  funnel: () => import('./funnels/FunnelPage.tsx'),
  dealRequests: () => import('./requests/RequestsPage.tsx'),
  funnelAnalytics: () => import('./analytics/FunnelAnalyticsPage.tsx'),
  dealAnalytics: () => import('./analytics/LeadAnalyticsPage.tsx'),
} satisfies Screens
