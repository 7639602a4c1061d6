/** What a document of the clinic is: the words of the list and of the site, and what of the obligatory list it answers. */
export const documentKinds = {
  licence: 'Лицензия',
  registration: 'Регистрация и учредительные сведения',
  prices: 'Прайс-лист',
  contract: 'Договор и правила оказания платных услуг',
  rules: 'Правила для пациентов',
  guarantees: 'Программа государственных гарантий',
  staff: 'Сведения о медицинских работниках',
  control: 'Контролирующие органы',
  other: 'Прочее',
} as const
export type DocumentKind = keyof typeof documentKinds
