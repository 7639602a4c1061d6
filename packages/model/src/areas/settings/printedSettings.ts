/** Settings available in prints, by variable name. Plain data, so that the web need not load the checks. */
export const printedSettings = {
  companyBrand: 'Торговое название',
  companySlogan: 'Девиз клиники',
  companyPhone: 'Телефон клиники',
  companyEmail: 'Почта клиники',
  companySite: 'Сайт клиники',
  companySchedule: 'Режим работы клиники',
  licenceActivities: 'Виды деятельности',
  licenceAddresses: 'Адреса по лицензии',
  directorPost: 'Должность руководителя',
  directorName: 'Руководитель',
  directorBasis: 'Действует на основании',
  chiefDoctor: 'Главный врач',
  chiefAccountant: 'Главный бухгалтер',
} as const
export type PrintedSetting = keyof typeof printedSettings
