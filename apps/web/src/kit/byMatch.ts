const fold = (text: string) => text.toLocaleLowerCase('ru').replaceAll('ё', 'е')

/**
 * What is found in the order of how well it answers what is typed: the same words, what begins with the same word, what
 * begins so, and then the same inside; else as it was. «Павлов» comes before «Павлович», and «Карпов» after both.
 */
export function byMatch<T>(items: readonly T[], text: string, labelOf: (item: T) => string): T[] {
  const typed = fold(text.trim())
  if (!typed) return [...items]
  const rank = (item: T): number => {
    const label = fold(labelOf(item))
    if (label === typed) return 0
    const at = label.indexOf(typed)
    if (at < 0) return 6
    const isWordEnd = !/[\p{L}\p{N}]/u.test(label.charAt(at + typed.length))
    if (at === 0) return isWordEnd ? 1 : 2
    const isWordStart = !/[\p{L}\p{N}]/u.test(label.charAt(at - 1))
    return isWordStart ? (isWordEnd ? 3 : 4) : 5
  }
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** Those whose label has what is typed in it, the best first. */
export const matching = <T>(items: readonly T[], text: string, labelOf: (item: T) => string): T[] =>
  byMatch(items, text, labelOf).filter((item) => fold(labelOf(item)).includes(fold(text.trim())))
