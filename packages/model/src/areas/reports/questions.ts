/** Questions about money and work, in the words of those who ask: each opens the report that answers it. */
import { type PeriodPreset, presetPeriod } from '../../reportPeriod.ts'
import { plusDays } from '../../zone.ts'
import type { reportsPages } from './pages.ts'

interface Question {
  text: string
  /** More words by which it is found. */
  names?: string
  page: (typeof reportsPages)[number]['key']
  /** Absent: a report of the present state. */
  period?: PeriodPreset | 'last7' | 'next7'
  by?: string
  is?: readonly string[]
  /** Opens the rows of this measure. */
  rows?: string
}

export const questions = [
  { text: 'Кто должен', names: 'долг должники задолженность', page: 'reportDebts', is: ['kind:debt'], rows: 'debt' },
  {
    text: 'Долги старше 90 дней',
    names: 'просроченный долг должники',
    page: 'reportDebts',
    is: ['kind:debt', 'age:180', 'age:999'],
    rows: 'debt',
  },
  { text: 'У кого аванс', names: 'предоплата переплата', page: 'reportDebts', is: ['kind:advance'], rows: 'advance' },
  {
    text: 'Выручка месяца',
    names: 'сколько заработали оплачено касса',
    page: 'reportRevenue',
    period: 'month',
    by: 'day',
  },
  {
    text: 'Выручка прошлого месяца',
    names: 'сколько заработали',
    page: 'reportRevenue',
    period: 'lastMonth',
    by: 'day',
  },
  {
    text: 'Выручка по врачам',
    names: 'кто сколько принёс заработал',
    page: 'reportRevenue',
    period: 'month',
    by: 'doctor',
  },
  { text: 'Средний чек врача', names: 'средний чек по врачам', page: 'reportRevenue', period: 'month', by: 'doctor' },
  {
    text: 'Неявки за неделю',
    names: 'кто не пришёл не пришли неявка пропустили прогуляли',
    page: 'reportVisits',
    period: 'last7',
    by: 'doctor',
    rows: 'noShow',
  },
  {
    text: 'Возвраты денег за месяц',
    names: 'вернули',
    page: 'reportPayments',
    period: 'month',
    by: 'method',
    rows: 'returned',
  },
  { text: 'Откуда новые пациенты', names: 'источники реклама', page: 'reportSources', period: 'month', by: 'parent' },
  { text: 'Окупилась ли реклама', names: 'romi cac cpl', page: 'reportCampaigns', period: 'month', by: 'campaign' },
  { text: 'Кто из врачей свободен на неделе', names: 'загрузка', page: 'reportLoad', period: 'next7', by: 'doctor' },
  {
    text: 'Пропущенные звонки за неделю',
    names: 'не ответили',
    page: 'reportCalls',
    period: 'last7',
    by: 'person',
    rows: 'clean',
  },
] as const satisfies readonly Question[]

export type AnyQuestion = Question

/** The address of the answer, as in the URL of its report. @param today the reader's day */
export function searchOf({ text, period, by, is = [], rows }: Question, today: string): Record<string, unknown> {
  const days =
    period === undefined
      ? undefined
      : period === 'last7'
        ? { from: plusDays(today, -6), until: today }
        : period === 'next7'
          ? { from: today, until: plusDays(today, 6) }
          : presetPeriod(period, today)
  return {
    ...days,
    ...(by && { by }),
    ...(is.length && { is: [...is] }),
    ...(rows && { behind: { measure: rows, ...(days ?? { from: today, until: today }), is: [...is], of: text } }),
  }
}
