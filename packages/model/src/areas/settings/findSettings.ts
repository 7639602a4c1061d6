import { type CommonSettingName, commonSettingNames, commonSettings, placeOf } from './commonSettings.ts'

/** Search texts of a setting, by rank. */
interface Sought {
  name: CommonSettingName
  label: string
  /** Labels of its values. */
  values: string
  rest: string
}

/** Normalized spelling, so that «Ё» and hyphens do not matter. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Stem of a Russian word, so that «пароля» finds «пароль». */
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

/** Settings that contain all words, ranked: in the name, in values, in help and synonyms. */
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
