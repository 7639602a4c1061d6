import { IconMessages } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const scripts = {
  icons: {
    scripts: IconMessages,
  },
  screens: {
    scripts: () => import('./ScriptsPage.tsx'),
    script: () => import('./ScriptPage.tsx'),
    newScript: () => import('./NewScriptPage.tsx'),
  },
} satisfies Area
