import { IconPhone } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const calls = {
  icons: {
    calls: IconPhone,
  },
  screens: {
    calls: () => import('./CallsPage.tsx'),
    customerCalls: () => import('./CustomerCallsPage.tsx'),
    incomingCall: () => import('./incoming/IncomingCallPage.tsx'),
  },
} satisfies Area
