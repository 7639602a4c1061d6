import { IconFileDollar, IconWallet } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const payroll = {
  icons: {
    payroll: IconWallet,
    payslip: IconFileDollar,
  },
  screens: {
    payroll: () => import('./PayrollPage.tsx'),
    payrollPeriod: () => import('./PeriodPage.tsx'),
    payrollSchemes: () => import('./SchemesPage.tsx'),
    myPayroll: () => import('./MyPayrollPage.tsx'),
  },
} satisfies Area
