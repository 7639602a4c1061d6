import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  messages: () => import('./MessagesPage.tsx'),
  messageTemplates: () => import('./TemplatesPage.tsx'),
} satisfies Screens
