/** Placeholders of a consent text for the patient's data: `{фио}`. */
export const placeNames = {
  фио: 'ФИО клиента',
  'дата рождения': 'дата рождения клиента',
  документ: 'документ клиента, кем и когда выдан',
  адрес: 'адрес клиента',
  телефон: 'телефон клиента',
  подписывает: 'кто подписывает: клиент или его представитель',
  представитель: 'ФИО представителя и кем он приходится',
  'документ представителя': 'документ о полномочиях представителя',
  цель: 'цель из этой версии',
  'способы связи': 'выбранные способы связи',
  клиника: 'название клиники',
  дата: 'день подписания',
} as const
export type Place = keyof typeof placeNames

/** Values by placeholder; an unknown one becomes a blank to fill in by hand. */
export type ConsentValues = Partial<Record<Place, string>>

const PLACE = /\{([^{}]*)\}/g
/** Blank to fill in by hand. */
const BLANK = '________________'

/** The first unknown placeholder of a text. */
export const strangePlace = (text: string): string | undefined =>
  [...text.matchAll(PLACE)].map(([, place = '']) => place).find((place) => !Object.hasOwn(placeNames, place))

/** Text with the patient's data filled in. @param safe escapes a value for the text, as HTML */
export const filledText = (text: string, values: ConsentValues, safe: (words: string) => string): string =>
  text.replace(PLACE, (whole, place: Place) =>
    Object.hasOwn(placeNames, place) ? safe(values[place] || BLANK) : whole,
  )
