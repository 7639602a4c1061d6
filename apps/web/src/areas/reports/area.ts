import { IconReportAnalytics } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const reports = {
  icons: {
    reports: IconReportAnalytics,
  },
  screens: {
    reports: () => import('./ReportsPage.tsx'),
    reportMailings: () => import('./MailingsPage.tsx'),
    reportRollups: () => import('./RollupsPage.tsx'),
  },
} satisfies Area
