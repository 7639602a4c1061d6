import { IconEyeSearch, IconUserHeart, IconUsersGroup } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/areas.ts` lists the areas. */
export const customers = {
  icons: {
    customers: IconUserHeart,
    duplicates: IconUsersGroup,
    accessLog: IconEyeSearch,
  },
  screens: {
    customers: () => import('./CustomersPage.tsx'),
    duplicates: () => import('./duplicates/DuplicatesPage.tsx'),
    accessLog: () => import('./access/AccessLogPage.tsx'),
    customer: () => import('./card/CustomerPage.tsx'),
  },
} satisfies Area
