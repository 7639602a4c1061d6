import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  attachmentAreas: () => import('./AttachmentAreasPage.tsx'),
  filials: () => import('./FilialsPage.tsx'),
  newFilial: () => import('./NewFilialPage.tsx'),
  filial: () => import('./FilialPage.tsx'),
  organizations: () => import('./OrganizationsPage.tsx'),
  sequences: () => import('./SequencesPage.tsx'),
} satisfies Screens
