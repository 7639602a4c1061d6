/** Papers that come with an application for attachment. */
export const attachmentDocuments = {
  passport: 'Паспорт',
  birthCertificate: 'Свидетельство о рождении',
  oms: 'Полис ОМС',
  snils: 'СНИЛС',
  representative: 'Документ представителя',
} as const

/** Required fields of the application. */
export const attachmentFields = {
  phone: 'Телефон',
  email: 'Почта',
  citizenship: 'Гражданство',
  snils: 'СНИЛС',
  enp: 'Номер полиса ОМС',
  document: 'Документ',
  registration: 'Адрес регистрации',
  actual: 'Адрес проживания',
  currentMo: 'Где прикреплён сейчас',
} as const
