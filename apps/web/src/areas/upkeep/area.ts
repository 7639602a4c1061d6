import { IconDatabaseExport, IconHeartbeat } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const upkeep = {
  icons: {
    backups: IconDatabaseExport,
    health: IconHeartbeat,
  },
  screens: {
    health: () => import('./HealthPage.tsx'),
  },
} satisfies Area
