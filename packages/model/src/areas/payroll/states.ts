/** States of payroll and what may follow which. Pure. */

export const periodStatuses = {
  open: 'Открыт',
  calculated: 'Рассчитан',
  checked: 'Проверен',
  approved: 'Утверждён',
  paid: 'Выплачен',
  closed: 'Закрыт',
} as const
export type PeriodStatus = keyof typeof periodStatuses

/** Where a month may go from each state; the calculation alone makes it `calculated` from `open`. */
export const nextPeriodStatuses: Readonly<Record<PeriodStatus, readonly PeriodStatus[]>> = {
  open: [],
  calculated: ['checked'],
  checked: ['calculated', 'approved'],
  approved: ['checked', 'paid'],
  paid: ['approved', 'closed'],
  closed: [],
}

/** Lines, lines by hand and days of the timesheet change only then. */
export const isCounting = (status: PeriodStatus): boolean => status === 'open' || status === 'calculated'
/** The own slip is shown to its person, and money is given by it. */
export const isApproved = (status: PeriodStatus): boolean =>
  status === 'approved' || status === 'paid' || status === 'closed'

/** The word on the button that brings a month into a state. */
export const statusActions: Readonly<Record<Exclude<PeriodStatus, 'open'>, string>> = {
  calculated: 'Вернуть в расчёт',
  checked: 'Проверено',
  approved: 'Утвердить',
  paid: 'Всё выплачено',
  closed: 'Закрыть месяц',
}

export const adjustmentKinds = {
  bonus: 'Премия',
  extra: 'Доплата',
  reduction: 'Снижение премии',
  deduction: 'Удержание',
} as const
export type AdjustmentKind = keyof typeof adjustmentKinds
/** Taken off the pay. What is held back from wages itself the labour code limits (ТК ст. 137, 138). */
export const isTakenOff = (kind: AdjustmentKind): boolean => kind === 'reduction' || kind === 'deduction'

export const payoutKinds = { advance: 'Аванс', salary: 'Зарплата' } as const
export const payoutSources = { desk: 'Из кассы', account: 'Со счёта' } as const
export type PayoutSource = keyof typeof payoutSources

export const runStatuses = {
  queued: 'Ждёт',
  running: 'Считается',
  done: 'Готов',
  failed: 'Не удался',
  cancelled: 'Отменён',
} as const
export type RunStatus = keyof typeof runStatuses
