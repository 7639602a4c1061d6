import { IconAdjustments, IconBroadcast, IconBuilding, IconDeviceMobile } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const settings = {
  icons: {
    mainSettings: IconAdjustments,
    company: IconBuilding,
    portal: IconDeviceMobile,
    socket: IconBroadcast,
  },
  screens: {
    settings: () => import('./front/SettingsPage.tsx'),
    mainSettings: () => import('./child/SettingsChildPage.tsx'),
    company: () => import('./child/SettingsChildPage.tsx'),
    clientSettings: () => import('./child/SettingsChildPage.tsx'),
    customersSettings: () => import('./child/SettingsChildPage.tsx'),
    warehouseSettings: () => import('./child/SettingsChildPage.tsx'),
    egisz: () => import('./child/SettingsChildPage.tsx'),
    connections: () => import('./child/SettingsChildPage.tsx'),
    backups: () => import('./child/SettingsChildPage.tsx'),
    elnSettings: () => import('./child/SettingsChildPage.tsx'),
    sosnils: () => import('./child/SettingsChildPage.tsx'),
    attachmentSettings: () => import('./child/SettingsChildPage.tsx'),
    socket: () => import('./socket/SocketPage.tsx'),
  },
} satisfies Area
