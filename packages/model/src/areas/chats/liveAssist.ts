import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { integer } from '../../fields/integer.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { endFields } from '../appeals/outcome.ts'
import { CHAT_FILE_TYPES } from './chatFiles.ts'

export const chatStatuses = { active: 'Активный', archive: 'В архиве', completed: 'Завершён' } as const
export type ChatStatus = keyof typeof chatStatuses

/** Handler of a chat: none yet, the robot, or an operator. */
export const chatHandlers = { none: 'Никто', robot: 'Робот', human: 'Оператор' } as const
export type ChatHandler = keyof typeof chatHandlers

/** Statuses of an operator; one without a heartbeat becomes away. */
export const operatorStates = { online: 'Принимаю', away: 'Отошёл', offline: 'Не принимаю' } as const
export type OperatorState = keyof typeof operatorStates

/** Name of a visitor who has given none. */
export const GUEST = 'Гость'

/** Characters of a message: the smallest limit of the channels. */
export const MAX_MESSAGE = 4096

const chatAccess = { view: ['supportOperator', 'displayTableLiveAssist'], update: 'supportOperator' } as const

const visitorSays = {
  name: text({ label: 'Имя', required: true, max: 128, search: true }),
  phone: phone({ label: 'Телефон', search: true }),
  email: email({ label: 'Электронная почта', search: true }),
}

const counter = (label: string) => integer({ label, default: 0, readonly: true, min: 0 })

/** A person who writes from outside, under a self-chosen name; the token is stored separately and never returned. */
export const Visitor = entity('live-assist/visitors', {
  branchBy: ['idDomain', 'idChannel'],
  label: ['Посетитель', 'посетителя', 'посетителей'],
  gender: 'm',
  fields: {
    ...visitorSays,
    /** Version of the consent text that the visitor accepted, at the source of the chat. */
    consentVersion: integer({ label: 'Версия согласия', readonly: true, min: 1 }),
    consentAt: dateTime({ label: 'Согласие дано', readonly: true }),
    consentIp: text({ label: 'Адрес при согласии', max: 64, readonly: true }),
    idDomain: ref('live-assist/domains', { label: 'Сайт', as: 'domain', readonly: true, whenDeleted: 'stays' }),
    /** The visitor's id in the messenger. */
    idChannel: ref('live-assist/channels', { label: 'Канал', as: 'channel', readonly: true, whenDeleted: 'stays' }),
    idExternal: text({ label: 'Номер в мессенджере', max: 64, readonly: true }),
    /** Created by the simulator for training; deleted with its run. */
    training: boolean({ label: 'Учебный', default: false, readonly: true }),
    dateCreate: dateTime({ label: 'Появился', auto: 'created' }),
  },
  fresh: { actions: ['export'] },
  access: { view: chatAccess.view },
  unique: [['idChannel', 'idExternal']],
  title: 'name',
  sort: '-id',
})

/**
 * A conversation with a visitor, from the first message to the archive (spec §3). Its messages hold the text; each
 * written message updates the counters here under this row's lock.
 */
export const LiveAssist = entity('live-assist', {
  label: ['Чат', 'чата', 'чатов'],
  gender: 'm',
  registry: {
    columns: [
      'name',
      'status',
      'sourceName',
      'idCustomer',
      'idUser',
      'dateCreate',
      'firstAnswerTime',
      'averageAnswerTime',
      'idOutcome',
      'nextStep',
      'rating',
    ],
    empty: { title: 'Чатов нет', text: 'Здесь будут разговоры с посетителями сайта: кто, с кем и чем закончил.' },
  },
  fields: {
    ...visitorSays,
    status: choice(chatStatuses, { label: 'Состояние', default: 'active', readonly: true }),
    handler: choice(chatHandlers, { label: 'Отвечает', default: 'none', readonly: true }),
    source: text({ label: 'Источник', max: 64, readonly: true }),
    sourceName: text({ label: 'Название источника', max: 128, readonly: true }),
    banned: boolean({ label: 'Заблокирован', default: false, readonly: true }),
    idUser: ref('users', {
      label: 'Оператор',
      as: 'user',
      readonly: true,
      whenDeleted: {
        keeps: { among: { status: ['active'] }, words: ['открытый чат', 'открытых чата', 'открытых чатов'] },
      },
    }),
    /** Operator before the chat was completed or returned. */
    lastUser: ref('users', { label: 'Последний оператор', as: 'lastOperator', readonly: true, whenDeleted: 'stays' }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', whenDeleted: 'stays' }),
    idVisitor: ref('live-assist/visitors', { label: 'Посетитель', as: 'visitor', readonly: true }),
    idDomain: ref('live-assist/domains', { label: 'Сайт', as: 'domain', readonly: true, whenDeleted: 'asks' }),
    idChannel: ref('live-assist/channels', { label: 'Канал', as: 'channel', readonly: true, whenDeleted: 'asks' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'stays' }),
    /** Group whose operators answer; empty: any operator. */
    idGroup: ref('live-assist/groups', {
      label: 'Группа операторов',
      as: 'group',
      onDelete: 'set null',
      readonly: true,
    }),
    /** The last line visible to the visitor. */
    lastMessage: text({ label: 'Последнее сообщение', max: 200, readonly: true, briefly: true }),
    dateLast: dateTime({ label: 'Последнее сообщение в', readonly: true }),
    /** When its operator got it; how often it returned to the queue unanswered. */
    dateAssigned: dateTime({ label: 'У оператора с', readonly: true }),
    returns: counter('Возвратов в очередь'),
    /** Time of the first unanswered message; empty: all are answered. */
    queuedAt: dateTime({ label: 'Ждёт с', readonly: true }),
    /** Deadline of the answer, in working hours of the branch. */
    nextDueAt: dateTime({ label: 'Ответить до', readonly: true }),
    snoozedUntil: dateTime({ label: 'Отложен до', readonly: true }),
    /** A visitor's message does not end the snooze. */
    snoozeHard: boolean({ label: 'Не будить ответом', default: false, readonly: true }),
    /**
     * Numbers of: all lines and notes; the visitor's messages; the last of them read; our messages, delivered and read.
     */
    lastSeq: counter('Строк'),
    inCount: counter('Сообщений посетителя'),
    readIn: counter('Прочитано нами'),
    outCount: counter('Наших сообщений'),
    deliveredOut: counter('Доставлено посетителю'),
    readOut: counter('Прочитано посетителем'),
    robotTurns: counter('Ответов робота'),
    /** Number of changes to earlier lines; the visitor's script asks for changes by it. */
    revision: counter('Правок'),
    answerSum: counter('Секунд ожидания'),
    answerCount: counter('Ответов оператора'),
    /** Working seconds. */
    firstAnswerTime: integer({ label: 'Первый ответ, с', readonly: true, min: 0 }),
    averageAnswerTime: integer({ label: 'Средний ответ, с', computed: true }),
    numberOfUnreadMessages: integer({ label: 'Непрочитано', computed: true }),
    /** Needs the user: an own chat with unread messages, or one of the user's groups without an operator. */
    awaitsMe: boolean({ label: 'Ждёт меня', computed: true, lazy: true }),
    /** The user answers in its group, or supervises. */
    isForMe: boolean({ label: 'Моей группы', computed: true, lazy: true }),
    ...endFields,
    rating: integer({ label: 'Оценка', readonly: true, min: 1, max: 5 }),
    dateCompleted: dateTime({ label: 'Завершён в', readonly: true }),
    /** Created by the simulator for training; deleted with its run. */
    training: boolean({ label: 'Учебный', default: false, readonly: true }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { messages: many('live-assist/messages', 'idLiveAssist') },
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
    'dateChange',
    'queuedAt',
    'nextDueAt',
  ],
  fresh: { actions: ['export'] },
  access: chatAccess,
  title: 'name',
  sort: '-dateCreate,-id',
  soft: true,
})

export const messageKinds = {
  visitor: 'Посетитель',
  staff: 'Оператор',
  robot: 'Робот',
  system: 'Система',
} as const
export type MessageKind = keyof typeof messageKinds

/** Delivery state of our message; it only moves forward. */
export const messageStates = {
  failed: 'Не отправлено',
  sent: 'Отправлено',
  delivered: 'Доставлено',
  read: 'Прочитано',
} as const

const ofChat = ref('live-assist', {
  label: 'Чат',
  as: 'chat',
  required: true,
  fixed: true,
  onDelete: 'cascade',
})
const seq = integer({ label: 'Строка', readonly: true, required: true, min: 1 })

/** A chat line visible to the visitor. Written by calls; the sender's idempotency key prevents duplicates. */
export const ChatMessage = entity('live-assist/messages', {
  label: ['Сообщение', 'сообщения', 'сообщений'],
  gender: 'n',
  fields: {
    idLiveAssist: ofChat,
    /** Position among the lines and notes of the chat, without gaps. */
    seq,
    /** Position among the messages of its direction. */
    no: integer({ label: 'Номер', readonly: true, required: true, min: 0 }),
    kind: choice(messageKinds, { label: 'Кто написал', readonly: true, required: true }),
    clientId: text({ label: 'Ключ отправителя', readonly: true, required: true, max: 64 }),
    /** Current text; earlier texts are in the versions, for users with the right to read them. */
    message: text({
      label: 'Текст',
      readonly: true,
      default: '',
      max: MAX_MESSAGE,
      multiline: true,
      search: 'latest',
      briefly: true,
    }),
    /** Ids of the messages sent to a messenger for this line, separated by spaces, and the reason of a failure. */
    idExternal: text({ label: 'Номер в мессенджере', max: 1000, readonly: true }),
    failure: text({ label: 'Почему не отправлено', max: 300, readonly: true }),
    /** Time of the author's last edit. */
    dateEdited: dateTime({ label: 'Изменено', readonly: true }),
    /** Removed: the line keeps its position without text and files. */
    dateRemoved: dateTime({ label: 'Удалено', readonly: true }),
    idRemover: ref('users', { label: 'Кто удалил', as: 'remover', readonly: true, whenDeleted: 'stays' }),
    /** The chat's revision with the last change of this line; 0: never changed. */
    revision: counter('Правка'),
    isRead: boolean({ label: 'Прочитано', computed: true, required: true }),
    state: choice(messageStates, { label: 'Состояние', computed: true, required: true }),
    idUser: ref('users', { label: 'Оператор', as: 'user', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Написано', auto: 'created' }),
  },
  many: {
    files: many('live-assist/message-files', 'idMessage'),
    versions: many('live-assist/message-versions', 'idMessage'),
  },
  access: { view: chatAccess.view },
  within: 'idLiveAssist',
  unique: [
    ['idLiveAssist', 'seq'],
    ['idLiveAssist', 'clientId'],
  ],
  title: 'message',
  sort: '-seq',
  soft: true,
})

const ofMessage = ref('live-assist/messages', {
  label: 'Сообщение',
  as: 'message',
  required: true,
  fixed: true,
  onDelete: 'cascade',
})

/** Text of a line before an edit or removal; that of a removed line is visible to supervisors only. */
export const ChatMessageVersion = entity('live-assist/message-versions', {
  label: ['Прежний текст', 'прежнего текста', 'прежних текстов'],
  gender: 'm',
  fields: {
    idMessage: ofMessage,
    text: text({ label: 'Текст', readonly: true, default: '', max: MAX_MESSAGE, multiline: true }),
    /** End of the time when this text was current. */
    dateCreate: dateTime({ label: 'До', auto: 'created' }),
    idUser: ref('users', { label: 'Кто изменил', as: 'user', readonly: true, whenDeleted: 'stays' }),
  },
  many: { files: many('live-assist/version-files', 'idVersion') },
  access: { view: chatAccess.view },
  within: 'idMessage',
  title: 'text',
  sort: 'id',
})

/** Operators' internal notes beside a chat. A separate table, so that no visitor's query can reach them. */
export const ChatNote = entity('live-assist/notes', {
  label: ['Заметка', 'заметки', 'заметок'],
  gender: 'f',
  fields: {
    idLiveAssist: ofChat,
    seq,
    text: text({ label: 'Текст', required: true, max: MAX_MESSAGE, multiline: true }),
    /** Employees mentioned by @; those who may see the note are notified. */
    mentions: refs('users', { label: 'Упомянуты', whenDeleted: 'stays' }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Написана', auto: 'created' }),
  },
  access: { view: 'supportOperator', create: 'supportOperator', delete: 'supportOperator' },
  within: 'idLiveAssist',
  title: 'text',
  sort: '-seq',
  soft: true,
})

export const ChatFile = storedFiles('live-assist/files', {
  label: ['Файл чата', 'файла чата', 'файлов чата'],
  many: {
    messages: many('live-assist/message-files', 'idFile'),
    versions: many('live-assist/version-files', 'idFile'),
  },
  access: { view: chatAccess.view, delete: 'supportOperator' },
  upload: { category: 'chats', access: 'supportOperator', extensions: CHAT_FILE_TYPES },
})

export const ChatMessageFile = attachment('live-assist/message-files', {
  label: ['Файл сообщения', 'файла сообщения', 'файлов сообщения'],
  of: { idMessage: ofMessage },
  within: 'idMessage',
  files: 'live-assist/files',
  access: { view: chatAccess.view, create: 'supportOperator' },
})

/** Files of a removed line. */
export const ChatVersionFile = attachment('live-assist/version-files', {
  label: ['Файл прежнего сообщения', 'файла прежнего сообщения', 'файлов прежних сообщений'],
  of: {
    idVersion: ref('live-assist/message-versions', {
      label: 'Прежний текст',
      as: 'version',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idVersion',
  files: 'live-assist/files',
  access: { view: chatAccess.view },
})
