import { IconUserPlus } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const attachment = {
  icons: {
    attachment: IconUserPlus,
  },
  screens: {
    attachment: () => import('./AttachmentPage.tsx'),
    attachmentApplication: () => import('./ApplicationPage.tsx'),
  },
} satisfies Area
