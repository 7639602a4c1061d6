import { IconTicket } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const memberships = {
  icons: {
    memberships: IconTicket,
  },
  screens: {
    memberships: () => import('./MembershipsPage.tsx'),
    membershipTypes: () => import('./MembershipTypesPage.tsx'),
  },
} satisfies Area
