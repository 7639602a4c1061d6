/** Joint performers of a line and their shares. Pure, on both sides. */

/** A performer's share, as requested or still being typed. */
export interface Share {
  idUser: number | null
  /** Percent, two decimals. */
  share: number | string | null
}

/** A share as text: «33,34 %». */
export const shareText = (share: number): string => `${share.toLocaleString('ru-RU', { maximumFractionDigits: 2 })} %`

/** Errors of a line's performers, by field; an empty list is valid: the coupon's doctor has the whole share. */
export function shareErrors(performers: readonly Share[]): { field: string; message: string }[] {
  const errors: { field: string; message: string }[] = []
  let whole = 0
  for (const [at, { idUser, share }] of performers.entries()) {
    const wrong = (field: keyof Share, message: string) => errors.push({ field: `performers.${at}.${field}`, message })
    if (idUser === null) wrong('idUser', 'Выберите исполнителя')
    else if (performers.findIndex((other) => other.idUser === idUser) < at) wrong('idUser', 'Этот исполнитель уже есть')
    if (typeof share !== 'number') wrong('share', share ? 'Нужно число' : 'Укажите долю')
    else if (share <= 0) wrong('share', 'Доля больше нуля')
    else if (share > 100) wrong('share', 'Не больше 100 %')
    else if (Math.abs(share * 100 - Math.round(share * 100)) > 1e-6) wrong('share', 'Не больше 2 знаков после запятой')
    else whole += Math.round(share * 100)
  }
  if (errors.length === 0 && performers.length > 0 && whole !== 10_000)
    errors.push({ field: 'performers', message: `Вместе должно быть 100 %, сейчас ${shareText(whole / 100)}` })
  return errors
}

/** Equal shares of the whole; the rounding remainder goes to the first. */
export function equalShares(count: number): number[] {
  const one = Math.floor(10_000 / count)
  return Array.from({ length: count }, (_, at) => (at === 0 ? 10_000 - one * (count - 1) : one) / 100)
}
