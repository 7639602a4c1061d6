import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const dashboard = {
  screens: {
    dashboard: () => import('./DashboardPage.tsx'),
  },
} satisfies Area
