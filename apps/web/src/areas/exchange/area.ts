import { IconArrowsExchange, IconTopologyStar, IconWebhook } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const exchange = {
  icons: {
    webhooks: IconWebhook,
    integrations: IconTopologyStar,
    exchangeJournal: IconArrowsExchange,
  },
  screens: {
    webhooks: () => import('./webhooks/WebhooksPage.tsx'),
    integrations: () => import('./integrations/IntegrationsPage.tsx'),
    exchangeJournal: () => import('./journal/ExchangeJournalPage.tsx'),
  },
} satisfies Area
