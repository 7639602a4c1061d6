import { IconEyeSearch, IconUserHeart, IconUsersGroup } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const customers = {
  icons: {
    customers: IconUserHeart,
    duplicates: IconUsersGroup,
    accessLog: IconEyeSearch,
  },
  screens: {
    duplicates: () => import('./duplicates/DuplicatesPage.tsx'),
    accessLog: () => import('./access/AccessLogPage.tsx'),
  },
} satisfies Area
