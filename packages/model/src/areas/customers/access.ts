/** What was done with a patient's data; those of the sign-in stand elsewhere. */
export const accessActions = {
  open: 'Открытие карты',
  view: 'Просмотр',
  search: 'Поиск и списки',
  create: 'Создание',
  update: 'Изменение',
  delete: 'Удаление',
  restore: 'Восстановление',
  export: 'Выгрузка',
  print: 'Печать',
  listen: 'Прослушивание',
  sign: 'Подписание',
} as const
export type AccessAction = keyof typeof accessActions

/** Patients whom one person may open within an hour before the supervisor is told. */
export const ALERT_CARDS = 60
