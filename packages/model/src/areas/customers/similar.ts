/** Why two cards may be of one patient: the first two are certain. */
export const sameBecause = {
  snils: 'тот же СНИЛС',
  policy: 'тот же полис ОМС',
  fio: 'те же ФИО и дата рождения',
  phone: 'те же телефон и имя',
} as const
export type SameBecause = keyof typeof sameBecause
