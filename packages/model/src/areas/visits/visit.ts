import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { visitKinds } from '../catalogue/performer.ts'
import { messageStatuses, messageWays } from '../messages/events.ts'
import { clockRule } from './clock.ts'
import { reminderKinds, replyMeanings } from './reminders.ts'
import { cancelReasons, couponStatuses, type VisitStatus, visitStatuses } from './rules.ts'

export const channels = {
  phone: 'По телефону',
  desk: 'В регистратуре',
  site: 'На сайте',
  messenger: 'В мессенджере',
  doctor: 'Врач',
} as const

/** Visits of one series. */
export const MAX_SERIES = 60

/** Who is told how much of a service was given. */
export const salesAccess = ['editServices', 'viewPaymentsReport'] as const

/** Who sees the own day, and who keeps visits. Which visits of them, the server's scope says. */
export const visitAccess = {
  view: ['viewCalendar', 'viewAllAppointments'],
  update: 'editAppointments',
  delete: 'editAppointments',
} as const

const moment = (label: string, clock = 'filial.timeZone') => dateTime({ label, readonly: true, clock })
const wall = {
  localDate: date({ label: 'День', required: true, readonly: true }),
  localStart: text({ label: 'Начало', required: true, readonly: true, max: 5, rule: clockRule }),
  /** By PostgreSQL, from the branch's clock and zone. */
  dateFrom: dateTime({ label: 'Начало, время', required: true, readonly: true, clock: 'filial.timeZone' }),
  dateTo: dateTime({ label: 'Конец, время', required: true, readonly: true, clock: 'filial.timeZone' }),
}

/** In the words of a refusal, as those of a doctor and of a service say it. */
const visitWords = ['визит', 'визита', 'визитов'] as const

/** A patient's coming (spec §3 Appointment): what the branch's clock shows is the truth, the moments follow. */
export const Appointment = entity('appointments', {
  label: ['Запись', 'записи', 'записей'],
  gender: 'f',
  fields: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: {
        keeps: {
          ahead: 'dateTo',
          among: { visitStatus: ['booked', 'confirmed', 'arrived', 'inProgress'] },
          words: ['визит впереди', 'визита впереди', 'визитов впереди'],
        },
        asks: { words: visitWords },
      },
    }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      required: true,
      readonly: true,
      whenDeleted: { keeps: { words: visitWords } },
    }),
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, readonly: true, whenDeleted: 'stays' }),
    visitStatus: choice(visitStatuses, { label: 'Состояние', default: 'booked', readonly: true }),
    ...wall,
    kind: choice(visitKinds, { label: 'Приём' }),
    channel: choice(channels, { label: 'Как записан', default: 'desk' }),
    note: text({ label: 'Примечание', max: 2000, multiline: true, search: true }),
    needsRebook: boolean({ label: 'Требует переноса', default: false, readonly: true }),
    cancelReason: choice(cancelReasons, { label: 'Причина отмены', readonly: true }),
    cancelNote: text({ label: 'Пояснение', max: 500, readonly: true }),
    cancelledBy: choice({ patient: 'Пациент', clinic: 'Клиника' }, { label: 'Кто отменил', readonly: true }),
    /** The visits of one series have the same number: that of the first. */
    idSeries: integer({ label: 'Серия', readonly: true }),
    dateConfirmed: moment('Подтверждён'),
    dateArrived: moment('Пришёл'),
    dateStarted: moment('Начат'),
    dateCompleted: moment('Завершён'),
    dateCancelled: moment('Отменён'),
    /** Names of the services, in words. */
    services: text({ label: 'Услуги', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто записал', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Записан', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed', clock: 'filial.timeZone' }),
  },
  many: {
    coupons: many('coupons', 'idAppointment'),
    moves: many('appointments/moves', 'idAppointment'),
    changes: many('appointments/changes', 'idAppointment'),
    reminders: many('appointments/reminders', 'idAppointment'),
    scores: many('appointments/scores', 'idAppointment'),
  },
  access: visitAccess,
  kept: ({ visitStatus }: { visitStatus: VisitStatus }) =>
    visitStatus === 'inProgress' || visitStatus === 'completed' ? 'Состоявшийся визит не удаляют' : undefined,
  title: 'services',
  sort: '-dateFrom,id',
  soft: true,
  personal: 'idCustomer',
})

const ofVisit = () =>
  ref('appointments', { label: 'Запись', as: 'appointment', required: true, readonly: true, onDelete: 'cascade' })

/** A busy time of a performer and a room within a visit (spec §3 Coupon). */
export const Coupon = entity('coupons', {
  label: ['Талон', 'талона', 'талонов'],
  gender: 'm',
  fields: {
    idAppointment: ofVisit(),
    idService: ref('services', { label: 'Услуга', as: 'service', required: true, readonly: true, whenDeleted: 'own' }),
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, readonly: true, whenDeleted: 'own' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, readonly: true, whenDeleted: 'stays' }),
    idRoom: ref('filials/rooms', {
      label: 'Кабинет',
      as: 'room',
      readonly: true,
      onDelete: 'set null',
      whenDeleted: {
        keeps: {
          ahead: 'dateTo',
          among: { cancelled: [false] },
          words: ['приём впереди', 'приёма впереди', 'приёмов впереди'],
        },
      },
    }),
    ...wall,
    minutes: integer({ label: 'Минут', required: true, readonly: true, min: 1, max: 1440 }),
    breakAfter: integer({ label: 'Перерыв врача, мин', default: 0, readonly: true }),
    cleaning: integer({ label: 'Уборка кабинета, мин', default: 0, readonly: true }),
    overbooked: boolean({ label: 'Сверх расписания', default: false, readonly: true }),
    cancelled: boolean({ label: 'Отменён', default: false, readonly: true }),
    /** Of several patients at one time. */
    idGroup: ref('appointments/groups', {
      label: 'Групповой приём',
      as: 'group',
      readonly: true,
      onDelete: 'set null',
    }),
    /** Names of what of the branch it takes besides the room, in words. */
    equipment: text({ label: 'Оборудование', computed: true, required: true }),
    /** Rubles that came for its lines. */
    payment: money({ label: 'Оплачено', computed: true, required: true }),
    finalCost: money({ label: 'Стоимость', computed: true, required: true }),
    finalCostWithBonuses: money({ label: 'К оплате', computed: true, required: true }),
    status: choice(couponStatuses, { label: 'Состояние', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created', clock: 'filial.timeZone' }),
  },
  many: { services: many('coupon-services', 'idCoupon') },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  sort: 'dateFrom,id',
  soft: true,
})

/** One time of a performer for several patients, each with a visit of their own: a class, a training. */
export const GroupVisit = entity('appointments/groups', {
  label: ['Групповой приём', 'группового приёма', 'групповых приёмов'],
  gender: 'm',
  fields: {
    idService: ref('services', {
      label: 'Услуга',
      as: 'service',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, readonly: true, whenDeleted: 'stays' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, readonly: true, whenDeleted: 'stays' }),
    idRoom: ref('filials/rooms', { label: 'Кабинет', as: 'room', readonly: true, onDelete: 'set null' }),
    ...wall,
    minutes: integer({ label: 'Минут', required: true, readonly: true, min: 1, max: 1440 }),
    breakAfter: integer({ label: 'Перерыв врача, мин', default: 0, readonly: true }),
    cleaning: integer({ label: 'Уборка кабинета, мин', default: 0, readonly: true }),
    /** Of the service as it was when the first came. */
    capacity: integer({ label: 'Мест', required: true, readonly: true, min: 1 }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created', clock: 'filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  sort: 'dateFrom,id',
  soft: true,
})

/** A priced line of a coupon (spec §3 Coupon service). */
export const CouponService = entity('coupon-services', {
  label: ['Услуга талона', 'услуги талона', 'услуг талона'],
  gender: 'f',
  fields: {
    idCoupon: ref('coupons', { label: 'Талон', as: 'coupon', required: true, readonly: true, onDelete: 'cascade' }),
    idService: ref('services', { label: 'Услуга', as: 'service', required: true, readonly: true, whenDeleted: 'own' }),
    qty: decimal({ label: 'Количество', scale: 3, min: 0.001, max: 10_000, default: 1 }),
    price: money({ label: 'Цена', min: 0, default: 0, max: 100_000_000 }),
    /** By the list of the day on which it was booked, and the last day that this holds for. */
    promised: money({ label: 'Цена при записи', readonly: true }),
    priceUntil: date({ label: 'Цена действует по', readonly: true }),
    discount: money({ label: 'Скидка', default: 0, readonly: true }),
    bonus: money({ label: 'Бонусами', min: 0, default: 0, readonly: true }),
    insurer: money({ label: 'Платит страховая', min: 0, default: 0, readonly: true }),
    finalCost: money({ label: 'Стоимость', computed: true, required: true }),
    finalCostWithBonuses: money({ label: 'К оплате', computed: true, required: true }),
    /** Rubles of payments that stand for it. */
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    completed: boolean({ label: 'Оказана', default: false, readonly: true }),
    dateCompleted: moment('Когда оказана', 'coupon.filial.timeZone'),
    cancelled: boolean({ label: 'Отказ', default: false, readonly: true }),
    refusalReason: text({ label: 'Причина отказа', max: 500, readonly: true }),
    /** What of a treatment plan it is, and the rubles of the agreed sum that it stands for. */
    idPlanItem: ref('customer-plans/items', {
      label: 'Услуга плана',
      as: 'planItem',
      readonly: true,
      whenDeleted: { asks: { among: { cancelled: [false] } } },
    }),
    planSum: money({ label: 'По плану', readonly: true }),
    /** The price is agreed: no list and no discount changes it. */
    isFixed: boolean({ label: 'Цена согласована', default: false, readonly: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created', clock: 'coupon.filial.timeZone' }),
  },
  many: {
    performers: many('coupon-services/performers', 'idCouponService'),
    offerServices: many('sales-management/offer-services', 'idCouponService'),
  },
  access: { view: visitAccess.view, update: 'editVisitPrices' },
  within: 'idCoupon',
  sort: 'id',
  soft: true,
})

/** People who perform one line together. */
export const MAX_PERFORMERS = 10

/** Who performs a line together with others, and which share of it is whose. */
export const LinePerformer = entity('coupon-services/performers', {
  label: ['Соисполнитель', 'соисполнителя', 'соисполнителей'],
  gender: 'm',
  fields: {
    idCouponService: ref('coupon-services', {
      label: 'Услуга талона',
      as: 'line',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Исполнитель', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    share: decimal({ label: 'Доля, %', scale: 2, min: 0.01, max: 100, required: true }),
  },
  access: {
    view: visitAccess.view,
    create: 'editVisitPrices',
    update: 'editVisitPrices',
    delete: 'editVisitPrices',
  },
  within: 'idCouponService',
  unique: [['idCouponService', 'idUser']],
  sort: 'id',
  soft: true,
})

/** A visit has been put to another time or another doctor. */
export const AppointmentMove = entity('appointments/moves', {
  label: ['Перенос', 'переноса', 'переносов'],
  gender: 'm',
  fields: {
    idAppointment: ofVisit(),
    fromDate: date({ label: 'С дня', required: true, readonly: true }),
    fromStart: text({ label: 'С начала', required: true, readonly: true, max: 5 }),
    toDate: date({ label: 'На день', required: true, readonly: true }),
    toStart: text({ label: 'На начало', required: true, readonly: true, max: 5 }),
    idUserFrom: ref('users', { label: 'От врача', as: 'userFrom', readonly: true, whenDeleted: 'stays' }),
    idUserTo: ref('users', { label: 'К врачу', as: 'userTo', readonly: true, whenDeleted: 'stays' }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    idAuthor: ref('users', { label: 'Кто перенёс', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  sort: 'id',
})

/** A visit has gone from one status to another: when, and by whom. */
export const VisitChange = entity('appointments/changes', {
  label: ['Смена состояния', 'смены состояния', 'смен состояния'],
  gender: 'f',
  fields: {
    idAppointment: ofVisit(),
    fromStatus: choice(visitStatuses, { label: 'Было', readonly: true, required: true }),
    toStatus: choice(visitStatuses, { label: 'Стало', readonly: true, required: true }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    /** Null: a rule of the clinic. */
    idAuthor: ref('users', { label: 'Кто', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  sort: 'id',
})

/** Days after a visit in which its patient may say how likely they are to recommend the clinic. */
export const SCORE_DAYS = 30
export const MAX_SCORE = 10
/** NPS: from 9 a promoter, up to 6 a detractor. */
export const PROMOTER_FROM = 9
export const DETRACTOR_TO = 6

/** What a patient answers after a visit to «посоветуете ли вы клинику», from 0 to 10: once a visit. */
export const VisitScore = entity('appointments/scores', {
  label: ['Оценка визита', 'оценки визита', 'оценок визитов'],
  gender: 'f',
  fields: {
    idAppointment: ofVisit(),
    score: integer({ label: 'Оценка', required: true, readonly: true, min: 0, max: MAX_SCORE }),
    comment: text({ label: 'Отзыв', max: 1000, multiline: true, readonly: true }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  unique: [['idAppointment']],
  sort: '-id',
})

/** Minutes that a time is held without a word, and at the most while somebody types. */
export const HOLD_MINUTES = 3
export const MAX_HOLD_MINUTES = 15

/** A time that somebody is just booking: nobody else takes it until it runs out. */
export const Hold = entity('appointments/holds', {
  label: ['Удержание', 'удержания', 'удержаний'],
  gender: 'n',
  fields: {
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, onDelete: 'cascade' }),
    idRoom: ref('filials/rooms', { label: 'Кабинет', as: 'room', fixed: true, onDelete: 'cascade' }),
    localDate: date({ label: 'День', required: true, fixed: true }),
    localStart: text({ label: 'Начало', required: true, fixed: true, max: 5, rule: clockRule }),
    minutes: integer({ label: 'Минут', required: true, fixed: true, min: 1, max: 1440 }),
    dateFrom: wall.dateFrom,
    dateTo: wall.dateTo,
    expiresAt: dateTime({ label: 'Держится до', required: true, readonly: true, clock: 'filial.timeZone' }),
    /** For one of the waiting list: whoever has offered it has no more right to it than others. */
    isOffered: boolean({ label: 'Предложено из листа ожидания', default: false, readonly: true }),
    idAuthor: ref('users', { label: 'Кто записывает', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'С', auto: 'created', clock: 'filial.timeZone' }),
  },
  access: { view: visitAccess.view, create: 'createAppointments', delete: 'createAppointments' },
  sort: 'dateFrom,id',
  soft: true,
})

/** A patient is reminded of a visit, and what they answer. It says the time that stood then: after a move it is another one. */
export const VisitReminder = entity('appointments/reminders', {
  label: ['Напоминание', 'напоминания', 'напоминаний'],
  gender: 'n',
  fields: {
    idAppointment: ofVisit(),
    kind: choice(reminderKinds, { label: 'Какое', required: true, readonly: true }),
    /** Of the visit, as the message says it. */
    dateFrom: dateTime({ label: 'О визите', required: true, readonly: true, clock: 'appointment.filial.timeZone' }),
    /** By what it goes, or went, and what has become of it. */
    idMessage: ref('messages', {
      label: 'Сообщение',
      as: 'message',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    channel: choice(messageWays, { label: 'Чем', computed: true }),
    /** What has not taken it. */
    tried: list(messageWays, { label: 'Чем не вышло', computed: true, required: true }),
    status: choice(messageStatuses, { label: 'Состояние', computed: true, required: true }),
    reason: text({ label: 'Причина отказа', computed: true }),
    dateSent: dateTime({ label: 'Отправлено', computed: true, clock: 'appointment.filial.timeZone' }),
    reply: text({ label: 'Ответ', readonly: true, max: 500 }),
    meaning: choice(replyMeanings, { label: 'Что ответил', readonly: true }),
    dateReply: dateTime({ label: 'Ответил', readonly: true, clock: 'appointment.filial.timeZone' }),
    dateCreate: dateTime({ label: 'Создано', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  unique: [['idAppointment', 'kind', 'dateFrom']],
  sort: 'id',
})

/** Whose desk a branch's is: they see and keep its day. */
export const Desk = entity('filials/desks', {
  label: ['Регистратор филиала', 'регистратора филиала', 'регистраторов филиала'],
  gender: 'm',
  registry: { empty: { title: 'Регистраторов нет', text: 'Они видят и ведут записи этого филиала' } },
  fields: {
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, onDelete: 'cascade' }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
  },
  access: { view: 'signed-in', create: 'mainSettings', delete: 'mainSettings' },
  within: 'idFilial',
  unique: [['idFilial', 'idUser']],
  sort: 'id',
  soft: true,
})
