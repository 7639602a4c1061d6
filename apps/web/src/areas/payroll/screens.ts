import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  payroll: () => import('./PayrollPage.tsx'),
  payrollPeriod: () => import('./PeriodPage.tsx'),
  payrollSchemes: () => import('./SchemesPage.tsx'),
  myPayroll: () => import('./MyPayrollPage.tsx'),
} satisfies Screens
