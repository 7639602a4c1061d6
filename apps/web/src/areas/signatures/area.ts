import { IconSignature } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const signatures = {
  icons: {
    crypto: IconSignature,
  },
  screens: {
    crypto: () => import('./CryptoPage.tsx'),
  },
} satisfies Area
