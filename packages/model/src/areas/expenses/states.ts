/** States of an expense and what may follow which; its repeats. Pure. */
export const expenseStatuses = {
  plan: 'План',
  toApprove: 'На согласовании',
  approved: 'Согласован',
  paid: 'Оплачен',
  rejected: 'Отклонён',
} as const
export type ExpenseStatus = keyof typeof expenseStatuses

/** What it says may change; once it is approved it is a cost of its month. */
export const isDraft = (status: ExpenseStatus): boolean => status === 'plan' || status === 'rejected'
/** Costs of the profit-and-loss statement. */
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

/** The day so many months later; a day that a month lacks is its last. Of the first one, so that the 31st comes back. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}

/** The day of a repeat: the n-th after the first one. */
export const repeatDay = (first: string, repeat: Exclude<ExpenseRepeat, 'none'>, n: number): string =>
  monthsLater(first, steps[repeat] * n)

export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** Whose word an expense takes: the steps of the route whose limit it reaches, in their order. */
export interface RouteStep {
  id: number
  idUser: number
  /** Rubles from which this step is asked. */
  fromSum: number
  idFilial: number | null
  idArticle: number | null
  order: number
}

/**
 * The people who are asked, each once, in the order of the route.
 * @param articles the article and those that it is within
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

/** The VAT that a sum contains, in kopecks, rounded half up. */
export const vatWithin = (kopecks: number, percent: number): number =>
  Math.floor((kopecks * percent * 2 + (100 + percent)) / (2 * (100 + percent)))
