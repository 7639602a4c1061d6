/** Words and times of visits as other programs write them. */
import type { PastStatus } from '@ordinator/model/areas/moving/move'
import { plainName } from '#areas/imports/index.ts'

/** `HH:mm` of a cell, of one that has a day before it too. */
export function clockIn(text: string): string | undefined {
  const [, hour = '', minute = ''] = /(?:^|[\sT])(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text.trim()) ?? []
  return hour && Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : undefined
}

const words: readonly [RegExp, PastStatus][] = [
  [/^(не приш|не яв|неяв|пропу|missed|no.?show|-1)/, 'missed'],
  [/^(отмен|удал|cancel|deleted|отказ|перенес)/, 'cancelled'],
  [
    /^(приш|пришел|состоя|оказан|выполн|заверш|провед|принят|явка|закрыт|оплач|completed|arrived|attended|done|1)/,
    'held',
  ],
]

/** The status that a word means; undefined: unknown. An empty cell is a visit that was held. */
export function pastStatusOf(word: string): PastStatus | undefined {
  const plain = plainName(word)
  if (!plain) return 'held'
  return words.find(([pattern]) => pattern.test(plain))?.[1]
}
