import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const kpiPages = [
  {
    key: 'kpiAnalysis',
    path: 'reports/kpi-analysis',
    title: 'KPI-анализ',
    help: 'Показатели клиники, филиалов и сотрудников: план, факт и балл',
    section: 'finance',
    icon: 'kpi',
    any: ['viewKpiReport', 'payroll'],
    menu: true,
    family: 'kpi',
  },
  {
    key: 'kpiPlans',
    path: 'reports/kpi-analysis/plans',
    title: 'Планы KPI',
    help: 'План показателя сотруднику, должности или филиалу на месяц',
    section: 'finance',
    icon: 'kpi',
    any: ['viewKpiReport', 'payroll'],
    family: 'kpi',
    entity: 'kpi/plans',
    makes: { label: 'Новый план KPI', any: ['payroll', 'mainSettings'], rare: true },
  },
  {
    key: 'kpiDefinitions',
    path: 'reports/kpi-analysis/definitions',
    title: 'Показатели KPI',
    help: 'Формулы показателей и их вес в балле',
    section: 'finance',
    icon: 'kpi',
    any: ['viewKpiReport', 'payroll'],
    family: 'kpi',
    entity: 'kpi/definitions',
    makes: { label: 'Новый показатель KPI', any: ['payroll', 'mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
