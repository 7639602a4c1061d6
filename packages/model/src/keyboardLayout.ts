const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const CYRILLIC = 'йцукенгшщзхъфывапролджэячсмитьбюё'

const swapped = (text: string, from: string, to: string): string =>
  [...text.toLowerCase()].map((letter) => to[from.indexOf(letter)] ?? letter).join('')

/** Text retyped with the same keys in the Latin layout: 'о06' → 'j06'. In lower case. */
export const inLatinLayout = (text: string): string => swapped(text, CYRILLIC, LATIN)

/** Text retyped with the same keys in the other layout: 'pflfxb' → 'задачи' and back. */
export const otherLayouts = (text: string): string[] => [swapped(text, LATIN, CYRILLIC), inLatinLayout(text)]
