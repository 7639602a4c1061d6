/** Kinds of patients' requests about their data. A separate file, so that the patients' pages load only this. */
export const requestKinds = {
  access: 'Какие данные обрабатываются',
  copy: 'Копии документов',
  correction: 'Уточнение данных',
  blocking: 'Блокирование данных',
  erasure: 'Прекращение обработки',
  other: 'Другое',
} as const
