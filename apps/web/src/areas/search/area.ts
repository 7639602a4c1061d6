import { IconSearch } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const search = {
  icons: {
    search: IconSearch,
  },
  screens: {
    search: () => import('./SearchPage.tsx'),
  },
} satisfies Area
