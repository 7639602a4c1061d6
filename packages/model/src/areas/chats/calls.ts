import { z } from 'zod'
import { call, id, idParams, oneOf, rowOf, shapeOf } from '../../call.ts'
import { endBody } from '../appeals/endBody.ts'
import { uploadCall } from '../files/calls.ts'
import { clientId, GONE, words } from './callParts.ts'
import { ChatChannel } from './chatSettings.ts'
import { ChatFile, ChatMessage, LiveAssist, type OperatorState, operatorStates } from './liveAssist.ts'
import { MOST_LOOKED } from './rules.ts'
import { visitorCalls } from './visitorCalls.ts'

/** Maximum chats completed in one request. */
const MOST_AT_ONCE = 100

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
  ...visitorCalls,
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
