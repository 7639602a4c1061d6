/** Only a ruble unit may accompany a number. */
const NUMBER = /^([+−-]?)(\d[\d\s]*)(?:[.,](\d+))?(?:₽|р|руб|рублей|рубля|рубль)?\.?$/

/** The typed number, «1 234,50 ₽», or undefined: nothing typed is ignored or guessed. */
export function readNumber(text: string): number | undefined {
  const parts = NUMBER.exec(
    text
      .trim()
      .toLowerCase()
      .replace(/\s+(?=₽|р)/, ''),
  )
  if (!parts) return undefined
  const [, sign, whole = '', fraction = ''] = parts
  const read = Number(`${whole.replace(/\s/g, '')}.${fraction || '0'}`)
  return sign === '-' || sign === '−' ? -read : read
}
