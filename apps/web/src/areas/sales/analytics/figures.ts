/** '42,5 %' of a share from 0 to 1. */
export const shareText = (share: number | null): string =>
  share === null ? '—' : `${(share * 100).toLocaleString('ru-RU', { maximumFractionDigits: 1 })} %`

/** 'ноябрь 2026' of '2026-11'. */
export function monthText(month: string | null): string {
  if (month === null) return 'Без даты'
  return new Date(`${month}-15T12:00:00Z`).toLocaleDateString('ru-RU', { month: 'long', year: 'numeric' })
}
