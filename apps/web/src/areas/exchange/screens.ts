import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  webhooks: () => import('./webhooks/WebhooksPage.tsx'),
  integrations: () => import('./integrations/IntegrationsPage.tsx'),
  exchangeJournal: () => import('./journal/ExchangeJournalPage.tsx'),
} satisfies Screens
