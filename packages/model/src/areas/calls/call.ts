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

/** Their ids are the specification's (§3). */
export const callTypes = { 1: 'Входящий', 2: 'Исходящий', 3: 'Пропущенный', 4: 'Внутренний', 5: 'Перезвонили' } as const
export type CallType = keyof typeof callTypes
export const INCOMING = 1
export const OUTGOING = 2
export const MISSED = 3
export const INTERNAL = 4
export const RECALLED = 5

export const callStates = { ringing: 'Звонит', talking: 'Разговор', ended: 'Завершён', failed: 'Не состоялся' } as const
export type CallState = keyof typeof callStates

/** What the screen says of a call that comes to an employee. */
export const incomingStates = {
  ringing: 'Входящий звонок',
  talking: 'Разговор',
  ended: 'Разговор закончен',
  missed: 'Пропущенный звонок',
} as const
export type IncomingState = keyof typeof incomingStates

/** Who has reported a call: the exchange while it went on, its records afterwards, the provider of the cloud, a person. */
export const callSources = { ami: 'АТС', cdr: 'Журнал АТС', cloud: 'Облачная АТС', manual: 'Вручную' } as const

/** The exchange of calls that are played for training. */
export const TRAINING_PBX = 'training'

/**
 * What anybody with the journal corrects of a call that telephony has written; the rest of it stays as it was reported.
 */
export const correctable = ['idCustomer', 'isPrimaryCustomer', 'idFilial'] as const

/**
 * A telephone call (spec §3). Telephony writes them; a clinic without an exchange writes them by hand. What follows from
 * a call (its state, what waits for it) the server alone writes.
 */
export const Call = entity('calls', {
  label: ['Звонок', 'звонка', 'звонков'],
  fields: {
    dateCreate: dateTime({ label: 'Начат', auto: 'created', settable: true }),
    dateEnd: dateTime({ label: 'Закончен' }),
    /** Seconds; null while it lasts. */
    duration: integer({ label: 'Длительность, с', computed: true }),
    /** Seconds of the conversation, the waiting aside; null: there was none, or it goes on. */
    talkS: integer({ label: 'Разговор, с', computed: true }),
    callType: numberChoice(callTypes, { label: 'Вид', required: true }),
    contactPhone: phone({ label: 'Телефон собеседника', search: true, heard: true }),
    /** The employee's own number, as a rule a short one. */
    localPhone: text({ label: 'Внутренний номер', max: 32 }),
    /** What was dialled: a line of the clinic, the other's number or, of an internal call, a short one. */
    destPhone: text({ label: 'Набранный номер', max: 32 }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', whenDeleted: 'stays' }),
    isPrimaryCustomer: boolean({ label: 'Первое обращение', default: false }),
    /** Who talked last. */
    idUser: ref('users', { label: 'Сотрудник', as: 'user', whenDeleted: 'stays' }),
    /** Whom it rang at first; of a call by hand: who wrote it. */
    idFirstUser: ref('users', { label: 'Первый сотрудник', as: 'firstUser', readonly: true, whenDeleted: 'stays' }),
    /** The branch whose line was dialled. */
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'stays' }),
    state: choice(callStates, { label: 'Ход', default: 'ended', readonly: true }),
    dateAnswer: dateTime({ label: 'Ответили' }),
    /** Seconds that the caller waited for a voice. */
    waitS: integer({ label: 'Ожидание, с', min: 0, readonly: true }),
    queue: text({ label: 'Очередь', max: 64, readonly: true }),
    recall: boolean({ label: 'Нужно перезвонить', default: false, readonly: true }),
    /** In the working time of the branch; of a call that waits for one in return. */
    recallDueAt: dateTime({ label: 'Перезвонить до', readonly: true }),
    /** Seconds from a missed call to the first try to call back. */
    recallS: integer({ label: 'Перезвонили через, с', min: 0, readonly: true }),
    /** Of a missed call: tries to call back without a conversation, those within half an hour counted once. */
    recallTries: integer({ label: 'Попыток дозвона', min: 0, default: 0, readonly: true }),
    /** So many tries have reached nobody: it waits no more. */
    gaveUp: boolean({ label: 'Не дозвонились', default: false, readonly: true }),
    /** To call back, with whoever it rang. */
    idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', onDelete: 'set null', readonly: true }),
    ...endFields,
    /** It was talked on, and nobody has said yet how it ended. */
    needsEnd: boolean({ label: 'Ждёт итога', default: false, readonly: true }),
    /** When who talked was ready for the next call; what lies between the end and it is the wrap-up. */
    dateReady: dateTime({ label: 'Обработан', readonly: true }),
    source: choice(callSources, { label: 'Откуда известно', default: 'manual', readonly: true }),
    /** Which exchange; with the session it names the call. */
    pbx: text({ label: 'АТС', max: 32, readonly: true }),
    /** How the telephone exchange names the conversation. */
    idCallSession: text({ label: 'Сессия АТС', max: 128, readonly: true }),
    /** Made by the simulator: for training, and gone with it. */
    training: boolean({ label: 'Учебный', default: false, readonly: true }),
    /** Key of the recording in the store of files. */
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

/** One end of a call: whose phone rang, when it was taken, how it ended. */
export const CallLeg = entity('calls/legs', {
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
  access: { view: 'signed-in' },
  unique: [['idCall', 'uniqueid']],
  title: 'sipPhone',
  sort: 'ringAt,id',
  // Nobody deletes them: what has a scope of rows is soft.
  soft: true,
})

const checkItem = (item: CheckItem) => choice(checkAnswers, { label: checkItems[item] })

/** How a conversation was led: kept by who leads it, or by who listens to it afterwards. */
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
    /** Percent of what was required; null while nothing was. */
    score: integer({ label: 'Оценка, %', computed: true }),
    idUser: ref('users', { label: 'Кто отметил', as: 'user', auto: 'editor' }),
    dateCreate: dateTime({ label: 'Отмечен', auto: 'created' }),
  },
  access: { ...callAccess, create: 'viewCallJournal', update: 'viewCallJournal' },
  within: 'idCall',
  unique: [['idCall']],
  sort: 'id',
})

/** Tries to call back after which nobody is waited for, and how far apart they are at least. */
export const RECALL_TRIES = 3
const RECALL_APART_S = 30 * 60

/** Tries that count: each at least half an hour after the one before. @param moments in milliseconds, in their order */
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
/** Seconds after a call in which its wrap-up ends; whoever says nothing for longer has gone, and it is not measured. */
export const WRAP_MAX_S = 30 * 60

/** Days for which what the journal says of a missed call that waits no more is said anew; one that waits has no such end. */
export const RECALL_SETTLES_DAYS = 7
/** Seconds within which a call back is quick, and within which it is bearable. */
export const RECALL_QUICK_S = 15 * 60
export const RECALL_SLOW_S = 60 * 60
export type RecallSpeed = 'quick' | 'slow' | 'late'

/** How soon a missed call was answered by one: green, amber, red. */
export const recallSpeed = (seconds: number): RecallSpeed =>
  seconds <= RECALL_QUICK_S ? 'quick' : seconds <= RECALL_SLOW_S ? 'slow' : 'late'
