import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { callAccess } from '../calls/access.ts'

export const transcriptStatuses = {
  queued: 'Ждёт очереди',
  running: 'Расшифровывается',
  done: 'Готова',
  empty: 'Речи нет',
  failed: 'Не получилась',
  cancelled: 'Отменена',
} as const
export type TranscriptStatus = keyof typeof transcriptStatuses

export const speakers = { operator: 'Сотрудник', customer: 'Собеседник', unknown: 'Голос' } as const
export type Speaker = keyof typeof speakers

/** Text of a recorded call (module callTranscript). Visible to users who may listen to the call. */
export const Transcript = entity('calls/transcripts', {
  label: ['Расшифровка', 'расшифровки', 'расшифровок'],
  gender: 'f',
  fields: {
    idCall: ref('calls', { label: 'Звонок', as: 'call', required: true, readonly: true, onDelete: 'cascade' }),
    status: choice(transcriptStatuses, { label: 'Состояние', default: 'queued', readonly: true }),
    /** Percent of the recording that is transcribed. */
    progress: integer({ label: 'Готово, %', default: 0, min: 0, max: 100, readonly: true }),
    error: text({ label: 'Что случилось', max: 500, readonly: true }),
    seconds: integer({ label: 'Длительность, с', min: 0, readonly: true }),
    /** Seconds of speech, of all channels. */
    speechS: integer({ label: 'Речи, с', min: 0, readonly: true }),
    /** Speakers are separated by the recording's channels. */
    byChannels: boolean({ label: 'Голоса по каналам', default: false, readonly: true }),
    wordsCount: integer({ label: 'Слов', default: 0, min: 0, readonly: true }),
    model: text({ label: 'Модель', max: 120, readonly: true }),
    place: text({ label: 'Кто расшифровал', max: 255, readonly: true }),
    /** The user who requested it; empty: automatic. */
    idUser: ref('users', { label: 'Кто попросил', as: 'user', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Заказана', auto: 'created' }),
    dateDone: dateTime({ label: 'Готова', readonly: true }),
  },
  many: { lines: many('calls/transcript-lines', 'idTranscript') },
  access: callAccess,
  within: 'idCall',
  unique: [['idCall']],
  title: 'status',
  sort: '-id',
  soft: true,
})

/** Timing of a word: from and to in milliseconds of the recording, and the word. */
export type SpokenWord = readonly [from: number, to: number, word: string]

/** Continuous speech of one speaker. */
export const TranscriptLine = entity('calls/transcript-lines', {
  label: ['Реплика', 'реплики', 'реплик'],
  gender: 'f',
  registry: {
    columns: ['idCall', 'speaker', 'text', 'fromMs'],
    empty: {
      title: 'Расшифровок пока нет',
      text: 'Откройте звонок с записью и нажмите «Расшифровать» или включите расшифровку новых записей в подключениях.',
    },
  },
  fields: {
    idTranscript: ref('calls/transcripts', {
      label: 'Расшифровка',
      as: 'transcript',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idCall: ref('calls', { label: 'Звонок', as: 'call', required: true, readonly: true, onDelete: 'cascade' }),
    speaker: choice(speakers, { label: 'Кто говорит', required: true, readonly: true }),
    /** Milliseconds of the recording. */
    fromMs: integer({ label: 'С, мс', required: true, min: 0, readonly: true }),
    toMs: integer({ label: 'По, мс', required: true, min: 0, readonly: true }),
    text: text({ label: 'Что сказано', required: true, max: 10_000, readonly: true, search: true }),
    words: json<SpokenWord[]>()({ label: 'Слова', required: true, readonly: true }),
  },
  access: callAccess,
  within: 'idTranscript',
  title: 'text',
  sort: '-idCall,fromMs,id',
  soft: true,
})
