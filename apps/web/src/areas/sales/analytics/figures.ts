import { formatMonth } from '@ordinator/model/format'

/** '42,5 %' for a share from 0 to 1. */
export const shareText = (share: number | null): string =>
  share === null ? '—' : `${(share * 100).toLocaleString('ru-RU', { maximumFractionDigits: 1 })} %`

export const monthText = (month: string | null): string => (month === null ? 'Без даты' : formatMonth(month))
