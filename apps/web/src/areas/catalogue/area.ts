import { IconReceipt, IconStethoscope } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const catalogue = {
  icons: {
    services: IconStethoscope,
    priceLists: IconReceipt,
  },
  screens: {
    services: () => import('./list/ServicesPage.tsx'),
    service: () => import('./service/ServiceViewPage.tsx'),
    serviceEdit: () => import('./service/ServiceEditPage.tsx'),
    serviceUsers: () => import('./service/ServiceUsersPage.tsx'),
    servicePrices: () => import('./service/ServicePricesPage.tsx'),
    serviceDuration: () => import('./service/ServiceDurationPage.tsx'),
  },
} satisfies Area
