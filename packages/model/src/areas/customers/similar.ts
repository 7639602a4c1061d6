/** Why two cards may be of one patient: the first two are certain. */
export const sameBecause = {
  snils: 'тот же СНИЛС',
  policy: 'тот же полис ОМС',
  fio: 'те же ФИО и дата рождения',
  phone: 'те же телефон и имя',
} as const
/** Those of two cards that may be of two people after all: which of them count, the clinic says. */
export const likelyBecause = { fio: 'ФИО и дата рождения', phone: 'Телефон и имя' } as const
export type LikelyBecause = keyof typeof likelyBecause
export type SameBecause = keyof typeof sameBecause
