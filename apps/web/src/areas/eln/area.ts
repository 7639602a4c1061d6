import { IconFileCertificate, IconId } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const eln = {
  icons: {
    sosnils: IconId,
    eln: IconFileCertificate,
  },
  screens: {
    sickLeaves: () => import('./SickLeavesPage.tsx'),
    sickLeave: () => import('./SickLeavePage.tsx'),
    elnNumbers: () => import('./NumbersPage.tsx'),
  },
} satisfies Area
