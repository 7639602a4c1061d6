/** Kinds of documents: labels, and entries of the obligatory list that they satisfy. */
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
