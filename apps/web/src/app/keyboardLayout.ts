const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const CYRILLIC = 'йцукенгшщзхъфывапролджэячсмитьбюё'

const swapped = (text: string, from: string, to: string): string =>
  [...text.toLowerCase()].map((letter) => to[from.indexOf(letter)] ?? letter).join('')

/** What the same keys type in the other layout: 'pflfxb' → 'задачи' and back. */
export const otherLayouts = (text: string): string[] => [swapped(text, LATIN, CYRILLIC), swapped(text, CYRILLIC, LATIN)]
