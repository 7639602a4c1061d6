import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
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
  aggregator: 'С площадки',
} as const

/** Maximum visits of one series. */
export const MAX_SERIES = 60

/** Rights to see how much of a service was sold. */
export const salesAccess = ['editServices', 'viewPaymentsReport'] as const

/** Rights to see the own day and to manage visits. The server's scope restricts the rows. */
export const visitAccess = {
  view: ['viewCalendar', 'viewAllAppointments'],
  update: 'editAppointments',
  delete: 'editAppointments',
} as const

const moment = (label: string, clock = 'filial.timeZone') => dateTime({ label, readonly: true, clock })
export const wall = {
  localDate: date({ label: 'День', required: true, readonly: true }),
  localStart: text({ label: 'Начало', required: true, readonly: true, max: 5, rule: clockRule }),
  /** Computed by PostgreSQL from the branch's clock and zone. */
  dateFrom: dateTime({ label: 'Начало, время', required: true, readonly: true, clock: 'filial.timeZone' }),
  dateTo: dateTime({ label: 'Конец, время', required: true, readonly: true, clock: 'filial.timeZone' }),
}

/** Word forms for error messages, as with a doctor and a service. */
const visitWords = ['визит', 'визита', 'визитов'] as const

/** A patient's visit (spec §3 Appointment): the branch's clock is authoritative, the moments are derived. */
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
    /** Who sent the patient to this visit from outside, under a contract. */
    idReferrer: ref('referrers', { label: 'Кто направил', as: 'referrer', whenDeleted: 'keeps' }),
    note: text({ label: 'Примечание', max: 2000, multiline: true, search: true }),
    needsRebook: boolean({ label: 'Требует переноса', default: false, readonly: true }),
    cancelReason: choice(cancelReasons, { label: 'Причина отмены', readonly: true }),
    cancelNote: text({ label: 'Пояснение', max: 500, readonly: true }),
    cancelledBy: choice({ patient: 'Пациент', clinic: 'Клиника' }, { label: 'Кто отменил', readonly: true }),
    /** Common number of the visits of a series: the id of the first. */
    idSeries: integer({ label: 'Серия', readonly: true }),
    dateConfirmed: moment('Подтверждён'),
    dateArrived: moment('Пришёл'),
    dateStarted: moment('Начат'),
    dateCompleted: moment('Завершён'),
    dateCancelled: moment('Отменён'),
    /** Names of the services as text. */
    services: text({ label: 'Услуги', computed: true, required: true }),
    /** Rubles of all coupons that are not cancelled. */
    finalCostWithBonuses: money({ label: 'К оплате', computed: true, lazy: true }),
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

export const ofVisit = () =>
  ref('appointments', { label: 'Запись', as: 'appointment', required: true, readonly: true, onDelete: 'cascade' })

/** Fields of the service as it was sold (name, codes, price …), by field; null before. */
const soldService = () => json<Record<string, unknown>>()({ label: 'Услуга при продаже', computed: true, lazy: true })

/** Occupied time of a performer and a room within a visit (spec §3 Coupon). */
export const Coupon = entity('coupons', {
  label: ['Талон', 'талона', 'талонов'],
  gender: 'm',
  fields: {
    idAppointment: ofVisit(),
    idService: ref('services', {
      label: 'Услуга',
      as: 'service',
      required: true,
      readonly: true,
      whenDeleted: 'own',
      keptIn: 'soldService',
    }),
    /** Of its first line with this service. */
    soldService: soldService(),
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
    /** The group visit it belongs to. */
    idGroup: ref('appointments/groups', {
      label: 'Групповой приём',
      as: 'group',
      readonly: true,
      onDelete: 'set null',
    }),
    /** Names of the branch's equipment it occupies, as text. */
    equipment: text({ label: 'Оборудование', computed: true, required: true }),
    /** Rubles paid for its lines. */
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

/** One time of a performer for several patients, each with an own visit: a class, a training. */
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
    /** The service's capacity at the first booking. */
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
    idService: ref('services', {
      label: 'Услуга',
      as: 'service',
      required: true,
      readonly: true,
      whenDeleted: 'own',
      keptIn: 'soldService',
    }),
    soldService: soldService(),
    /** As it was sold; until then as it is called. */
    soldName: text({ label: 'Наименование', computed: true, lazy: true }),
    qty: decimal({ label: 'Количество', scale: 3, min: 0.001, max: 10_000, default: 1 }),
    price: money({ label: 'Цена', min: 0, default: 0, max: 100_000_000 }),
    /** The price list at booking, and the last day of its validity. */
    promised: money({ label: 'Цена при записи', readonly: true }),
    priceUntil: date({ label: 'Цена действует по', readonly: true }),
    /** Set by an employee: price lists do not change it, and it is never above what was promised. */
    byHand: boolean({ label: 'Цена вручную', default: false, readonly: true }),
    promiseTaken: text({ label: 'Почему отозвана обещанная цена', max: 400, readonly: true }),
    discount: money({ label: 'Скидка', default: 0, readonly: true }),
    bonus: money({ label: 'Бонусами', min: 0, default: 0, readonly: true }),
    insurer: money({ label: 'Платит плательщик', min: 0, default: 0, readonly: true }),
    finalCost: money({ label: 'Стоимость', computed: true, required: true }),
    finalCostWithBonuses: money({ label: 'К оплате', computed: true, required: true }),
    /** Rubles of the payments assigned to it. */
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    completed: boolean({ label: 'Оказана', default: false, readonly: true }),
    dateCompleted: moment('Когда оказана', 'coupon.filial.timeZone'),
    cancelled: boolean({ label: 'Отказ', default: false, readonly: true }),
    refusalReason: text({ label: 'Причина отказа', max: 500, readonly: true }),
    /** Its treatment plan item, and its rubles of the agreed sum. */
    idPlanItem: ref('customer-plans/items', {
      label: 'Услуга плана',
      as: 'planItem',
      readonly: true,
      whenDeleted: { asks: { among: { cancelled: [false] } } },
    }),
    planSum: money({ label: 'По плану', readonly: true }),
    /** The price is agreed: price lists and discounts do not change it. */
    isFixed: boolean({ label: 'Цена согласована', default: false, readonly: true }),
    /** The membership that pays for it; `isOwnPay`: taken off, the patient pays. */
    idMembership: ref('memberships', {
      label: 'Абонемент',
      as: 'membership',
      readonly: true,
      whenDeleted: 'stays',
    }),
    /** The list by which a payer pays `insurer`, the rule that covers it and the letter that allows it. */
    idInsured: ref('insured-persons', { label: 'Застрахован', as: 'insured', readonly: true, whenDeleted: 'stays' }),
    idRule: ref('programme-rules', { label: 'Правило программы', as: 'rule', readonly: true, whenDeleted: 'stays' }),
    idGuarantee: ref('guarantee-letters', {
      label: 'Гарантийное письмо',
      as: 'guarantee',
      readonly: true,
      whenDeleted: 'keeps',
    }),
    isOwnPay: boolean({ label: 'Платит сам', default: false, readonly: true }),
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

/** Maximum joint performers of one line. */
export const MAX_PERFORMERS = 10

/** A joint performer of a line, with the share. */
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

/** A reminder of a visit and the patient's reply. It refers to the time at sending: after a move there is another one. */
export const VisitReminder = entity('appointments/reminders', {
  label: ['Напоминание', 'напоминания', 'напоминаний'],
  gender: 'n',
  fields: {
    idAppointment: ofVisit(),
    kind: choice(reminderKinds, { label: 'Какое', required: true, readonly: true }),
    /** Time of the visit as given in the message. */
    dateFrom: dateTime({ label: 'О визите', required: true, readonly: true, clock: 'appointment.filial.timeZone' }),
    /** Its message, with channel and state. */
    idMessage: ref('messages', {
      label: 'Сообщение',
      as: 'message',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    channel: choice(messageWays, { label: 'Чем', computed: true }),
    /** Channels that failed. */
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

/** An employee of a branch's front desk: sees and manages its day. */
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
