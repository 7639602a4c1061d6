import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import type { MoveSum, MoveTableKey } from '../moving/tables.ts'

/** Whose data go: see `whose.ts` of the server for what makes a patient one of a branch. */
export const handoverWho = {
  only: 'Только тех, кто был лишь в этом филиале',
  all: 'Всех, кто был в этом филиале',
} as const
export type HandoverWho = keyof typeof handoverWho

export const handoverStates = {
  running: 'Собирается',
  done: 'Готова',
  failed: 'Не получилась',
  cancelled: 'Остановлена',
  gone: 'Удалена по сроку',
} as const
export type HandoverState = keyof typeof handoverStates

/** Days for which the files of a handover stay in the storage. */
export const HANDOVER_DAYS = 7

/** A file of a handover, in its order. */
export interface HandoverFile {
  name: string
  /** Bytes. */
  size: number
}

/** Figures of what was written, for the reconciliation at the buyer's. Sums in rubles; of bonuses: bonuses. */
export interface HandoverFigures {
  tables: { key: MoveTableKey; rows: number; files: number }[]
  sums: { kind: MoveSum; people: number; sum: number }[]
  /** Records of the folder «записи». */
  records: number
  /** Why something stays, in words, with how much of it. */
  left: { words: string; count: number }[]
}

const readonly = true

/** The data of one branch as files for its buyer: a run in the background. */
export const FilialHandover = entity('filials/handovers', {
  label: ['Передача филиала', 'передачи филиала', 'передач филиалов'],
  gender: 'f',
  fields: {
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      required: true,
      readonly,
      whenDeleted: 'stays',
    }),
    who: choice(handoverWho, { label: 'Чьи данные', required: true, readonly }),
    state: choice(handoverStates, { label: 'Состояние', readonly, default: 'running' }),
    stage: text({ label: 'Что делается', readonly, max: 120 }),
    progress: integer({ label: 'Сделано, %', readonly, default: 0 }),
    patients: integer({ label: 'Пациентов', readonly }),
    size: decimal({ label: 'Байтов', readonly, scale: 0 }),
    files: json<readonly HandoverFile[]>()({ label: 'Файлы', readonly }),
    figures: json<HandoverFigures>()({ label: 'Итоги', readonly }),
    message: text({ label: 'Причина', readonly, max: 500 }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Начата', auto: 'created', clock: 'filial.timeZone' }),
    dateEnd: dateTime({ label: 'Окончена', readonly, clock: 'filial.timeZone' }),
  },
  access: { view: 'handOverFilial' },
  title: 'who',
  sort: '-id',
  soft: true,
})
