/** Чат с пациентом: dialogues with patients who have signed in. `live-assist` is for anonymous visitors. */
import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { CHAT_FILE_TYPES } from './chatFiles.ts'
import { MAX_MESSAGE, messageStates } from './liveAssist.ts'

export const onlineKinds = { admin: 'Администратор', doctor: 'Врач', support: 'Поддержка' } as const
export type OnlineKind = keyof typeof onlineKinds

/** new: no operator yet; waitPatient: the clinic has answered and waits for the patient. */
export const onlineStatuses = {
  new: 'Новый',
  active: 'Ждёт ответа',
  waitPatient: 'Ждём пациента',
  closed: 'Закрыт',
} as const
export type OnlineStatus = keyof typeof onlineStatuses

/** States of a paid dialogue with a doctor: from the order to the service or the refund. */
export const paidStates = {
  ordered: 'Ждёт оплаты',
  paid: 'Оплачен, ждёт врача',
  open: 'Врач отвечает',
  closed: 'Оказан',
  refundDue: 'Деньги к возврату',
  refunded: 'Деньги возвращены',
} as const
export type PaidState = keyof typeof paidStates

export const onlineAuthors = { patient: 'Пациент', staff: 'Сотрудник', system: 'Система' } as const

/** Minutes within which the author may edit a message. */
export const EDIT_MINUTES = 15
/** Hours after which an unanswered dialogue counts as missed. */
export const MISSED_HOURS = 24

const access = { view: ['onlineChat', 'displayTableServiceOnline', 'editDialogs'], update: 'onlineChat' } as const
const counter = (label: string) => integer({ label, default: 0, readonly: true, min: 0 })
const moment = (label: string) => dateTime({ label, readonly: true })

/** One conversation, from the first message to its close; the next message starts another. */
export const OnlineDialog = entity('service-online', {
  label: ['Диалог с пациентом', 'диалога с пациентом', 'диалогов с пациентами'],
  gender: 'm',
  registry: {
    columns: ['idCustomer', 'idUser', 'dateCreate', 'dateFirstAnswer', 'lastSeq', 'status', 'rating', 'idFilial'],
    empty: { title: 'Диалогов нет', text: 'Здесь будут разговоры с пациентами из личного кабинета.' },
  },
  fields: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      fixed: true,
      whenDeleted: 'stays',
    }),
    idUser: ref('users', {
      label: 'Сотрудник',
      as: 'user',
      readonly: true,
      whenDeleted: { keeps: { among: { status: ['new', 'active'] } } },
    }),
    kind: choice(onlineKinds, { label: 'Кому', default: 'admin', readonly: true }),
    status: choice(onlineStatuses, { label: 'Состояние', default: 'new', readonly: true }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', readonly: true, whenDeleted: 'stays' }),
    /** The last line, for lists. */
    lastMessage: text({ label: 'Последнее сообщение', max: 200, readonly: true }),
    dateLast: moment('Последнее сообщение в'),
    dateAssigned: moment('У сотрудника с'),
    /** Time of the first unanswered message; empty: all are answered. */
    queuedAt: moment('Ждёт с'),
    /** Deadline of the answer, in working hours of the branch. */
    nextDueAt: moment('Ответить до'),
    dateFirstAnswer: moment('Первый ответ'),
    lastSeq: counter('Сообщений'),
    inCount: counter('Сообщений пациента'),
    readIn: counter('Прочитано нами'),
    outCount: counter('Наших сообщений'),
    deliveredOut: counter('Доставлено пациенту'),
    readOut: counter('Прочитано пациентом'),
    answerSum: counter('Секунд ожидания'),
    answerCount: counter('Ответов'),
    /** Since when the clinic waits for the patient, and the seconds of earlier waits. */
    waitFrom: moment('Ждём пациента с'),
    waitSum: counter('Секунд ожидания пациента'),
    /** Working seconds. */
    firstAnswerTime: integer({ label: 'Первый ответ, с', readonly: true, min: 0 }),
    averageAnswerTime: integer({ label: 'Средний ответ, с', computed: true }),
    /** Seconds from assignment to close, without waiting for the patient. */
    handleTime: integer({ label: 'Обработка, с', computed: true }),
    numberOfUnreadMessages: integer({ label: 'Непрочитано', computed: true }),
    isMissed: boolean({ label: 'Пропущен', computed: true }),
    rating: integer({ label: 'Оценка', readonly: true, min: 1, max: 5 }),
    closeReason: text({ label: 'Чем закончился', max: 300, readonly: true }),
    /** For a paid dialogue: price in rubles, and the service. */
    paidSum: money({ label: 'Стоимость', readonly: true, min: 0 }),
    idService: ref('services', { label: 'Услуга', as: 'service', readonly: true, whenDeleted: 'stays' }),
    datePaid: moment('Оплачен'),
    /** Deadline of the doctor's first answer; after it the money is returned. */
    answerBy: moment('Врач ответит до'),
    /** The visit that contains the provided service. */
    idVisit: ref('appointments', { label: 'Визит', as: 'visit', readonly: true, onDelete: 'set null' }),
    dateRefundDue: moment('Деньги к возврату с'),
    dateRefunded: moment('Деньги возвращены'),
    paidState: choice(paidStates, { label: 'Оплата', computed: true }),
    dateClosed: moment('Закрыт в'),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
  },
  many: { messages: many('service-online/messages', 'idDialog') },
  pulse: [
    'lastMessage',
    'dateLast',
    'lastSeq',
    'inCount',
    'readIn',
    'outCount',
    'deliveredOut',
    'readOut',
    'answerSum',
    'answerCount',
    'waitSum',
  ],
  access,
  title: 'lastMessage',
  sort: '-dateCreate,-id',
  soft: true,
  personal: 'idCustomer',
})

/** A line of a dialogue. Texts before an edit or removal are in its history. */
export const OnlineMessage = entity('service-online/messages', {
  label: ['Сообщение диалога', 'сообщения диалога', 'сообщений диалога'],
  gender: 'n',
  fields: {
    idDialog: ref('service-online', {
      label: 'Диалог',
      as: 'dialog',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    /** Position in the dialogue, without gaps; position among the messages of its direction. */
    seq: integer({ label: 'Строка', readonly: true, required: true, min: 1 }),
    no: integer({ label: 'Номер', readonly: true, required: true, min: 0 }),
    author: choice(onlineAuthors, { label: 'Кто написал', readonly: true, required: true }),
    clientId: text({ label: 'Ключ отправителя', readonly: true, required: true, max: 64 }),
    text: text({ label: 'Текст', readonly: true, default: '', max: MAX_MESSAGE, multiline: true, search: true }),
    state: choice(messageStates, { label: 'Состояние', computed: true, required: true }),
    dateEdited: moment('Изменено'),
    dateRemoved: moment('Удалено'),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Написано', auto: 'created' }),
  },
  many: { files: many('service-online/message-files', 'idMessage') },
  access: { view: access.view },
  within: 'idDialog',
  unique: [
    ['idDialog', 'seq'],
    ['idDialog', 'clientId'],
  ],
  title: 'text',
  sort: '-seq',
})

/** Files of patients and of the clinic in dialogues. */
export const OnlineFile = storedFiles('service-online/files', {
  label: ['Файл диалога', 'файла диалога', 'файлов диалогов'],
  many: { messages: many('service-online/message-files', 'idFile') },
  access: { view: access.view, delete: 'onlineChat' },
  upload: { category: 'dialogs', access: 'onlineChat', extensions: CHAT_FILE_TYPES },
})

export const OnlineMessageFile = attachment('service-online/message-files', {
  label: ['Файл сообщения диалога', 'файла сообщения диалога', 'файлов сообщений диалогов'],
  of: {
    idMessage: ref('service-online/messages', {
      label: 'Сообщение',
      as: 'message',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idMessage',
  files: 'service-online/files',
  access: { view: access.view, create: 'onlineChat' },
})
