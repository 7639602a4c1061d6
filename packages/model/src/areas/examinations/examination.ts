import { type Actor, holds } from '../../access.ts'
import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import type { ExaminationForm } from './form.ts'

export const examinationStatuses = {
  draft: 'Черновик',
  done: 'Завершён',
  signed: 'Подписан',
  corrected: 'Исправлен',
} as const
export type ExaminationStatus = keyof typeof examinationStatuses

export const diagnosisKinds = { main: 'Основной', accompanying: 'Сопутствующий', complication: 'Осложнение' } as const
export const diagnosisTypes = { preliminary: 'Предварительный', final: 'Заключительный' } as const

/** A diagnosis of МКБ-10 with its name at the time of the choice. */
export interface Diagnosis {
  code: string
  name: string
  kind: keyof typeof diagnosisKinds
  type: keyof typeof diagnosisTypes
  note?: string
}
export interface Prescription {
  name: string
  /** «по 1 таблетке 2 раза в день». */
  how: string
  /** «10 дней». */
  term: string
}

export const MAX_DIAGNOSES = 20
export const MAX_PRESCRIPTIONS = 40
export const MAX_RECOMMENDATIONS = 40

export const examinationAccess = {
  view: 'viewExaminations',
  create: 'editExaminations',
  delete: 'editExaminations',
} as const

const moment = (label: string) => dateTime({ label, readonly: true })

/**
 * A doctor's findings, in the form of one template version. Only `save` writes a draft: it merges changes of several
 * users. A signed examination is immutable and is corrected by a new one that replaces it.
 */
export const Examination = entity('examinations', {
  label: ['Осмотр', 'осмотра', 'осмотров'],
  gender: 'm',
  registry: {
    columns: ['name', 'idCustomer', 'idUser', 'date', 'status', 'diagnosis', 'filled'],
    empty: { title: 'Осмотров пока нет', text: 'Начните осмотр отсюда, из записи или из карты клиента.' },
  },
  fields: {
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, fixed: true, whenDeleted: 'asks' }),
    idTemplate: ref('examination-templates', {
      label: 'Шаблон',
      as: 'template',
      required: true,
      fixed: true,
      onDelete: 'restrict',
      whenDeleted: {
        keeps: {
          among: { status: ['draft'] },
          words: ['незаконченный осмотр', 'незаконченных осмотра', 'незаконченных осмотров'],
        },
        asks: true,
      },
    }),
    idAppointment: ref('appointments', { label: 'Запись', as: 'appointment', fixed: true, onDelete: 'set null' }),
    idVersion: ref('examination-templates/versions', {
      label: 'Версия шаблона',
      as: 'templateVersion',
      required: true,
      readonly: true,
      onDelete: 'restrict',
    }),
    /** Name of the template when the examination was started. */
    name: text({ label: 'Осмотр', required: true, readonly: true, max: 200, search: true }),
    idUser: ref('users', { label: 'Врач', as: 'user', auto: 'actor' }),
    date: date({ label: 'Дата осмотра', required: true, readonly: true }),
    status: choice(examinationStatuses, { label: 'Состояние', default: 'draft', readonly: true }),
    values: json<Record<string, unknown>>()({ label: 'Содержание', required: true, readonly: true, briefly: true }),
    diagnoses: json<Diagnosis[]>()({ label: 'Диагнозы', required: true, readonly: true, briefly: true }),
    prescriptions: json<Prescription[]>()({ label: 'Назначения', required: true, readonly: true, briefly: true }),
    recommendations: json<string[]>()({ label: 'Рекомендации', required: true, readonly: true, briefly: true }),
    /** Parts with an accepted draft of a language model: the run by part. */
    assisted: json<Record<string, number>>()({ label: 'Сформировано ИИ', readonly: true, briefly: true }),
    /** The main diagnosis, for lists and conditions. */
    code: identifier('icd10', { label: 'Код диагноза', readonly: true }),
    diagnosis: text({ label: 'Диагноз', readonly: true, max: 600, search: true }),
    filled: integer({ label: 'Заполнено, %', default: 0, readonly: true, min: 0, max: 100 }),
    /** The form of its version, for users who may see the examination. */
    form: json<ExaminationForm>()({ label: 'Разделы и поля', computed: true, required: true, lazy: true }),
    /** The corrected examination and the reason. */
    idCorrected: ref('examinations', {
      label: 'Исправляет',
      as: 'corrects',
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'own',
    }),
    correction: text({ label: 'Причина исправления', readonly: true, max: 1000, multiline: true }),
    number: integer({ label: 'Версия осмотра', default: 1, readonly: true, min: 1 }),
    dateDone: moment('Завершён'),
    dateSigned: moment('Подписан'),
    idSigner: ref('users', { label: 'Кто подписал', as: 'signer', readonly: true, whenDeleted: 'stays' }),
    /** SHA-256 of the signed data. */
    digest: text({ label: 'Отпечаток подписанного', readonly: true, max: 64 }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
    idEditor: ref('users', { label: 'Кто изменил', as: 'editor', auto: 'editor' }),
  },
  many: { attachments: many('examinations/files', 'idExamination'), corrections: many('examinations', 'idCorrected') },
  access: examinationAccess,
  kept: ({ status }: { status: ExaminationStatus }) =>
    status === 'draft' ? undefined : 'Удаляют только черновик: подписанный осмотр исправляют новой версией',
  title: 'name',
  sort: '-date,-id',
  soft: true,
  personal: 'idCustomer',
})

/** A file uploaded to an examination: a scan, a photograph. */
export const ExaminationFile = storedFiles('examinations/uploads', {
  label: ['Файл осмотра', 'файла осмотра', 'файлов осмотра'],
  many: { attachments: many('examinations/files', 'idFile') },
  access: { view: examinationAccess.view, delete: examinationAccess.view },
  upload: { category: 'examinations', access: 'editExaminations' },
})

export const ExaminationAttachment = attachment('examinations/files', {
  label: ['Вложение осмотра', 'вложения осмотра', 'вложений осмотра'],
  of: {
    idExamination: ref('examinations', {
      label: 'Осмотр',
      as: 'examination',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idExamination',
  files: 'examinations/uploads',
  access: { view: examinationAccess.view, create: examinationAccess.create, delete: examinationAccess.delete },
})

/** Facts of an examination for access rules. */
interface Owned {
  idUser: number
  status: ExaminationStatus
}

/** True when the user may write the draft: an own one, or by right another's. */
export const mayWrite = (actor: Actor, { idUser, status }: Owned): boolean =>
  status === 'draft' &&
  holds(actor, 'editExaminations') &&
  (idUser === actor.id || holds(actor, 'foreignExaminationDrafts'))

/** Only the examination's own doctor signs it. */
export const maySign = (actor: Actor, { idUser, status }: Owned): boolean =>
  status === 'done' && idUser === actor.id && holds(actor, 'editExaminations')

/** A finished examination may return to draft while it is not signed. */
export const mayReopen = (actor: Actor, { idUser, status }: Owned): boolean =>
  status === 'done' &&
  holds(actor, 'editExaminations') &&
  (idUser === actor.id || holds(actor, 'foreignExaminationDrafts'))

export const mayCorrect = (actor: Actor, { idUser, status }: Owned): boolean =>
  status === 'signed' && idUser === actor.id && holds(actor, 'editExaminations')
