import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  customers: () => import('./CustomersPage.tsx'),
  duplicates: () => import('./duplicates/DuplicatesPage.tsx'),
  accessLog: () => import('./access/AccessLogPage.tsx'),
  customer: () => import('./card/CustomerPage.tsx'),
} satisfies Screens
