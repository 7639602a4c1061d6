import { IconBuildingBank, IconBuildingHospital, IconCalendarCog, IconNumbers } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const filials = {
  icons: {
    filials: IconBuildingHospital,
    organizations: IconBuildingBank,
    sequences: IconNumbers,
    workingCalendar: IconCalendarCog,
  },
  screens: {
    attachmentAreas: () => import('./AttachmentAreasPage.tsx'),
    filials: () => import('./FilialsPage.tsx'),
    newFilial: () => import('./NewFilialPage.tsx'),
    filial: () => import('./FilialPage.tsx'),
    organizations: () => import('./OrganizationsPage.tsx'),
    sequences: () => import('./SequencesPage.tsx'),
  },
} satisfies Area
