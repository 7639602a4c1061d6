import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  services: () => import('./list/ServicesPage.tsx'),
  service: () => import('./service/ServiceViewPage.tsx'),
  serviceEdit: () => import('./service/ServiceEditPage.tsx'),
  serviceUsers: () => import('./service/ServiceUsersPage.tsx'),
  servicePrices: () => import('./service/ServicePricesPage.tsx'),
  serviceDuration: () => import('./service/ServiceDurationPage.tsx'),
} satisfies Screens
