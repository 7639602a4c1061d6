import type { FieldError } from '../../check.ts'

interface Life {
  /** DD.MM.YYYY */
  birthday?: string | null | undefined
  /** YYYY-MM-DD */
  dateDeath?: string | null | undefined
  datePassport?: string | null | undefined
}

/** Impossible dates of a card: a death or a document before the birth. */
export function lifeErrors({ birthday, dateDeath, datePassport }: Life): FieldError[] {
  const born = birthday?.split('.').reverse().join('-')
  if (!born) return []
  return [
    ...(dateDeath && dateDeath < born ? [{ field: 'dateDeath', message: 'Раньше даты рождения' }] : []),
    ...(datePassport && datePassport < born
      ? [{ field: 'datePassport', message: 'Документ выдан раньше рождения' }]
      : []),
  ]
}
