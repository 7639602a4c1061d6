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

/** Who answers: nobody as yet, the robot, or the chat's operator. */
export const chatHandlers = { none: 'Никто', robot: 'Робот', human: 'Оператор' } as const
export type ChatHandler = keyof typeof chatHandlers

/** What an operator has chosen, and what is made of it: who falls silent is away by that. */
export const operatorStates = { online: 'Принимаю', away: 'Отошёл', offline: 'Не принимаю' } as const
export type OperatorState = keyof typeof operatorStates

/** A visitor who has not named himself. */
export const GUEST = 'Гость'

/** Characters of a message: what the narrowest of the channels takes. */
export const MAX_MESSAGE = 4096

const chatAccess = { view: ['supportOperator', 'displayTableLiveAssist'], update: 'supportOperator' } as const

const visitorSays = {
  name: text({ label: 'Имя', required: true, max: 128, search: true }),
  phone: phone({ label: 'Телефон', search: true }),
  email: email({ label: 'Электронная почта', search: true }),
}

const counter = (label: string) => integer({ label, default: 0, readonly: true, min: 0 })

/** Somebody who writes from outside, under the name that he gives himself; his key is kept apart and told to nobody. */
export const Visitor = entity('live-assist/visitors', {
  label: ['Посетитель', 'посетителя', 'посетителей'],
  gender: 'm',
  fields: {
    ...visitorSays,
    /** Of the words of consent that were agreed to, at the door where he came in. */
    consentVersion: integer({ label: 'Версия согласия', readonly: true, min: 1 }),
    consentAt: dateTime({ label: 'Согласие дано', readonly: true }),
    consentIp: text({ label: 'Адрес при согласии', max: 64, readonly: true }),
    idDomain: ref('live-assist/domains', { label: 'Сайт', as: 'domain', readonly: true, whenDeleted: 'stays' }),
    /** Who it is in a messenger. */
    idChannel: ref('live-assist/channels', { label: 'Канал', as: 'channel', readonly: true, whenDeleted: 'stays' }),
    idExternal: text({ label: 'Номер в мессенджере', max: 64, readonly: true }),
    /** Made by the simulator: for training, and gone with it. */
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
 * A conversation with a visitor, from the first word to the archive (spec §3). What is said stands in its messages; the
 * counters here are kept by the write of each message, under the lock of this row.
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
    /** Whose it was before it was completed or given back. */
    lastUser: ref('users', { label: 'Последний оператор', as: 'lastOperator', readonly: true, whenDeleted: 'stays' }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', whenDeleted: 'stays' }),
    idVisitor: ref('live-assist/visitors', { label: 'Посетитель', as: 'visitor', readonly: true }),
    idDomain: ref('live-assist/domains', { label: 'Сайт', as: 'domain', readonly: true, whenDeleted: 'asks' }),
    idChannel: ref('live-assist/channels', { label: 'Канал', as: 'channel', readonly: true, whenDeleted: 'asks' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'stays' }),
    /** Whose operators answer; empty: anybody. */
    idGroup: ref('live-assist/groups', {
      label: 'Группа операторов',
      as: 'group',
      onDelete: 'set null',
      readonly: true,
    }),
    /** The last line that the visitor can see. */
    lastMessage: text({ label: 'Последнее сообщение', max: 200, readonly: true, briefly: true }),
    dateLast: dateTime({ label: 'Последнее сообщение в', readonly: true }),
    /** When it came to its operator; how often it has gone back to the queue because nobody answered. */
    dateAssigned: dateTime({ label: 'У оператора с', readonly: true }),
    returns: counter('Возвратов в очередь'),
    /** Of the first message that nobody has answered yet; empty: everything is answered. */
    queuedAt: dateTime({ label: 'Ждёт с', readonly: true }),
    /** When an answer is due, in the working hours of the branch. */
    nextDueAt: dateTime({ label: 'Ответить до', readonly: true }),
    snoozedUntil: dateTime({ label: 'Отложен до', readonly: true }),
    /** A word of the visitor does not wake it. */
    snoozeHard: boolean({ label: 'Не будить ответом', default: false, readonly: true }),
    /** Of all lines and notes; of the visitor's; the last of these that was read; of ours, delivered and read. */
    lastSeq: counter('Строк'),
    inCount: counter('Сообщений посетителя'),
    readIn: counter('Прочитано нами'),
    outCount: counter('Наших сообщений'),
    deliveredOut: counter('Доставлено посетителю'),
    readOut: counter('Прочитано посетителем'),
    robotTurns: counter('Ответов робота'),
    /** Changes of lines that were said before: what a visitor who shows them asks by. */
    revision: counter('Правок'),
    answerSum: counter('Секунд ожидания'),
    answerCount: counter('Ответов оператора'),
    /** Working seconds. */
    firstAnswerTime: integer({ label: 'Первый ответ, с', readonly: true, min: 0 }),
    averageAnswerTime: integer({ label: 'Средний ответ, с', computed: true }),
    numberOfUnreadMessages: integer({ label: 'Непрочитано', computed: true }),
    /** It waits for the asker: the own with something unread, or one of the own groups that nobody has. */
    awaitsMe: boolean({ label: 'Ждёт меня', computed: true, lazy: true }),
    /** The asker answers in its group, or supervises. */
    isForMe: boolean({ label: 'Моей группы', computed: true, lazy: true }),
    ...endFields,
    rating: integer({ label: 'Оценка', readonly: true, min: 1, max: 5 }),
    dateCompleted: dateTime({ label: 'Завершён в', readonly: true }),
    /** Made by the simulator: for training, and gone with it. */
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

/** How far a message of ours has come; it only grows. */
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

/** A line of a chat that the visitor sees. Calls write it: the sender's key makes a repeat the same message. */
export const ChatMessage = entity('live-assist/messages', {
  label: ['Сообщение', 'сообщения', 'сообщений'],
  gender: 'n',
  fields: {
    idLiveAssist: ofChat,
    /** Its place among the lines and notes of the chat, without gaps. */
    seq,
    /** Its number among those of its direction. */
    no: integer({ label: 'Номер', readonly: true, required: true, min: 0 }),
    kind: choice(messageKinds, { label: 'Кто написал', readonly: true, required: true }),
    clientId: text({ label: 'Ключ отправителя', readonly: true, required: true, max: 64 }),
    /** What it says now; what it said before stands in its versions, and is told to who may read these. */
    message: text({
      label: 'Текст',
      readonly: true,
      default: '',
      max: MAX_MESSAGE,
      multiline: true,
      search: 'latest',
      briefly: true,
    }),
    /** Of a messenger: what it calls the messages that the line has become, with spaces between, and why it did not take it. */
    idExternal: text({ label: 'Номер в мессенджере', max: 1000, readonly: true }),
    failure: text({ label: 'Почему не отправлено', max: 300, readonly: true }),
    /** By who wrote it. */
    dateEdited: dateTime({ label: 'Изменено', readonly: true }),
    /** Taken back: a line without words and files stays in its place. */
    dateRemoved: dateTime({ label: 'Удалено', readonly: true }),
    idRemover: ref('users', { label: 'Кто удалил', as: 'remover', readonly: true, whenDeleted: 'stays' }),
    /** Which of the changes of its chat has changed it last; 0: none. */
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

/** What a line said before it was changed or taken back; of one that was taken back only the seniors read it. */
export const ChatMessageVersion = entity('live-assist/message-versions', {
  label: ['Прежний текст', 'прежнего текста', 'прежних текстов'],
  gender: 'm',
  fields: {
    idMessage: ofMessage,
    text: text({ label: 'Текст', readonly: true, default: '', max: MAX_MESSAGE, multiline: true }),
    /** Until when it stood so. */
    dateCreate: dateTime({ label: 'До', auto: 'created' }),
    idUser: ref('users', { label: 'Кто изменил', as: 'user', readonly: true, whenDeleted: 'stays' }),
  },
  many: { files: many('live-assist/version-files', 'idVersion') },
  access: { view: chatAccess.view },
  within: 'idMessage',
  title: 'text',
  sort: 'id',
})

/** What operators tell each other beside a chat. A table of its own: nothing that the visitor reads can reach it. */
export const ChatNote = entity('live-assist/notes', {
  label: ['Заметка', 'заметки', 'заметок'],
  gender: 'f',
  fields: {
    idLiveAssist: ofChat,
    seq,
    text: text({ label: 'Текст', required: true, max: MAX_MESSAGE, multiline: true }),
    /** Named in the text by @; who of them sees the note is told. */
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

/** The files of a line that was taken back. */
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
