/** The deposit a service requires at booking. Pure. */

export const depositStatuses = {
  waiting: 'Ждём предоплату',
  paid: 'Предоплата внесена',
  released: 'Предоплата не внесена: запись освобождена',
  returned: 'Предоплата возвращается',
  kept: 'Отменено поздно: предоплата осталась на счёте пациента',
  dropped: 'Предоплата больше не нужна',
} as const
export type DepositStatus = keyof typeof depositStatuses

/**
 * Whether a deposit is refunded automatically when its visit is cancelled. Otherwise it stays on the patient's account for
 * an employee to decide.
 * @param hoursAhead hours between the cancellation and the visit
 */
export const depositReturns = ({
  by,
  hoursAhead,
  returnHours,
}: {
  by: 'patient' | 'clinic' | null
  hoursAhead: number
  returnHours: number
}): boolean => by === 'clinic' || hoursAhead >= returnHours
