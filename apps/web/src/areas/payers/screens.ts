import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  payers: () => import('./ContractsPage.tsx'),
  insured: () => import('./InsuredPage.tsx'),
  payerRegistries: () => import('./RegistriesPage.tsx'),
} satisfies Screens
