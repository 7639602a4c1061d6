/**
 * Dashboard blocks with figures of a report: same declaration, same call, same numbers. An area adds a line here; the
 * block is offered to users with access to the report.
 */

import type { CompareWith } from '../../reportCalls.ts'
import type { PeriodPreset } from '../../reportPeriod.ts'

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
}

const widget = (one: ReportWidget): ReportWidget => one

export const reportWidgets = {
  revenueToday: widget({
    title: 'Выручка сегодня',
    report: 'revenue',
    period: 'today',
    measures: ['paid', 'check', 'visits'],
  }),
  revenueMonth: widget({
    title: 'Выручка с начала месяца',
    report: 'revenue',
    period: 'month',
    by: ['day'],
    compare: 'previous',
    measures: ['paid', 'charged', 'check'],
    chart: true,
  }),
  payments: widget({
    title: 'Оплаты месяца по способам',
    report: 'payments',
    period: 'month',
    by: ['method'],
    measures: ['paid', 'returned'],
    rows: 5,
  }),
  debts: widget({
    title: 'Долги и авансы',
    report: 'debts',
    period: 'today',
    by: ['age'],
    measures: ['debt', 'debtors', 'advance'],
    rows: 5,
  }),
  visits: widget({
    title: 'Визиты месяца',
    report: 'visits',
    period: 'month',
    compare: 'previous',
    measures: ['completed', 'come', 'noShowShare', 'patients'],
  }),
  load: widget({
    title: 'Загрузка врачей за неделю',
    report: 'load',
    period: 'week',
    by: ['doctor'],
    measures: ['load'],
    rows: 6,
  }),
  funnel: widget({
    title: 'Обращение → оплата',
    report: 'funnel',
    period: 'month',
    compare: 'previous',
    measures: ['target', 'toBooking', 'toVisit', 'whole'],
  }),
  calls: widget({
    title: 'Звонки сегодня',
    report: 'calls',
    period: 'today',
    measures: ['incoming', 'missed', 'level', 'recallShare'],
  }),
  chats: widget({ title: 'Чаты за неделю', report: 'chats', period: 'week', measures: ['total', 'silent', 'frt'] }),
  examinations: widget({
    title: 'Осмотры месяца',
    report: 'examinations',
    period: 'month',
    measures: ['total', 'signed', 'late'],
  }),
  plans: widget({
    title: 'Планы лечения за год',
    report: 'plans',
    period: 'year',
    measures: ['agreed', 'accepted', 'carried', 'overdue'],
  }),
  violations: widget({
    title: 'Нарушения за месяц',
    report: 'violations',
    period: 'month',
    by: ['user'],
    measures: ['points', 'waiting', 'cleanShare'],
    rows: 4,
  }),
  deals: widget({
    title: 'Сделки по этапам',
    report: 'deals',
    period: 'today',
    by: ['stage'],
    measures: ['sum', 'deals', 'stuck'],
    rows: 6,
  }),
  birthdays: widget({
    title: 'Дни рождения',
    report: 'birthdays',
    period: 'today',
    by: ['date'],
    measures: ['total', 'today', 'patients', 'staff'],
    rows: 7,
  }),
  nps: widget({
    title: 'Оценки пациентов за месяц',
    report: 'nps',
    period: 'month',
    compare: 'previous',
    measures: ['nps', 'answers', 'detractors'],
  }),
  sources: widget({
    title: 'Откуда новые пациенты',
    report: 'revenue-by-customer-sources',
    period: 'quarter',
    by: ['parent'],
    measures: ['newcomers', 'ltv'],
    rows: 5,
  }),
} as const satisfies Readonly<Record<string, ReportWidget>>
export type ReportWidgetKey = keyof typeof reportWidgets
export const isReportWidget = (key: string): key is ReportWidgetKey => Object.hasOwn(reportWidgets, key)
