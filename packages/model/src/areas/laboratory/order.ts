import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { ordersEdit, ordersView } from './access.ts'
import { cancelReasons, itemStatuses, type OrderStatus, orderStatuses } from './states.ts'
import { urgencies } from './words.ts'

const moment = (label: string) => dateTime({ label, readonly: true, clock: 'filial.timeZone' })

export const paidStates = {
  none: 'Бесплатно',
  unpaid: 'Не оплачен',
  part: 'Оплачен частично',
  paid: 'Оплачен',
} as const

/** An order of tests for a patient, from the desk to the signed result (screens.md §8). */
export const LabOrder = entity('laboratory/orders', {
  label: ['Заказ анализов', 'заказа анализов', 'заказов анализов'],
  gender: 'm',
  registry: {
    columns: [
      'number',
      'dateCreate',
      'idCustomer',
      'idDoctor',
      'tests',
      'tubes',
      'sum',
      'paidStatus',
      'status',
      'dueAt',
    ],
    form: ['diagnosis', 'pregnancyWeeks', 'cycleDay', 'menopause', 'fasting', 'medication', 'comment'],
    empty: {
      title: 'Заказов пока нет',
      text: 'Заказ оформляют в регистратуре, с приёма, из осмотра или плана лечения.',
    },
  },
  fields: {
    number: text({ label: '№', max: 64, readonly: true, search: true }),
    idCustomer: ref('customers', {
      label: 'Пациент',
      as: 'customer',
      required: true,
      fixed: true,
      onDelete: 'restrict',
      whenDeleted: 'asks',
    }),
    /** The visit that contains the order's services. */
    idAppointment: ref('appointments', { label: 'Визит', as: 'appointment', readonly: true, onDelete: 'set null' }),
    idDoctor: ref('users', { label: 'Назначил', as: 'doctor', whenDeleted: 'stays' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, whenDeleted: 'stays' }),
    idLead: ref('sales-management/leads', { label: 'Сделка', as: 'lead', fixed: true, onDelete: 'set null' }),
    idPlan: ref('customer-plans', { label: 'План лечения', as: 'plan', fixed: true, onDelete: 'set null' }),
    idExamination: ref('examinations', { label: 'Осмотр', as: 'examination', fixed: true, onDelete: 'set null' }),
    /** The order that this one copies or repeats. */
    idFormer: ref('laboratory/orders', { label: 'Повтор заказа', as: 'former', readonly: true, onDelete: 'set null' }),
    urgency: choice(urgencies, { label: 'Срочность', default: 'routine' }),
    status: choice(orderStatuses, { label: 'Состояние', default: 'draft', readonly: true }),
    plannedAt: dateTime({ label: 'Взять', clock: 'filial.timeZone' }),
    placedAt: moment('Оформлен'),
    takenAt: moment('Взят'),
    sentAt: moment('Отправлен'),
    doneAt: moment('Готов'),
    issuedAt: moment('Выдан'),
    idIssuer: ref('users', { label: 'Кто выдал', as: 'issuer', readonly: true, whenDeleted: 'stays' }),
    /** A result in the patient's hands has changed since: its paper is issued again. */
    reissue: boolean({ label: 'Выдать заново', default: false, readonly: true }),
    /** Promised time of the whole order. */
    dueAt: moment('Срок'),
    diagnosis: identifier('icd10', { label: 'Диагноз МКБ-10' }),
    pregnancyWeeks: integer({ label: 'Беременность, недель', min: 1, max: 44 }),
    cycleDay: integer({ label: 'День цикла', min: 1, max: 60 }),
    menopause: boolean({ label: 'Постменопауза', default: false }),
    fasting: boolean({ label: 'Натощак', default: false }),
    medication: text({ label: 'Принимает препараты', max: 1000 }),
    externalNumber: text({ label: 'Номер у партнёра', max: 64, readonly: true, search: true }),
    cancelReason: choice(cancelReasons, { label: 'Причина отмены', readonly: true }),
    cancelNote: text({ label: 'Пояснение', max: 500, readonly: true }),
    comment: text({ label: 'Комментарий', max: 2000, multiline: true }),
    /** Names of its tests, and number of tubes. */
    tests: text({ label: 'Исследования', computed: true, required: true }),
    tubes: integer({ label: 'Пробирок', computed: true, required: true }),
    sum: money({ label: 'Сумма', computed: true, required: true }),
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    cost: money({ label: 'Себестоимость', computed: true, required: true }),
    paidStatus: choice(paidStates, { label: 'Оплата', computed: true, required: true }),
    isLate: boolean({ label: 'Просрочен', computed: true, required: true }),
    /** It has a critical value that nobody was informed of yet. */
    isCritical: boolean({ label: 'Критическое значение', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Оформил', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Дата', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed', clock: 'filial.timeZone' }),
  },
  many: { items: many('laboratory/order-items', 'idOrder'), samples: many('laboratory/samples', 'idOrder') },
  access: { view: ordersView, update: ordersEdit, delete: ordersEdit },
  kept: ({ status }: { status: OrderStatus }) =>
    status === 'draft' ? undefined : 'Оформленный заказ не удаляют: его можно отменить',
  title: 'number',
  brief: ['number', 'status', 'idCustomer'],
  sort: '-id',
  soft: true,
  personal: 'idCustomer',
})

const ofOrder = () =>
  ref('laboratory/orders', { label: 'Заказ', as: 'order', required: true, readonly: true, onDelete: 'cascade' })

/** A test of an order. Each test of a panel is a line; the first one carries the price of the panel. */
export const LabOrderItem = entity('laboratory/order-items', {
  label: ['Исследование заказа', 'исследования заказа', 'исследований заказа'],
  gender: 'n',
  fields: {
    idOrder: ofOrder(),
    idTest: ref('laboratory/catalog', {
      label: 'Исследование',
      as: 'test',
      required: true,
      readonly: true,
      whenDeleted: 'asks',
    }),
    /** The panel it was ordered with. */
    idPanel: ref('laboratory/catalog', { label: 'Панель', as: 'panel', readonly: true, whenDeleted: 'asks' }),
    idLaboratory: ref('laboratory/list', {
      label: 'Лаборатория',
      as: 'laboratory',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idSample: ref('laboratory/samples', { label: 'Проба', as: 'sample', readonly: true, onDelete: 'set null' }),
    idCouponService: ref('coupon-services', {
      label: 'Услуга талона',
      as: 'line',
      readonly: true,
      onDelete: 'set null',
    }),
    idDevice: ref('laboratory/devices', { label: 'Анализатор', as: 'device', readonly: true, onDelete: 'set null' }),
    status: choice(itemStatuses, { label: 'Состояние', default: 'planned', readonly: true }),
    cancelReason: text({ label: 'Причина отмены', max: 500, readonly: true }),
    dueAt: dateTime({ label: 'Срок', readonly: true, clock: 'order.filial.timeZone' }),
    doneAt: dateTime({ label: 'Готово', readonly: true, clock: 'order.filial.timeZone' }),
    cost: money({ label: 'Себестоимость', readonly: true }),
  },
  access: { view: ordersView },
  within: 'idOrder',
  sort: 'id',
  soft: true,
})
