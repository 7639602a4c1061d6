/** Reasons why two cards may belong to one patient: the first two are certain. */
export const sameReasons = {
  snils: 'тот же СНИЛС',
  policy: 'тот же полис ОМС',
  fio: 'те же ФИО и дата рождения',
  phone: 'те же телефон и имя',
} as const
/** Reasons that may also hold for two different people; the clinic's settings select which of them count. */
export const likelyReasons = { fio: 'ФИО и дата рождения', phone: 'Телефон и имя' } as const
export type LikelyReason = keyof typeof likelyReasons
export type SameReason = keyof typeof sameReasons
