import { IconSend, IconTemplate } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const messages = {
  icons: {
    messages: IconSend,
    messageTemplates: IconTemplate,
  },
  screens: {
    messages: () => import('./MessagesPage.tsx'),
    messageTemplates: () => import('./TemplatesPage.tsx'),
  },
} satisfies Area
