import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

export const importStates = {
  running: 'Идёт',
  done: 'Завершён',
  failed: 'Прерван ошибкой',
  cancelled: 'Отменён',
  reverting: 'Отменяется',
  reverted: 'Отменён полностью',
} as const

/** What could not be taken in, by row of the file (from 1, the head not counted). */
export interface ImportError {
  row: number
  /** Name of the column; empty: the row as a whole. */
  field: string
  message: string
  /** The row is taken in all the same; this is to be known of it. */
  note?: boolean
}

/** What an importer can take in, as the preview tells it. */
export interface ImportColumn {
  name: string
  required?: boolean
  /** Two examples for the file that people fill in. */
  examples?: readonly [string, string]
}

/** The answer to an uploaded file, before anything is made of it. */
export interface ImportPreview {
  /** Names the stored file for the start of the import; it is kept for an hour. */
  upload: string
  fileName: string
  /** Columns of the file in their order, each with up to three values. Empty where the file is not a table. */
  head: { name: string; samples: string[] }[]
  columns: ImportColumn[]
  /** Which column of the file (from 0) each of the importer's columns is taken from. */
  mapping: ImportMapping
  total: number
  /** Rows that have an error. */
  wrong: number
  /** Rows that are passed over by choice; a note says why. */
  skipped: number
  /** The first rows as they would be, and after them the first wrong ones; by name of the importer's column. */
  rows: { row: number; values: Record<string, string> }[]
  errors: ImportError[]
  /** How many errors there are; `errors` holds the first of them. */
  errorsTotal: number
}

export type ImportMapping = Record<string, number>

/** A record of an import that somebody else has changed since. */
export interface ImportChanged {
  path: string
  idEntity: number
  title: string
  /** Who changed it last. */
  user: string
}

/** One run of an import: what it made can be taken back as a whole. */
export const Import = entity('imports', {
  label: ['Импорт', 'импорта', 'импортов'],
  fields: {
    /** The importer that the area offers: `tasks`, `trello`. */
    kind: text({ label: 'Что', required: true, readonly: true, max: 64 }),
    fileName: text({ label: 'Файл', required: true, readonly: true, max: 255 }),
    params: json()({ label: 'Настройки', readonly: true }),
    state: choice(importStates, { label: 'Состояние', readonly: true, default: 'running' }),
    total: integer({ label: 'Строк', readonly: true, default: 0 }),
    done: integer({ label: 'Обработано', readonly: true, default: 0 }),
    created: integer({ label: 'Создано', readonly: true, default: 0 }),
    failed: integer({ label: 'Строк с ошибками', readonly: true, default: 0 }),
    /** Why it stopped. */
    message: text({ label: 'Причина', readonly: true, max: 1000 }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateEnd: dateTime({ label: 'Окончен', readonly: true }),
  },
  access: { view: 'signed-in' },
  rule: (actor, _action, record: { idUser: number }) => record.idUser === actor.id,
  title: 'fileName',
  sort: '-id',
  soft: true,
})
