import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { semdAccess } from './access.ts'

export const semdStatuses = {
  draft: 'Черновик: есть ошибки',
  validated: 'Проверен, ждёт врача',
  signedDoctor: 'Подписан врачом',
  signedOrg: 'Подписан организацией',
  sent: 'Отправляется',
  accepted: 'В обработке',
  registered: 'Зарегистрирован',
  rejected: 'Отклонён',
  network: 'Ошибка связи',
  cancelled: 'Отменён',
  replaced: 'Заменён новой версией',
} as const
export type SemdStatus = keyof typeof semdStatuses

/** Sources of a document. */
export const semdSources = {
  examinations: 'Осмотр',
  laboratory: 'Лабораторное исследование',
  taxCertificate: 'Оплаты за год',
} as const
export type SemdSourceKind = keyof typeof semdSources

export const findingSources = {
  data: 'Данные',
  schema: 'Схема',
  schematron: 'Правило',
  dictionary: 'Справочник',
  register: 'РЭМД',
  template: 'Шаблон',
} as const
export const severities = { error: 'Ошибка', warning: 'Предупреждение', off: 'Не проверять' } as const
export type Severity = keyof typeof severities

/** A problem of a document, with its origin. */
export interface Finding {
  source: keyof typeof findingSources
  severity: 'error' | 'warning'
  /** Code of the rule: `У1-12`, `patient.snils`, or of the register. */
  code: string
  message: string
  /** How to fix it, in Russian. */
  mend?: string
  /** Page of the product to fix it: `/customers/12`. */
  link?: string
}
export const MAX_FINDINGS = 200

/** Signers in this order; the kind's setting selects them. */
export const signerRoles = { doctor: 'Врач', commission: 'Врачебная комиссия', organization: 'Организация' } as const
export type SignerRole = keyof typeof signerRoles
export const rolesOf = (signers: 'doctor' | 'organization' | 'commission'): readonly SignerRole[] =>
  signers === 'doctor'
    ? ['doctor', 'organization']
    : signers === 'commission'
      ? ['doctor', 'commission', 'organization']
      : ['organization']

/** The next signature due; undefined: none, or not yet. */
export function dueRole(
  status: SemdStatus,
  signers: 'doctor' | 'organization' | 'commission',
  signed: readonly SignerRole[],
): SignerRole | undefined {
  if (status !== 'validated' && status !== 'signedDoctor') return undefined
  return rolesOf(signers).find((role) => !signed.includes(role))
}

/** Documents that can still be rebuilt from their source. */
export const mayRebuild = (status: SemdStatus): boolean => status === 'draft' || status === 'validated'
/** Hours after which an accepted document without an answer counts as late. */
export const LATE_HOURS = 24

/**
 * Documents that can be sent to the register, for the first time or again. One that was accepted and not answered in time
 * is sent again: the register knows it by its localUid.
 */
export const maySend = (
  { status, dateSent }: { status: SemdStatus; dateSent: string | null },
  now: number = Date.now(),
): boolean =>
  status === 'signedOrg' ||
  status === 'network' ||
  (status === 'accepted' && dateSent !== null && Date.parse(dateSent) <= now - LATE_HOURS * 3_600_000)
/** A document that the register has, or may have, is cancelled there; others only here. */
export const mayCancel = (status: SemdStatus): boolean =>
  status !== 'cancelled' && status !== 'replaced' && status !== 'sent'
/** A rejected or a registered document is corrected by a new version. */
export const mayRevise = (status: SemdStatus): boolean => status === 'rejected' || status === 'registered'

/**
 * ЭМД: one version of an electronic medical document, built from a record of the clinic, checked, signed and registered
 * in the federal register. Its file and signatures are immutable once it is signed.
 */
export const Semd = entity('egisz/semds', {
  label: ['ЭМД', 'ЭМД', 'ЭМД'],
  gender: 'm',
  registry: {
    columns: ['title', 'idCustomer', 'idUser', 'dateDocument', 'status', 'errorCount', 'emdrId'],
    empty: {
      title: 'Документов пока нет',
      text: 'ЭМД появится, когда врач подпишет осмотр вида, который клиника отправляет в РЭМД.',
    },
  },
  fields: {
    title: text({ label: 'Документ', required: true, readonly: true, max: 300, search: true }),
    idKind: ref('egisz/documents', {
      label: 'Вид',
      as: 'kind',
      required: true,
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'keeps',
    }),
    source: choice(semdSources, { label: 'Из чего', required: true, readonly: true }),
    idSource: integer({ label: 'Номер записи', required: true, readonly: true }),
    idExamination: ref('examinations', {
      label: 'Осмотр',
      as: 'examination',
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'own',
    }),
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idUser: ref('users', { label: 'Врач', as: 'user', readonly: true, onDelete: 'set null' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', readonly: true, onDelete: 'set null' }),
    localUid: text({ label: 'Идентификатор в МИС', required: true, readonly: true, max: 36, search: true }),
    /** Shared by all versions of one document. */
    setUid: text({ label: 'Набор версий', required: true, readonly: true, max: 36 }),
    version: integer({ label: 'Версия', default: 1, readonly: true, min: 1 }),
    idPrevious: ref('egisz/semds', { label: 'Исправляет', as: 'previous', readonly: true, onDelete: 'restrict' }),
    status: choice(semdStatuses, { label: 'Состояние', default: 'draft', readonly: true }),
    findings: json<Finding[]>()({ label: 'Ошибки и предупреждения', required: true, readonly: true, briefly: true }),
    errorCount: integer({ label: 'Ошибок', default: 0, readonly: true, min: 0 }),
    /** In Russian: why it was rejected or could not be sent. */
    error: text({ label: 'Почему', readonly: true, max: 1000 }),
    emdrId: text({ label: 'Номер в РЭМД', readonly: true, max: 64, search: true }),
    dateDocument: dateTime({ label: 'Дата документа', required: true, readonly: true }),
    dateSignedDoctor: dateTime({ label: 'Подписал врач', readonly: true }),
    dateSignedOrg: dateTime({ label: 'Подписала организация', readonly: true }),
    dateSent: dateTime({ label: 'Отправлен', readonly: true }),
    dateAnswered: dateTime({ label: 'Ответ РЭМД', readonly: true }),
    dateRegistered: dateTime({ label: 'Зарегистрирован', readonly: true }),
    /** The next signer. */
    dueRole: choice(signerRoles, { label: 'Кто подписывает', readonly: true }),
    cancelReason: text({ label: 'Причина отмены', readonly: true, max: 500 }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: { view: semdAccess, export: 'viewReportEgiszOperationsLog' },
  unique: [['localUid']],
  title: 'title',
  sort: '-dateDocument,-id',
  soft: true,
  personal: 'idCustomer',
})

export const egiszOperations = {
  register: 'Регистрация',
  cancel: 'Отмена регистрации',
  file: 'Запрос файла',
} as const
export const operationStatuses = {
  queued: 'В очереди',
  accepted: 'В обработке',
  done: 'Выполнена',
  rejected: 'Отклонена',
  network: 'Ошибка связи',
} as const

/** «Журнал операций»: requests to the register with their outcome. Written without the records engine. */
export const EgiszOperation = entity('egisz/operations', {
  label: ['Операция РЭМД', 'операции РЭМД', 'операций РЭМД'],
  gender: 'f',
  registry: {
    columns: [
      'dateCreate',
      'operation',
      'title',
      'idCustomer',
      'idUser',
      'idFilial',
      'status',
      'emdrId',
      'seconds',
      'error',
    ],
    empty: { title: 'Операций пока не было', text: 'Здесь будет каждая регистрация и отмена документа в РЭМД.' },
  },
  fields: {
    dateCreate: dateTime({ label: 'Когда', required: true, readonly: true }),
    operation: choice(egiszOperations, { label: 'Операция', required: true, readonly: true }),
    idSemd: ref('egisz/semds', { label: 'ЭМД', as: 'semd', required: true, readonly: true, onDelete: 'cascade' }),
    title: text({ label: 'Документ', required: true, readonly: true, max: 300, search: true }),
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idUser: ref('users', { label: 'Врач', as: 'user', readonly: true, onDelete: 'set null' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', readonly: true, onDelete: 'set null' }),
    status: choice(operationStatuses, { label: 'Итог', required: true, readonly: true, default: 'queued' }),
    emdrId: text({ label: 'Номер в РЭМД', readonly: true, max: 64 }),
    errorCode: text({ label: 'Код отказа', readonly: true, max: 64 }),
    error: text({ label: 'Почему', readonly: true, max: 1000 }),
    /** From queueing to the final answer. */
    seconds: integer({ label: 'Длилось, с', readonly: true, min: 0 }),
  },
  access: { view: 'viewReportEgiszOperationsLog', export: 'viewReportEgiszOperationsLog' },
  unrecorded: true,
  personal: 'idCustomer',
  title: 'title',
  sort: '-id',
})

export const eventKinds = {
  validation: 'Проверка',
  signing: 'Подпись',
  queue: 'Очередь',
  callback: 'Ответ РЭМД',
  dictionary: 'Справочник',
  settings: 'Схемы и шаблоны',
} as const
export const eventLevels = { info: 'Сведения', warning: 'Предупреждение', error: 'Ошибка' } as const

/** «Журнал событий»: events of the exchange with ЕГИСЗ. Without patients' data. Written without the records engine. */
export const EgiszEvent = entity('egisz/events', {
  branchBy: ['idSemd'],
  label: ['Событие ЕГИСЗ', 'события ЕГИСЗ', 'событий ЕГИСЗ'],
  gender: 'n',
  registry: {
    columns: ['dateCreate', 'level', 'kind', 'text', 'idSemd', 'idUser'],
    empty: {
      title: 'Событий пока не было',
      text: 'Здесь будут проверки, подписи, ответы РЭМД и загрузки справочников.',
    },
  },
  fields: {
    dateCreate: dateTime({ label: 'Когда', required: true, readonly: true }),
    kind: choice(eventKinds, { label: 'О чём', required: true, readonly: true }),
    level: choice(eventLevels, { label: 'Уровень', required: true, readonly: true, default: 'info' }),
    text: text({ label: 'Что произошло', required: true, readonly: true, max: 1000, search: true }),
    idSemd: ref('egisz/semds', { label: 'ЭМД', as: 'semd', readonly: true, onDelete: 'cascade' }),
    idUser: ref('users', { label: 'Кто', as: 'user', readonly: true, onDelete: 'set null' }),
  },
  access: { view: 'viewReportEgiszMessages', export: 'viewReportEgiszMessages' },
  unrecorded: true,
  title: 'text',
  sort: '-id',
})
