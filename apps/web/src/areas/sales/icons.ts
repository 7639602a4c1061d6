import { IconBriefcase, IconChartBar, IconFilter, IconInbox, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  deals: IconBriefcase,
  funnels: IconFilter,
  dealRequests: IconInbox,
  dealAnalytics: IconChartBar,
} satisfies Readonly<Record<string, TablerIcon>>
