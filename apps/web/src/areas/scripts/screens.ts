import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  scripts: () => import('./ScriptsPage.tsx'),
  script: () => import('./ScriptPage.tsx'),
  newScript: () => import('./NewScriptPage.tsx'),
} satisfies Screens
