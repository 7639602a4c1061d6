import { z } from 'zod'
import { call, id, idParams, inParts, oneOf, rowOf, shapeOf } from '../../call.ts'
import { email } from '../../fields/email.ts'
import { messages } from '../../messages.ts'
import { endBody } from '../appeals/endBody.ts'
import { uploadCall } from '../files/calls.ts'
import { ChatChannel } from './chatSettings.ts'
import { ChatFile, ChatMessage, LiveAssist, MAX_MESSAGE, type OperatorState, operatorStates } from './liveAssist.ts'
import { MOST_LOOKED } from './rules.ts'

/** Version of the visitor's script that this server supports (spec §7). */
export const CLIENT_VERSION = 3

/** Maximum chats completed in one request. */
const MOST_AT_ONCE = 100

/** The site's chat is closed, or the visitor's script is too old. */
const GONE = [410, 426] as const

const isEmail = (value: string): boolean => email({ label: '' }).check(value).ok

const clientId = z.string().regex(/^[\w-]{8,64}$/, 'Ключ: 8–64 знака, латинские буквы, цифры, _ и -')
const words = z
  .string(messages.string)
  .trim()
  .max(MAX_MESSAGE, messages.maxLength(MAX_MESSAGE))
  .refine((value) => !value.includes('\0'), messages.nul)
const line = (max: number) =>
  z
    .string(messages.string)
    .trim()
    .max(max, messages.maxLength(max))
    .refine((value) => !/\p{Cc}/u.test(value), messages.nul)

/** A line as the visitor gets it; without data of its staff-only audience. */
export interface VisitorLine {
  seq: number
  kind: 'visitor' | 'staff' | 'robot' | 'system'
  clientId: string | null
  text: string
  /** «Алина»; null: not an employee. */
  author: string | null
  dateCreate: string
  state: 'sent' | 'delivered' | 'read'
  edited: boolean
  /** Removed: the line stays, without text. */
  removed: boolean
  files: { id: number; name: string; size: number; picture: boolean; sound: string | null }[]
}

/** Chat data for its visitor. */
export interface VisitorChat {
  publicId: string
  status: 'active' | 'completed' | 'archive'
  unread: number
  /** The chat is closed, an employee has answered, and it has no rating yet. */
  mayRate: boolean
}

export interface VisitorNews {
  chat: VisitorChat | null
  messages: VisitorLine[]
  /** Last line of this response; the next request asks for the lines after it. */
  cursor: number
  /** Lines up to `after` that changed since the requested revision. */
  changed: VisitorLine[]
  /** Revision for the next request. */
  revision: number
  /** An operator is typing. */
  typing: boolean
}

export interface VisitorSession extends VisitorNews {
  responseId: string
  /** The visitor's token, to be stored and sent with each request; null until the visitor has consented. */
  token: string | null
  mode: 'online' | 'robot' | 'offline'
  /** When the branch opens, if it is closed now. */
  opensAt: string | null
  greeting: string
  consent: { version: number; text: string }
  limits: { text: number; files: number; fileSize: number; fileTypes: readonly string[] }
}

const news = shapeOf<VisitorNews>()

/** Others present in a chat now. */
export interface ChatMarks {
  visitorWrites: boolean
  /** Colleagues who have the chat open. */
  people: { id: number; name: string; writes: boolean }[]
}

/** Availability of an operator. */
export interface Presence {
  /** The chosen status. */
  status: OperatorState
  /** The effective status: away without a heartbeat. */
  state: OperatorState
  /** Open chats that need only the operator, and the limit for automatic distribution. */
  open: number
  limit: number
  /** Chats are distributed automatically. */
  automatic: boolean
}

export interface ShiftOperator {
  id: number
  shortFio: string
  state: OperatorState
  /** Since when the status holds: when chosen, or the last heartbeat; null: never signed in. */
  since: string | null
  open: number
  /** Open chats that wait for an answer, the longest waiting time, and the overdue ones. */
  waiting: number
  oldest: string | null
  late: number
}

export interface ShiftChat {
  id: number
  name: string
  source: string | null
  sourceName: string | null
  queuedAt: string
  nextDueAt: string | null
  /** The operator; null: none yet. */
  operator: string | null
  group: string | null
}

export interface Shift {
  automatic: boolean
  limit: number
  /** Chats without an operator. */
  queue: { count: number; oldest: string | null }
  robot: number
  /** Overdue chats of all operators. */
  late: number
  operators: ShiftOperator[]
  /** The twenty chats that wait longest. */
  waiting: ShiftChat[]
}

export const chatCalls = {
  /** Calls of visitors take the site's key, without sign-in; calls of operators need a sign-in. */
  open: call({
    method: 'POST',
    path: '/live-assist',
    summary: 'С ключом сайта ?token=w_… — вход посетителя; без него — новый чат оператора',
    also: [201],
    access: 'public',
    refusals: GONE,
    signedIn: 'optional',
    limit: 300,
    query: z.object({ token: z.string().max(64).optional() }),
    body: z.strictObject({
      name: line(128).optional().nullable(),
      phone: line(64).optional().nullable(),
      email: z
        .union([z.literal(''), line(254).refine(isEmail, messages.email)])
        .optional()
        .nullable(),
      idCustomer: id.optional().nullable(),
      /** The visitor's token from an earlier visit. */
      token: z.string().max(128).optional().nullable(),
      /** Generated by the visitor's script as an idempotency key. */
      responseId: z
        .string()
        .regex(/^[\w-]{16,64}$/)
        .optional(),
      consent: z.strictObject({ version: z.int() }).optional().nullable(),
      /** Host of the page with the chat. */
      host: line(253).optional().nullable(),
    }),
    answer: shapeOf<VisitorSession>(),
  }),
  say: call({
    method: 'POST',
    path: '/live-assist/visitor/messages',
    summary: 'Сообщение посетителя; повтор с тем же clientId отвечает первым',
    access: 'public',
    refusals: GONE,
    limit: 240,
    bodyLimit: 64 * 1024,
    body: z.strictObject({ clientId, text: words.min(1, messages.required) }),
    status: 201,
    also: [200],
    answer: shapeOf<Pick<VisitorLine, 'seq' | 'clientId' | 'dateCreate'>>(),
  }),
  sendFile: call({
    method: 'POST',
    path: '/live-assist/visitor/files',
    summary: 'Файл посетителя, сразу сообщением: до 10 МБ, картинки, pdf, docx, звук',
    access: 'public',
    refusals: GONE,
    limit: 10,
    bodyType: 'multipart',
    query: z.object({ clientId }),
    status: 201,
    also: [200],
    answer: shapeOf<Pick<VisitorLine, 'seq' | 'clientId' | 'dateCreate'>>(),
  }),
  file: call({
    method: 'GET',
    path: '/live-assist/visitor/files/:id',
    summary: 'Файл из чата посетителя',
    access: 'public',
    params: idParams,
    ...inParts,
    refusals: [...GONE, ...inParts.refusals],
    file: 'application/octet-stream',
  }),
  news: call({
    method: 'GET',
    path: '/live-assist/visitor/messages',
    summary: 'Что написано после строки after и что изменено после правки revision; ждёт нового до wait секунд',
    access: 'public',
    refusals: GONE,
    waits: true,
    limit: 600,
    query: z.object({
      after: z.coerce.number<string>().int().min(0).default(0),
      /** Absent: no changes of earlier lines. */
      revision: z.coerce.number<string>().int().min(0).optional(),
      wait: z.coerce.number<string>().int().min(0).max(25).default(0),
    }),
    answer: news,
  }),
  seen: call({
    method: 'POST',
    path: '/live-assist/visitor/read',
    summary: 'Посетитель прочитал строки по seq включительно',
    access: 'public',
    refusals: GONE,
    limit: 240,
    body: z.strictObject({ seq: z.int().min(0) }),
  }),
  writes: call({
    method: 'POST',
    path: '/live-assist/visitor/typing',
    summary: 'Посетитель пишет: оператор видит это 6 секунд',
    access: 'public',
    refusals: GONE,
    limit: 60,
  }),
  rate: call({
    method: 'POST',
    path: '/live-assist/visitor/rating',
    summary: 'Оценка завершённого чата, один раз',
    access: 'public',
    refusals: GONE,
    limit: 30,
    body: z.strictObject({ rating: z.int().min(1).max(5) }),
  }),

  widget: call({
    method: 'GET',
    path: '/live-assist/widget.js',
    summary: 'Скрипт чата для сайта клиники: <script async src="…/live-assist/widget.js?key=w_…">',
    access: 'public',
    // Site engines add their own parameters (`ver=…`) to script addresses.
    query: z.looseObject({ key: z.string().max(64).optional() }),
    file: 'text/javascript',
  }),
  panel: call({
    method: 'GET',
    path: '/live-assist/panel',
    summary: 'Панель чата, во фрейме сайта клиники',
    access: 'public',
    query: z.object({
      key: z.string().max(64).optional(),
      host: z.string().max(253).optional(),
      /** Language of the clinic's site; Russian by default. */
      lang: z.string().max(8).optional(),
    }),
    file: 'text/html',
  }),
  panelScript: call({
    method: 'GET',
    path: '/live-assist/panel-script',
    summary: 'Скрипт панели чата',
    access: 'public',
    file: 'text/javascript',
  }),
  demoSite: call({
    method: 'GET',
    path: '/live-assist/demo',
    summary: 'Страница, на которой чат можно попробовать; lang=en — по-английски',
    access: 'public',
    query: z.object({ lang: z.enum(['ru', 'en']).default('ru') }),
    file: 'text/html',
  }),

  send: call({
    method: 'POST',
    path: '/live-assist/messages',
    summary: 'Ответ оператора. Ничей чат становится его; занятый другим — 409 taken; повтор clientId отвечает первым',
    access: 'supportOperator',
    body: z.strictObject({
      idLiveAssist: id,
      clientId,
      message: words.default(''),
      files: z.array(id).max(5).default([]),
      /** The last visitor's message that the operator had seen when writing this. */
      seenNo: z.int().min(0).optional(),
    }),
    status: 201,
    also: [200],
    answer: rowOf(ChatMessage),
  }),
  take: call({
    method: 'POST',
    path: '/live-assist/:id/take',
    summary: 'Взять чат, который был у from (null — ни у кого); за это время взят другим — 409 taken',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ from: id.nullable().default(null) }),
    answer: rowOf(LiveAssist),
  }),
  transfer: call({
    method: 'POST',
    path: '/live-assist/:id/transfer',
    summary: 'Передать чат оператору, а без него — в очередь, группе idGroup или прежней, с заметкой',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ idUser: id.nullable(), idGroup: id.optional(), note: words.optional() }),
    answer: rowOf(LiveAssist),
  }),
  complete: call({
    method: 'POST',
    path: '/live-assist/:id/complete',
    summary: 'Завершить чат: с итогом или со следующим шагом и его датой',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject(endBody),
    answer: rowOf(LiveAssist),
  }),
  completeMany: call({
    method: 'POST',
    path: '/live-assist/complete-many',
    summary: `Завершить несколько чатов одинаково, до ${MOST_AT_ONCE}; если хоть один нельзя — не завершается ни один`,
    access: 'supportOperator',
    body: z.strictObject({ ids: z.array(id).min(1).max(MOST_AT_ONCE), ...endBody }),
    answer: z.object({ completed: z.int() }),
  }),
  archive: call({
    method: 'POST',
    path: '/live-assist/:id/archive',
    summary: 'Убрать завершённый чат в архив: дальше только чтение',
    access: 'supportOperator',
    params: idParams,
    answer: rowOf(LiveAssist),
  }),
  reopen: call({
    method: 'POST',
    path: '/live-assist/:id/reopen',
    summary: 'Вернуть завершённый чат в работу',
    access: 'supportOperator',
    params: idParams,
    answer: rowOf(LiveAssist),
  }),
  ban: call({
    method: 'POST',
    path: '/live-assist/:id/ban',
    summary: 'Заблокировать посетителя или снять блокировку: его сообщения принимаются и не доходят',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ banned: z.boolean() }),
    answer: rowOf(LiveAssist),
  }),
  snooze: call({
    method: 'POST',
    path: '/live-assist/:id/snooze',
    summary: 'Отложить до времени или до ответа посетителя (hard — только до времени); null — вернуть',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ until: z.iso.datetime({ offset: true }).nullable(), hard: z.boolean().optional() }),
    answer: rowOf(LiveAssist),
  }),
  read: call({
    method: 'POST',
    path: '/live-assist/:id/read',
    summary: 'Прочитано по номеру no; назад не ходит, засчитывается тому, чей чат',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ no: z.int().min(0) }),
  }),
  marks: call({
    method: 'POST',
    path: '/live-assist/:id/marks',
    summary: 'Сказать, что чат открыт (и что в нём пишут: посетитель видит это 6 секунд), и узнать, кто ещё в нём',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ writes: z.boolean() }),
    answer: shapeOf<ChatMarks>(),
  }),
  lookers: call({
    method: 'GET',
    path: '/live-assist/lookers',
    summary: 'Кто из коллег сейчас смотрит эти чаты; в ответе — только те чаты, которые кто-то смотрит',
    access: 'supportOperator',
    query: z.strictObject({
      ids: z
        .string()
        .regex(/^\d{1,15}(,\d{1,15})*$/, 'Номера через запятую')
        .transform((ids) => ids.split(',').map(Number))
        .refine((ids) => ids.length <= MOST_LOOKED, `Не больше ${MOST_LOOKED}`),
    }),
    answer: shapeOf<{ items: { id: number; people: ChatMarks['people'] }[] }>(),
  }),
  uploadFile: uploadCall(ChatFile),
  counts: call({
    method: 'GET',
    path: '/live-assist/counts',
    summary: 'Сколько чатов под каждой вкладкой; больше тысячи не считается',
    access: ['supportOperator', 'displayTableLiveAssist'],
    answer: z.object({
      mine: z.int(),
      unassigned: z.int(),
      robot: z.int(),
      active: z.int(),
      unread: z.int(),
      /** Unread chats of the user and without an operator, not snoozed: the menu's counter. */
      awaits: z.int(),
      /** Unread chats that ring by the user's settings. */
      ringing: z.int(),
    }),
  }),
  resend: call({
    method: 'POST',
    path: '/live-assist/messages/:id/resend',
    summary: 'Отправить в мессенджер ещё раз то, что не ушло',
    access: 'supportOperator',
    params: idParams,
    answer: rowOf(ChatMessage),
  }),
  edit: call({
    method: 'POST',
    path: '/live-assist/messages/:id/edit',
    summary: 'Изменить своё отправленное сообщение, и в мессенджере; где он этого не даёт — 409 unrevisable',
    access: 'supportOperator',
    params: idParams,
    body: z.strictObject({ message: words }),
    answer: rowOf(ChatMessage),
  }),
  remove: call({
    method: 'POST',
    path: '/live-assist/messages/:id/remove',
    summary: 'Удалить отправленное сообщение, и в мессенджере: от него остаётся пустая строка; старшему — и чужое',
    access: 'supportOperator',
    params: idParams,
    answer: rowOf(ChatMessage),
  }),
  connectChannel: call({
    method: 'POST',
    path: '/live-assist/channels/:id/connect',
    summary: 'Проверить связь с мессенджером и сказать ему, куда присылать сообщения',
    access: 'editLiveAssistDomainMap',
    params: idParams,
    answer: rowOf(ChatChannel),
  }),
  channelCheck: call({
    method: 'GET',
    path: '/live-assist/channels/:key/updates',
    summary: 'Проверка адреса мессенджером WhatsApp: ответ повторяет hub.challenge, если hub.verify_token наш',
    access: 'public',
    limit: 60,
    params: z.object({ key: z.string().max(64) }),
    query: z.looseObject({
      'hub.mode': z.string().max(64).optional(),
      'hub.verify_token': z.string().max(128).optional(),
      'hub.challenge': z.string().max(512).optional(),
    }),
    file: 'text/plain',
  }),
  channelUpdate: call({
    method: 'POST',
    path: '/live-assist/channels/:key/updates',
    summary: 'Событие мессенджера; повтор с тем же номером ничего не меняет',
    access: 'public',
    refusals: GONE,
    limit: 1_200,
    params: z.object({ key: z.string().max(64) }),
    bodyType: 'raw',
    bodyLimit: 256 * 1024,
    body: z.unknown().meta({ description: 'Тело, как его шлёт мессенджер, с его секретом' }),
    file: 'text/plain',
  }),
  presence: call({
    method: 'POST',
    path: '/live-assist/presence',
    summary: 'Оператор на месте: знак жизни, а со status — и что он выбрал',
    access: 'supportOperator',
    body: z.strictObject({
      status: oneOf(operatorStates).optional(),
      /** There was mouse or keyboard activity since the last request. */
      active: z.boolean().default(false),
    }),
    answer: shapeOf<Presence>(),
  }),
  shift: call({
    method: 'GET',
    path: '/live-assist/shift',
    summary: 'Смена: кто на месте, у кого сколько чатов, кто ждёт дольше всех, чьи сроки вышли',
    access: 'superviseLiveAssist',
    answer: shapeOf<Shift>(),
  }),
} as const
