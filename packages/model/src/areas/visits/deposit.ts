/** Of a deposit that a service asks for when it is booked. Pure. */

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
 * Whether a deposit goes back by itself when its visit is cancelled. What does not stays on the patient's account: a
 * person decides.
 * @param hoursAhead of the visit when it was cancelled
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
