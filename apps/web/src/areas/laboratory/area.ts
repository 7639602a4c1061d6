import {
  IconBuildingFactory2,
  IconChartDots,
  IconFlask,
  IconMicroscope,
  IconReportAnalytics,
  IconTestPipe,
  IconTestPipe2,
  IconTruckDelivery,
  IconVaccineBottle,
} from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const laboratory = {
  icons: {
    laboratory: IconFlask,
    labOrders: IconTestPipe,
    labKdl: IconTruckDelivery,
    labSamples: IconTestPipe2,
    labResults: IconReportAnalytics,
    labCatalog: IconVaccineBottle,
    labList: IconBuildingFactory2,
    labDevices: IconMicroscope,
    labQuality: IconChartDots,
  },
  screens: {
    laboratory: () => import('./OverviewPage.tsx'),
    labOrders: () => import('./OrdersPage.tsx'),
    newLabOrder: () => import('./NewOrderPage.tsx'),
    labOrder: () => import('./OrderPage.tsx'),
    labKdl: () => import('./KdlPage.tsx'),
    labSamples: () => import('./SamplesPage.tsx'),
    labResults: () => import('./ResultsPage.tsx'),
    labCatalog: () => import('./CatalogPage.tsx'),
    labAnalytes: () => import('./AnalytesPage.tsx'),
    labUnits: () => import('./UnitsPage.tsx'),
    labList: () => import('./LaboratoriesPage.tsx'),
    labDevices: () => import('./DevicesPage.tsx'),
    labQuality: () => import('./QualityPage.tsx'),
  },
} satisfies Area
