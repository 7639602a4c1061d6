import { IconDeviceDesktopCog } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const agents = {
  icons: {
    deskAgents: IconDeviceDesktopCog,
  },
  screens: {
    deskAgents: () => import('./DeskAgentsPage.tsx'),
  },
} satisfies Area
