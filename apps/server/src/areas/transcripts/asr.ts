/** Speech recognition by the protocol of OpenAI (`POST /audio/transcriptions`, verbose_json with word times). */
import type { Speaker } from '@ordinator/model/areas/transcripts/transcript'
import type { AiPlace } from '#areas/settings/index.ts'
import { askAi, refusalWords } from '#platform/aiServer.ts'
import { simulatedTranscription, type TranscribedWord } from './simulated.ts'

/** Milliseconds for a piece of ten minutes. */
const TIMEOUT = 280_000
const MAX_ANSWER = 4_000_000
/** Maximum number of words of a piece: four per second. */
const MAX_WORDS = 6_000

export type Transcribed =
  | { is: 'done'; words: TranscribedWord[] }
  | { is: 'failed'; reason: string; isPassing: boolean }

/** Prompt for the model about the speaker, which improves recognition of a clinic's vocabulary. */
const hints: Record<Speaker, string> = {
  operator: 'Говорит администратор клиники: запись на приём, врачи, цены.',
  customer: 'Говорит пациент клиники: запись на приём, врачи, анализы.',
  unknown: 'Разговор администратора клиники с пациентом.',
}

export async function transcribeWave(
  place: AiPlace,
  wave: Buffer<ArrayBuffer>,
  speaker: Speaker,
  timeout = TIMEOUT,
): Promise<Transcribed> {
  if (place.mode === 'simulator') return { is: 'done', words: simulatedTranscription(wave, hints[speaker]) }
  const form = new FormData()
  form.set('file', new File([wave], 'talk.wav', { type: 'audio/wav' }))
  form.set('model', place.model || 'whisper-1')
  form.set('language', 'ru')
  form.set('prompt', hints[speaker])
  form.set('temperature', '0')
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'word')
  form.append('timestamp_granularities[]', 'segment')
  const sent = new Response(form)
  const reply = await askAi(place, '/audio/transcriptions', {
    body: new Uint8Array(await sent.arrayBuffer()),
    type: sent.headers.get('content-type') ?? '',
    timeout,
    maxAnswer: MAX_ANSWER,
  })
  if (reply.is !== 'answer') return { is: 'failed', reason: reply.reason, isPassing: reply.is === 'silent' }
  if (reply.status >= 300)
    return { is: 'failed', reason: refusalWords(reply.status), isPassing: reply.status >= 500 || reply.status === 429 }
  if (reply.isCut) return { is: 'failed', reason: 'Ответ слишком длинный', isPassing: false }
  const words = wordsIn(reply.text)
  return words
    ? { is: 'done', words }
    : { is: 'failed', reason: 'Сервер распознавания ответил не по протоколу OpenAI', isPassing: false }
}

interface Verbose {
  text?: unknown
  words?: unknown
  segments?: unknown
}

/** The words of a response, in order; segments without words share their time. Undefined for an invalid response. */
export function wordsIn(text: string): TranscribedWord[] | undefined {
  let parsed: Verbose
  try {
    parsed = JSON.parse(text) as Verbose
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null || typeof parsed.text !== 'string') return undefined
  const timed = timesIn(parsed.words, 'word') ?? timesIn(parsed.segments, 'text')
  if (!timed) return parsed.text.trim() === '' ? [] : undefined
  if (timed.length > MAX_WORDS) return undefined
  return timed.flatMap(({ text: words, from, to }) => {
    const each = words.trim().split(/\s+/).filter(Boolean)
    const step = (to - from) / each.length
    return each.map((word, at) => ({ word: word.slice(0, 60), from: from + step * at, to: from + step * (at + 1) }))
  })
}

function timesIn(list: unknown, key: 'word' | 'text') {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const read = list.map((one: Record<string, unknown> | null) => ({
    text: typeof one?.[key] === 'string' ? (one[key] as string).replaceAll('\0', '') : '',
    from: Number(one?.start),
    to: Number(one?.end),
  }))
  const isFine = read.every(({ from, to }) => Number.isFinite(from) && Number.isFinite(to) && to >= from && from >= 0)
  return isFine ? read.toSorted((a, b) => a.from - b.from) : undefined
}
