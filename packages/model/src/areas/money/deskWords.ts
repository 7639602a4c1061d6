import { type KktMode, SHIFT_HOURS, takesByHand } from './desk.ts'

interface Standing {
  kktMode: KktMode
  shift: { number: number; since: string } | null
  /** The shift is longer than the law allows. */
  overdue: boolean
  /** Why the register's queue is stopped. */
  trouble: string | null
  waiting: number
  unknown: number
}

/**
 * State of a desk in one sentence: its shift, and whether receipts are printed.
 * @returns `isWrong`: action is needed
 */
export function deskWords({ kktMode, shift, overdue, trouble, waiting, unknown }: Standing): {
  words: string
  isWrong: boolean
} {
  if (!shift) return { words: 'Смена закрыта', isWrong: false }
  const open = `Смена № ${shift.number} с ${shift.since}`
  if (overdue)
    return { words: `${open} открыта больше ${SHIFT_HOURS} часов: закройте её и откройте новую`, isWrong: true }
  if (kktMode === 'none')
    return { words: `${open}, чеки не пробиваются: регистратор чеков не подключён`, isWrong: false }
  if (trouble) return { words: `${open}, чеки не пробиваются. ${trouble}`, isWrong: true }
  if (unknown > 0) return { words: `${open}, неизвестно, пробиты ли чеки: ${unknown}`, isWrong: true }
  if (waiting > 0) return { words: `${open}, чеки печатаются: ${waiting}`, isWrong: false }
  if (!takesByHand({ kktMode }))
    return { words: `${open}, только оплаты по ссылке: чеки за них даёт ЮKassa`, isWrong: false }
  return { words: `${open}, чеки пробиваются`, isWrong: false }
}
