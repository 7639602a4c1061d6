/** What a text of a consent may leave to the patient's data: `{фио}`, by the words that stand in braces. */
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

/** What stands in each place of a text; what is not known is left to be filled in by hand. */
export type ConsentValues = Partial<Record<Place, string>>

const PLACE = /\{([^{}]*)\}/g
/** Where something is written by hand. */
const BLANK = '________________'

/** The first place of a text that nothing is known for. */
export const strangePlace = (text: string): string | undefined =>
  [...text.matchAll(PLACE)].map(([, place = '']) => place).find((place) => !Object.hasOwn(placeNames, place))

/** The text with the patient's data in it. @param safe makes words safe in the text: HTML */
export const filledText = (text: string, values: ConsentValues, safe: (words: string) => string): string =>
  text.replace(PLACE, (whole, place: Place) =>
    Object.hasOwn(placeNames, place) ? safe(values[place] || BLANK) : whole,
  )
