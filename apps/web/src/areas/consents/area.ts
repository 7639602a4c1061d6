import { IconAlertOctagon, IconMailQuestion, IconWritingSign } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const consents = {
  icons: {
    patientRequests: IconMailQuestion,
    incidents: IconAlertOctagon,
    consents: IconWritingSign,
  },
  screens: {
    patientRequests: () => import('./RequestsPage.tsx'),
    incidents: () => import('./IncidentsPage.tsx'),
    consentTemplates: () => import('./TemplatesPage.tsx'),
  },
} satisfies Area
