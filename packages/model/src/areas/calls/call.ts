import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { numberChoice } from '../../fields/numberChoice.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { endFields } from '../appeals/outcome.ts'
import { callAccess } from './access.ts'
import { type CheckItem, checkAnswers, checkItems } from './checkList.ts'

/** The ids come from the specification (§3). */
export const callTypes = { 1: 'Входящий', 2: 'Исходящий', 3: 'Пропущенный', 4: 'Внутренний', 5: 'Перезвонили' } as const
export type CallType = keyof typeof callTypes
export const INCOMING = 1
export const OUTGOING = 2
export const MISSED = 3
export const INTERNAL = 4
export const RECALLED = 5

export const callStates = { ringing: 'Звонит', talking: 'Разговор', ended: 'Завершён', failed: 'Не состоялся' } as const
export type CallState = keyof typeof callStates

/** State of a call that rings at an employee, as the screen shows it. */
export const incomingStates = {
  ringing: 'Входящий звонок',
  talking: 'Разговор',
  ended: 'Разговор закончен',
  missed: 'Пропущенный звонок',
} as const
export type IncomingState = keyof typeof incomingStates

/**
 * Source of a call record: the telephone exchange during the call, its records afterwards, the cloud provider, or an
 * employee.
 */
export const callSources = { ami: 'АТС', cdr: 'Журнал АТС', cloud: 'Облачная АТС', manual: 'Вручную' } as const

/** Name of the exchange of training calls. */
export const TRAINING_PBX = 'training'

/** Fields of a call that any user of the journal may correct; the others stay as telephony reported them. */
export const correctable = ['idCustomer', 'isPrimaryCustomer', 'idFilial'] as const

/**
 * A telephone call (spec §3). Telephony writes calls; a clinic without an exchange enters them by hand. Derived fields
 * (state, call-back due) are written by the server only.
 */
export const Call = entity('calls', {
  label: ['Звонок', 'звонка', 'звонков'],
  fields: {
    dateCreate: dateTime({ label: 'Начат', auto: 'created', settable: true }),
    dateEnd: dateTime({ label: 'Закончен' }),
    /** Seconds; null while the call lasts. */
    duration: integer({ label: 'Длительность, с', computed: true }),
    /** Seconds of conversation without the waiting time; null: there was none yet. */
    talkS: integer({ label: 'Разговор, с', computed: true }),
    callType: numberChoice(callTypes, { label: 'Вид', required: true }),
    contactPhone: phone({ label: 'Телефон собеседника', search: true, fromExchange: true }),
    /** The employee's own number, usually a short one. */
    localPhone: text({ label: 'Внутренний номер', max: 32 }),
    /** The dialled number: a line of the clinic, an outside number, or a short number of an internal call. */
    destPhone: text({ label: 'Набранный номер', max: 32 }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', whenDeleted: 'stays' }),
    isPrimaryCustomer: boolean({ label: 'Первое обращение', default: false }),
    /** The last employee on the call. */
    idUser: ref('users', { label: 'Сотрудник', as: 'user', whenDeleted: 'stays' }),
    /** The employee whose phone rang first; for a call entered by hand, its author. */
    idFirstUser: ref('users', { label: 'Первый сотрудник', as: 'firstUser', readonly: true, whenDeleted: 'stays' }),
    /** Branch of the dialled line. */
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'stays' }),
    state: choice(callStates, { label: 'Ход', default: 'ended', readonly: true }),
    dateAnswer: dateTime({ label: 'Ответили' }),
    /** Seconds until the call was taken. */
    waitS: integer({ label: 'Ожидание, с', min: 0, readonly: true }),
    queue: text({ label: 'Очередь', max: 64, readonly: true }),
    recall: boolean({ label: 'Нужно перезвонить', default: false, readonly: true }),
    /** Deadline of the call back, in working time of the branch; set while a call back is due. */
    recallDueAt: dateTime({ label: 'Перезвонить до', readonly: true }),
    /** Seconds from a missed call to the first attempt to call back. */
    recallS: integer({ label: 'Перезвонили через, с', min: 0, readonly: true }),
    /** For a missed call: attempts to call back without a conversation; those within half an hour count once. */
    recallTries: integer({ label: 'Попыток дозвона', min: 0, default: 0, readonly: true }),
    /** All attempts failed: no call back is due any more. */
    gaveUp: boolean({ label: 'Не дозвонились', default: false, readonly: true }),
    /** Task to call back, for the employee whose phone rang. */
    idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', onDelete: 'set null', readonly: true }),
    ...endFields,
    /** The conversation is over and has no outcome yet. */
    needsEnd: boolean({ label: 'Ждёт итога', default: false, readonly: true }),
    /** When the employee was ready for the next call; the wrap-up lasts from the end of the call until then. */
    dateReady: dateTime({ label: 'Обработан', readonly: true }),
    source: choice(callSources, { label: 'Откуда известно', default: 'manual', readonly: true }),
    /** Telephone exchange; with the session it identifies the call. */
    pbx: text({ label: 'АТС', max: 32, readonly: true }),
    /** Id of the conversation at the telephone exchange. */
    idCallSession: text({ label: 'Сессия АТС', max: 128, readonly: true }),
    /** Created by the simulator for training; deleted with its run. */
    training: boolean({ label: 'Учебный', default: false, readonly: true }),
    /** Key of the recording in the file store. */
    fileLink: text({ label: 'Файл записи', max: 1000, hidden: 'listenCalls', readonly: true }),
    hasRecord: boolean({ label: 'Есть запись', computed: true, required: true }),
  },
  many: { legs: many('calls/legs', 'idCall') },
  fresh: { actions: ['export'] },
  access: { ...callAccess, create: 'viewCallJournal', update: 'viewCallJournal', delete: 'viewCallJournal' },
  kept: ({ source }: { source?: string }) =>
    source === undefined || source === 'manual' ? undefined : 'Звонок записала телефония: его не удаляют',
  unique: [['pbx', 'idCallSession']],
  registry: {
    empty: {
      title: 'Звонков пока нет',
      text: 'С телефонией они появляются здесь сами; без неё запишите звонок вручную.',
    },
  },
  gender: 'm',
  title: 'contactPhone',
  sort: '-dateCreate',
})

export const legParties = {
  external: 'Собеседник',
  operator: 'Сотрудник',
  ivr: 'Меню',
  consult: 'Консультация',
} as const

/** One leg of a call: the phone that rang, when it was taken, how it ended. */
export const CallLeg = entity('calls/legs', {
  branchBy: ['idCall'],
  label: ['Участник звонка', 'участника звонка', 'участников звонка'],
  gender: 'm',
  fields: {
    idCall: ref('calls', { label: 'Звонок', as: 'call', required: true, onDelete: 'cascade' }),
    uniqueid: text({ label: 'Канал АТС', required: true, max: 128 }),
    party: choice(legParties, { label: 'Кто', required: true }),
    sipPhone: text({ label: 'Внутренний номер', max: 32 }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', whenDeleted: 'stays' }),
    ringAt: dateTime({ label: 'Звонит с', required: true }),
    answerAt: dateTime({ label: 'Ответил' }),
    endAt: dateTime({ label: 'Закончил' }),
    dialStatus: text({ label: 'Чем кончилось', max: 32 }),
  },
  nameOnly: ['idCall'],
  access: { view: 'signed-in' },
  unique: [['idCall', 'uniqueid']],
  title: 'sipPhone',
  sort: 'ringAt,id',
  // Soft, as every entity with a row scope; legs are never deleted.
  soft: true,
})

const checkItem = (item: CheckItem) => choice(checkAnswers, { label: checkItems[item] })

/** Check list of a conversation, filled by the employee who talked or by a reviewer. */
export const CallCheck = entity('calls/checks', {
  label: ['Чек-лист звонка', 'чек-листа звонка', 'чек-листов звонка'],
  gender: 'm',
  fields: {
    idCall: ref('calls', { label: 'Звонок', as: 'call', required: true, fixed: true, onDelete: 'cascade' }),
    greeting: checkItem('greeting'),
    name: checkItem('name'),
    needs: checkItem('needs'),
    offer: checkItem('offer'),
    booking: checkItem('booking'),
    farewell: checkItem('farewell'),
    /** Percent of the required items; null while none is required. */
    score: integer({ label: 'Оценка, %', computed: true }),
    idUser: ref('users', { label: 'Кто отметил', as: 'user', auto: 'editor' }),
    dateCreate: dateTime({ label: 'Отмечен', auto: 'created' }),
  },
  access: { ...callAccess, create: 'viewCallJournal', update: 'viewCallJournal' },
  within: 'idCall',
  unique: [['idCall']],
  sort: 'id',
})

/** Attempts to call back before giving up, and the least time between two that count. */
export const RECALL_TRIES = 3
const RECALL_APART_S = 30 * 60

/** Attempts that count: each at least half an hour after the one before. @param moments in milliseconds, ascending */
export function countedTries(moments: readonly number[]): number {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  for (const at of moments)
    if (at - last >= RECALL_APART_S * 1000) {
      count++
      last = at
    }
  return count
}
/** Longest wrap-up in seconds; a longer silence means that the employee has left, and is not measured. */
export const WRAP_MAX_S = 30 * 60

/** Days for which the call-back state of a settled missed call is recalculated; an unsettled one has no limit. */
export const RECALL_SETTLES_DAYS = 7
/** Limits in seconds of a quick and of an acceptable call back. */
export const RECALL_QUICK_S = 15 * 60
export const RECALL_SLOW_S = 60 * 60
export type RecallSpeed = 'quick' | 'slow' | 'late'

/** Speed of a call back: green, amber, red. */
export const recallSpeed = (seconds: number): RecallSpeed =>
  seconds <= RECALL_QUICK_S ? 'quick' : seconds <= RECALL_SLOW_S ? 'slow' : 'late'
