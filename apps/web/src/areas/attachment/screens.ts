import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  attachment: () => import('./AttachmentPage.tsx'),
  attachmentApplication: () => import('./ApplicationPage.tsx'),
} satisfies Screens
