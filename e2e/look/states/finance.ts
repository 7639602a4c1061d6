/** Expenses, payroll, advertising and KPI, as the demo clinic has them. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import { registry, type State, shows, tab } from './common.ts'

export const finance = {
  expenses: registry,
  paymentLinks: [{}],
  profit: [{ open: (page) => shows(page, 'Рентабельность') }],
  expensePlan: [{ open: (page) => expect(page.getByRole('region', { name: 'План и факт' })).toBeVisible() }],
  statements: [{ open: (page) => shows(page, 'Разбирать нечего') }],
  payroll: registry,
  payrollPeriod: [
    {
      at: () => '/app/features/payroll/periods/1',
      open: (page) => expect(page.getByRole('region', { name: 'Ведомость месяца' })).toBeVisible(),
    },
    {
      name: 'табель',
      at: () => '/app/features/payroll/periods/1?tab=timesheet',
      open: (page) => expect(page.getByRole('region', { name: 'Табель' })).toBeVisible(),
    },
  ],
  payrollSchemes: registry,
  myPayroll: [{ open: (page) => shows(page, /расчётные листы/i) }],
  kpiAnalysis: [
    { open: (page) => shows(page, 'Обращение → запись') },
    { name: 'сотрудники', open: (page) => tab(page, 'Сотрудники') },
  ],
  advertising: [{ open: (page) => shows(page, 'Листовки у метро') }],
  adCampaign: [{ at: () => '/app/advertising/campaigns/1', open: (page) => shows(page, 'Потрачено') }],
} satisfies Partial<Record<PageKey, readonly State[]>>
