/** Actions on a patient's data; sign-in events are recorded elsewhere. */
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

/** Cards one user may open within an hour before the supervisor is notified. */
export const ALERT_CARDS = 60
