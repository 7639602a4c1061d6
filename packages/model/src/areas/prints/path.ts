/** A path of words, as written and as resolved. */
export interface Path {
  text: string
  words: readonly string[]
  /** Result of the resolution: loops outwards, and field names from there. */
  found?: { up: number; keys: readonly string[] }
}

/** Normalized word for comparison: ignores case, spaces and the dots of ё. */
export const wordKey = (word: string): string =>
  word
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .toLocaleLowerCase('ru')
    .replaceAll('ё', 'е')

export const readPath = (written: string): Path => ({
  text: written.replace(/[\s\u00a0]+/g, ' ').trim(),
  words: written.split('.').map(wordKey),
})
