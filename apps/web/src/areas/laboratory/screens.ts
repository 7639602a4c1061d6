import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
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
} satisfies Screens
