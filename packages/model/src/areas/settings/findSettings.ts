import { type CommonSettingName, commonSettingNames, commonSettings, placeOf } from './commonSettings.ts'

/** What of a setting people may type, at its best first. */
interface Sought {
  name: CommonSettingName
  label: string
  /** Words of its values' labels. */
  values: string
  rest: string
}

/** One spelling, so that «Ё» and a hyphen keep nothing from being found. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Letters after which the ending of a Russian word begins, so that «пароля» finds «пароль». */
const stem = (word: string): string => (word.length > 4 ? word.slice(0, Math.max(4, word.length - 2)) : word)

const sought: readonly Sought[] = commonSettingNames.map((name) => {
  const { label, help = '', words = '', input } = commonSettings[name]
  const { child, group } = placeOf(name)
  const values = input && 'labels' in input ? Object.values(input.labels).join(' ') : ''
  return {
    name,
    label: ` ${plain(label)}`,
    values: ` ${plain(values)}`,
    rest: ` ${plain([help, words, group, child.page].join(' '))}`,
  }
})

const MAX_FOUND = 30
const MAX_TYPED = 100

/** Settings that hold all the words somewhere, best first: of the name, of its values, of help and synonyms. */
export function findSettings(text: string): CommonSettingName[] {
  const words = plain(text.slice(0, MAX_TYPED)).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const scored: { name: CommonSettingName; score: number }[] = []
  for (const { name, label, values, rest } of sought) {
    let score = 0
    for (const word of words) {
      const asked = ` ${stem(word)}`
      const points = label.includes(` ${word}`)
        ? 8
        : label.includes(asked)
          ? 6
          : values.includes(asked)
            ? 3
            : rest.includes(asked)
              ? 2
              : 0
      if (points === 0) {
        score = 0
        break
      }
      score += points
    }
    if (score > 0) scored.push({ name, score })
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ name }) => name)
}
