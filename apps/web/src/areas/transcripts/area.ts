import { IconFileText } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const transcripts = {
  icons: {
    transcripts: IconFileText,
  },
  screens: {
    transcripts: () => import('./TranscriptsPage.tsx'),
  },
} satisfies Area
