import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  patientRequests: () => import('./RequestsPage.tsx'),
  incidents: () => import('./IncidentsPage.tsx'),
  consentTemplates: () => import('./TemplatesPage.tsx'),
} satisfies Screens
