/**
 * Dashboard blocks with figures of a report: same declaration, same call, same numbers. An area adds a line here; the
 * block is offered to users with access to the report.
 */

import type { PeriodPreset } from '../../reportPeriod.ts'
import type { CompareWith } from '../../reportWire.ts'

export interface ReportWidget {
  title: string
  /** Key of the report. */
  report: string
  period: PeriodPreset
  /** Groupings; absent: only totals. */
  by?: readonly string[]
  compare?: CompareWith
  /** Measures shown as numbers; the first is the largest. */
  measures: readonly string[]
  /** Number of groups listed below with the first measure; 0: none. */
  rows?: number
  /** Charts the first measure over time. */
  chart?: true
  /** Paths of the records whose changes show at once; other changes show within a minute. */
  live: readonly string[]
}

const money = ['coupon-services', 'payments']
const visits = ['appointments', 'payments']

const widget = (one: ReportWidget): ReportWidget => one

export const reportWidgets = {
  revenueToday: widget({
    title: 'Выручка сегодня',
    report: 'revenue',
    period: 'today',
    measures: ['paid', 'check', 'visits'],
    live: money,
  }),
  revenueMonth: widget({
    title: 'Выручка с начала месяца',
    report: 'revenue',
    period: 'month',
    by: ['day'],
    compare: 'previous',
    measures: ['paid', 'charged', 'check'],
    chart: true,
    live: money,
  }),
  payments: widget({
    title: 'Оплаты месяца по способам',
    report: 'payments',
    period: 'month',
    by: ['method'],
    measures: ['paid', 'returned'],
    rows: 5,
    live: money,
  }),
  debts: widget({
    title: 'Долги и авансы',
    report: 'debts',
    period: 'today',
    by: ['age'],
    measures: ['debt', 'debtors', 'advance'],
    rows: 5,
    live: money,
  }),
  visits: widget({
    title: 'Визиты месяца',
    report: 'visits',
    period: 'month',
    compare: 'previous',
    measures: ['completed', 'come', 'noShowShare', 'patients'],
    live: visits,
  }),
  load: widget({
    title: 'Загрузка врачей за неделю',
    report: 'load',
    period: 'week',
    by: ['doctor'],
    measures: ['load'],
    rows: 6,
    live: ['appointments', 'coupons', 'staff-events'],
  }),
  funnel: widget({
    title: 'Обращение → оплата',
    report: 'funnel',
    period: 'month',
    compare: 'previous',
    measures: ['target', 'toBooking', 'toVisit', 'whole'],
    live: ['appeals', 'appointments', 'payments'],
  }),
  calls: widget({
    title: 'Звонки сегодня',
    report: 'calls',
    period: 'today',
    measures: ['incoming', 'missed', 'level', 'recallShare'],
    live: ['calls'],
  }),
  chats: widget({
    title: 'Чаты за неделю',
    report: 'chats',
    period: 'week',
    measures: ['total', 'silent', 'frt'],
    live: ['live-assist'],
  }),
  examinations: widget({
    title: 'Осмотры месяца',
    report: 'examinations',
    period: 'month',
    measures: ['total', 'signed', 'late'],
    live: ['examinations'],
  }),
  plans: widget({
    title: 'Планы лечения за год',
    report: 'plans',
    period: 'year',
    measures: ['agreed', 'accepted', 'carried', 'overdue'],
    live: ['customer-plans', 'customer-plans/items'],
  }),
  violations: widget({
    title: 'Нарушения за месяц',
    report: 'violations',
    period: 'month',
    by: ['user'],
    measures: ['points', 'waiting', 'cleanShare'],
    rows: 4,
    live: ['regulations/violations'],
  }),
  deals: widget({
    title: 'Сделки по этапам',
    report: 'deals',
    period: 'today',
    by: ['stage'],
    measures: ['sum', 'deals', 'stuck'],
    rows: 6,
    live: ['sales-management/leads'],
  }),
  birthdays: widget({
    title: 'Дни рождения',
    report: 'birthdays',
    period: 'today',
    by: ['date'],
    measures: ['total', 'today', 'patients', 'staff'],
    rows: 7,
    live: ['customers'],
  }),
  nps: widget({
    title: 'Оценки пациентов за месяц',
    report: 'nps',
    period: 'month',
    compare: 'previous',
    measures: ['nps', 'answers', 'detractors'],
    live: ['appointments/scores'],
  }),
  sources: widget({
    title: 'Откуда новые пациенты',
    report: 'revenue-by-customer-sources',
    period: 'quarter',
    by: ['parent'],
    measures: ['newcomers', 'ltv'],
    rows: 5,
    live: ['appointments', 'customers', 'payments'],
  }),
} as const satisfies Readonly<Record<string, ReportWidget>>
export type ReportWidgetKey = keyof typeof reportWidgets
export const isReportWidget = (key: string): key is ReportWidgetKey => Object.hasOwn(reportWidgets, key)
