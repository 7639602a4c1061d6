import type { Page } from '../../page.ts'

const section = 'finance'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const reportsPages = [
  {
    key: 'reports',
    path: 'reports',
    title: 'Отчёты',
    help: 'Показатели клиники: каждое число раскрывается до строк, из которых сложилось',
    section,
    icon: 'reports',
    menu: true,
    any: ['viewAppealAnalytics', 'viewPaymentsReport'],
  },
  {
    key: 'reportPayments',
    path: 'reports/payments',
    title: 'Оплаты',
    help: 'Оплаты и возвраты по дням, кассам и способам, сверка с кассой',
    section,
    icon: 'reports',
    report: true,
    any: ['viewPaymentsReport'],
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const reportsHelp = {} as const satisfies Readonly<Record<string, readonly string[]>>
