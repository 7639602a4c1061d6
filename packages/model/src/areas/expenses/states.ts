/** States of an expense, their transitions, and repeats. Pure. */
export const expenseStatuses = {
  plan: 'План',
  toApprove: 'На согласовании',
  approved: 'Согласован',
  paid: 'Оплачен',
  rejected: 'Отклонён',
} as const
export type ExpenseStatus = keyof typeof expenseStatuses

/** Editable states; an approved expense is a cost of its month. */
export const isDraft = (status: ExpenseStatus): boolean => status === 'plan' || status === 'rejected'
/** States that count as costs in the profit-and-loss statement. */
export const isCost = (status: ExpenseStatus): boolean => status === 'approved' || status === 'paid'

export const articleKinds = {
  variable: 'Переменные расходы',
  fixed: 'Постоянные расходы',
  tax: 'Налоги и взносы',
  payroll: 'Фонд оплаты труда',
} as const
export type ArticleKind = keyof typeof articleKinds

export const expenseSources = { account: 'Со счёта', desk: 'Из кассы' } as const
export const expenseRepeats = {
  none: 'Не повторять',
  month: 'Каждый месяц',
  quarter: 'Каждый квартал',
  year: 'Каждый год',
} as const
export type ExpenseRepeat = keyof typeof expenseRepeats

export const approvalStatuses = {
  later: 'Ждёт очереди',
  waiting: 'Ждёт решения',
  approved: 'Согласовано',
  rejected: 'Отклонено',
} as const

const steps: Readonly<Record<Exclude<ExpenseRepeat, 'none'>, number>> = { month: 1, quarter: 3, year: 12 }

/**
 * The day `months` later, limited to the month's last day. Computed from the first day, so that the 31st comes back.
 */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}

/** Day of the n-th repeat after the first one. */
export const repeatDay = (first: string, repeat: Exclude<ExpenseRepeat, 'none'>, n: number): string =>
  monthsLater(first, steps[repeat] * n)

export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** A step of an approval route; a step applies from its sum on, in order. */
export interface RouteStep {
  id: number
  idUser: number
  /** Rubles from which this step applies. */
  fromSum: number
  idFilial: number | null
  idArticle: number | null
  order: number
}

/**
 * The approvers of an expense, each once, in the order of the route.
 * @param articles the category and its parents
 */
export function routeOf(
  steps: readonly RouteStep[],
  expense: { sum: number; idFilial: number | null; articles: readonly number[] },
): number[] {
  const people = steps
    .filter(
      ({ fromSum, idFilial, idArticle }) =>
        expense.sum >= fromSum &&
        (idFilial === null || idFilial === expense.idFilial) &&
        (idArticle === null || expense.articles.includes(idArticle)),
    )
    .toSorted((a, b) => a.order - b.order || a.fromSum - b.fromSum || a.id - b.id)
    .map(({ idUser }) => idUser)
  return [...new Set(people)]
}

/** VAT within a sum, in kopecks, rounded half up. */
export const vatWithin = (kopecks: number, percent: number): number =>
  Math.floor((kopecks * percent * 2 + (100 + percent)) / (2 * (100 + percent)))
