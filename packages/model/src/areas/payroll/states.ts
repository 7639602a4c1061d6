/** States of payroll and their transitions. Pure. */

export const periodStatuses = {
  open: 'Открыт',
  calculated: 'Рассчитан',
  checked: 'Проверен',
  approved: 'Утверждён',
  paid: 'Выплачен',
  closed: 'Закрыт',
} as const
export type PeriodStatus = keyof typeof periodStatuses

/** Transitions of a month; only the calculation changes `open` to `calculated`. */
export const nextPeriodStatuses: Readonly<Record<PeriodStatus, readonly PeriodStatus[]>> = {
  open: [],
  calculated: ['checked'],
  checked: ['calculated', 'approved'],
  approved: ['checked', 'paid'],
  paid: ['approved', 'closed'],
  closed: [],
}

/** States in which lines, manual lines and timesheet days can change. */
export const isCounting = (status: PeriodStatus): boolean => status === 'open' || status === 'calculated'
/** States in which the person sees the own slip, and payouts are allowed. */
export const isApproved = (status: PeriodStatus): boolean =>
  status === 'approved' || status === 'paid' || status === 'closed'

/** Button labels by target state. */
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
/** Kinds that reduce the pay. The labour code limits deductions from wages (ТК ст. 137, 138). */
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
