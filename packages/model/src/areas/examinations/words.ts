/** Normalizes words for comparison: one spelling, no endings, no prepositions. */

/** One spelling: lower case, ё as е, single spaces. */
export const plainWords = (text: string): string =>
  text
    .toLocaleLowerCase('ru')
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim()

const silent = new Set([
  'в',
  'во',
  'на',
  'с',
  'со',
  'и',
  'от',
  'при',
  'по',
  'у',
  'из',
  'за',
  'под',
  'для',
  'до',
  'типа',
  'тип',
])

/** Endings of nouns, adjectives and participles, the longest first. */
const endings =
  'ейшего ыми ими ого его ому ему ами ями иям иях иев ией ией ое ее ые ие ый ий ой ая яя ую юю ым им ом ем ых их ов ев ей ам ям ах ях ию ия ии ью а я о е ы и у ю ь й'.split(
    ' ',
  )

/**
 * A word without its ending: «острого» equals «острый». Keeps at least three letters; short words and words with digits
 * are unchanged.
 */
export function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  for (const ending of endings)
    if (word.endsWith(ending) && word.length - ending.length >= 3) return word.slice(0, -ending.length)
  return word
}

/** Distinct stems of a text, without prepositions. */
export const stemsOf = (text: string): string[] => [
  ...new Set(
    plainWords(text)
      .split(' ')
      .map((word) => word.replace(/^\.+|\.+$/g, ''))
      .filter((word) => word && !silent.has(word))
      .map(stemOf),
  ),
]

export interface Synonym {
  name: string
  codes: string
}

const known = new Map<string, string[]>()
/** Stems of a synonym, cached: each search uses all of them. */
function stemsOfSynonym(name: string): string[] {
  let stems = known.get(name)
  if (!stems) {
    if (known.size > 5000) known.clear()
    stems = stemsOf(name)
    known.set(name, stems)
  }
  return stems
}

/**
 * Codes of the synonyms named by the typed text: all words of a synonym must be typed, and those with the most words
 * win. The last typed word may be incomplete.
 * @returns isWhole: the synonyms cover the whole text
 */
export function namedBy(typed: string, synonyms: readonly Synonym[]): { codes: string[]; isWhole: boolean } {
  const asked = stemsOf(typed)
  const last = asked.at(-1) ?? ''
  const has = (stem: string) => asked.includes(stem) || (last.length >= 4 && stem.startsWith(last))
  let most = 0
  let found: { codes: string; isWhole: boolean }[] = []
  for (const { name, codes } of synonyms) {
    const stems = stemsOfSynonym(name)
    if (stems.length === 0 || stems.length < most || !stems.every(has)) continue
    if (stems.length > most) found = []
    most = stems.length
    found.push({ codes, isWhole: asked.every((stem) => stems.includes(stem)) })
  }
  const whole = found.filter(({ isWhole }) => isWhole)
  const meant = whole.length ? whole : found
  const codes = meant.flatMap((one) => one.codes.split(',').map((code) => code.trim().toUpperCase()))
  return { codes: [...new Set(codes.filter(Boolean))], isWhole: whole.length > 0 }
}
