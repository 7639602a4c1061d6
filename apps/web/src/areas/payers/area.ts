import { IconShieldDollar } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const payers = {
  icons: {
    payers: IconShieldDollar,
  },
  screens: {
    payers: () => import('./ContractsPage.tsx'),
    insured: () => import('./InsuredPage.tsx'),
    payerRegistries: () => import('./RegistriesPage.tsx'),
  },
} satisfies Area
