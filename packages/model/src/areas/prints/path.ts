/** Words that lead to a value, as they were written and as they are compared. */
export interface Path {
  said: string
  words: readonly string[]
  /** Where it leads, once it was found: how many loops out, and the names of fields from there. */
  found?: { up: number; keys: readonly string[] }
}

/** As words are compared: whatever their case, their spaces and the dots of ё. */
export const wordKey = (word: string): string =>
  word
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .toLocaleLowerCase('ru')
    .replaceAll('ё', 'е')

export const readPath = (said: string): Path => ({
  said: said.replace(/[\s\u00a0]+/g, ' ').trim(),
  words: said.split('.').map(wordKey),
})
