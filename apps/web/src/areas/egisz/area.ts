import { IconCloudUp } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const egisz = {
  icons: {
    egisz: IconCloudUp,
  },
  screens: {
    semds: () => import('./SemdsPage.tsx'),
    egiszOperations: () => import('./OperationsPage.tsx'),
    egiszMessages: () => import('./MessagesPage.tsx'),
    egiszEvents: () => import('./EventsPage.tsx'),
    egiszEditions: () => import('./EditionsPage.tsx'),
    egiszDictionaries: () => import('./DictionariesPage.tsx'),
  },
} satisfies Area
