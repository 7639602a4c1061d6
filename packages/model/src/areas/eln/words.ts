/** Names of sick leave messages in the journal of exchange. */
export const elnAdapterWords = {
  put: 'Больничный лист',
  disable: 'Прекращение больничного листа',
  numbers: 'Запрос номеров больничных',
} as const
