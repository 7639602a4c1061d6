import { wordStem } from '@ordinator/model/spelling'

const fold = (text: string) => text.toLocaleLowerCase('ru').replaceAll('ё', 'е')

/**
 * Sorts matches by quality: equal text, a word equal to the text, a word with that prefix, then any position; within a
 * class by the earlier position, else in the original order. «Павлов» comes before «Павлович», «Карпов» after both, and
 * «врача-терапевта» before «врача-мануального терапевта».
 */
export function byMatch<T>(items: readonly T[], text: string, labelOf: (item: T) => string): T[] {
  const typed = fold(text.trim())
  if (!typed) return [...items]
  const isLetter = (label: string, at: number): boolean => /[\p{L}\p{N}]/u.test(label.charAt(at))
  /** The best position: «физиотерапевт, терапевт» matches by its second word. */
  const place = (item: T): { rank: number; at: number } => {
    const label = fold(labelOf(item))
    if (label === typed) return { rank: 0, at: 0 }
    let best = { rank: 6, at: 0 }
    for (let at = label.indexOf(typed); at >= 0; at = label.indexOf(typed, at + 1)) {
      const isWordEnd = !isLetter(label, at + typed.length)
      const isWordStart = at === 0 || !isLetter(label, at - 1)
      const rank = at === 0 ? (isWordEnd ? 1 : 2) : isWordStart ? (isWordEnd ? 3 : 4) : 5
      if (rank < best.rank) best = { rank, at }
    }
    return best
  }
  return items
    .map((item) => ({ item, ...place(item) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ item }) => item)
}

/** Items whose label contains all words of the text, in any order and with any ending; the best match first. */
export const matching = <T>(items: readonly T[], text: string, labelOf: (item: T) => string): T[] => {
  const words = fold(text.trim()).split(/\s+/).map(wordStem)
  return byMatch(items, text, labelOf).filter((item) => words.every((word) => fold(labelOf(item)).includes(word)))
}
