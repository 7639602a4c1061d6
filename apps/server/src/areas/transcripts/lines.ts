/** Splits the words of each channel into the lines of a conversation. Pure. */
import type { Speaker, SpokenWord } from '@ordinator/model/areas/transcripts/transcript'
import type { TranscribedWord } from './simulated.ts'
import { isSpoken, type Span } from './sound.ts'

/** Seconds of silence of one speaker that begin another line, and maximum number of words of a line. */
const BREAK_S = 1
const MOST_WORDS = 60

export interface Line {
  speaker: Speaker
  fromMs: number
  toMs: number
  text: string
  words: SpokenWord[]
}

/** Typical hallucinations of models in silence: lines with only these are dropped. */
const INVENTED =
  /^(?:продолжение следует|субтитры\s.*|редактор субтитров.*|спасибо за просмотр|подписывайтесь на канал|\.+)[.!… ]*$/i

/** The words of one channel as lines, except those in silence. */
export function linesOf(speaker: Speaker, words: readonly TranscribedWord[], speech: readonly Span[]): Line[] {
  const spoken = words.filter(({ from, to }) => isSpoken(speech, (from + to) / 2))
  const lines: Line[] = []
  for (const { word, from, to } of spoken) {
    const fromMs = Math.round(from * 1000)
    const toMs = Math.max(fromMs, Math.round(to * 1000))
    const last = lines.at(-1)
    const goesOn = last && fromMs - last.toMs < BREAK_S * 1000 && last.words.length < MOST_WORDS
    const ends = last && /[.?!…]$/.test(last.text) && fromMs - last.toMs > 250
    if (last && goesOn && !ends) {
      last.words.push([fromMs, toMs, word])
      last.text += ` ${word}`
      last.toMs = Math.max(last.toMs, toMs)
    } else lines.push({ speaker, fromMs, toMs, text: word, words: [[fromMs, toMs, word]] })
  }
  return lines.filter(({ text }) => !INVENTED.test(text))
}

/** All lines in the order of the conversation. */
export const inOrder = (lines: readonly Line[]): Line[] =>
  lines.toSorted((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs)
