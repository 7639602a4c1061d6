import { counted } from '@ordinator/model/format'

/** 'Добавлено 20 дней, пропущено 2 дня' */
export const filledText = (made: number, skipped: number): string => {
  const days = (count: number) => counted(count, ['день', 'дня', 'дней'])
  return skipped > 0 ? `Добавлено: ${days(made)}, пропущено: ${days(skipped)}` : `Добавлено: ${days(made)}`
}
