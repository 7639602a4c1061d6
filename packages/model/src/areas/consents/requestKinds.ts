/** What patients ask of the clinic about their data. Apart from the entity, so that their own pages carry no more than this. */
export const requestKinds = {
  access: 'Какие данные обрабатываются',
  copy: 'Копии документов',
  correction: 'Уточнение данных',
  blocking: 'Блокирование данных',
  erasure: 'Прекращение обработки',
  other: 'Другое',
} as const
