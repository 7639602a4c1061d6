import { IconListCheck } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const start = {
  icons: {
    start: IconListCheck,
  },
  screens: {
    start: () => import('./StartPage.tsx'),
  },
} satisfies Area
