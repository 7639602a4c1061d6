import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { json } from '../../fields/json.ts'
import { list } from '../../fields/list.ts'
import { numberChoice } from '../../fields/numberChoice.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'
import { fiscalStatuses } from './fiscal.ts'
import { paymentMethods } from './methods.ts'

export const paymentKinds = { payment: 'Оплата', refund: 'Возврат' } as const
export type PaymentKind = keyof typeof paymentKinds

/** Statuses of a payment (spec §3 `idStatus`). */
export const paymentStatuses = {
  1: 'Проводится',
  2: 'Проведена',
  3: 'Отклонена',
  4: 'Ждёт одобрения',
} as const
export const IN_WORK = 1
export const DONE = 2
export const DECLINED = 3
export const AWAITING = 4

/** Status of a payment's receipts; of several, the one with an error. */
export const paymentReceipts = { ...fiscalStatuses, none: 'Без чека' } as const

const view = { view: [...moneyView, 'viewPaymentsReport'] } as const

/** A payment or refund of a customer (spec §3 Payment). Created by calls, immutable. */
export const Payment = entity('payments', {
  branchBy: ['idDesk'],
  label: ['Платёж', 'платежа', 'платежей'],
  gender: 'm',
  fields: {
    kind: choice(paymentKinds, { label: 'Вид', required: true, readonly: true }),
    idStatus: numberChoice(paymentStatuses, { label: 'Состояние', required: true, readonly: true }),
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'asks',
    }),
    /** Payer for the customer; gets the receipt and the paper for the tax office. */
    idPayer: ref('customers', { label: 'Плательщик', as: 'payer', readonly: true, whenDeleted: 'stays' }),
    idOrganization: ref('organizations', {
      label: 'Организация',
      as: 'organization',
      required: true,
      readonly: true,
      whenDeleted: 'keeps',
    }),
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', required: true, readonly: true, whenDeleted: 'asks' }),
    idShift: ref('cash-shifts', { label: 'Смена', as: 'shift', readonly: true }),
    localDate: date({ label: 'День', required: true, readonly: true }),
    sum: money({ label: 'Сумма', required: true, readonly: true }),
    /** Bonuses used beside it. */
    bonus: money({ label: 'Бонусами', default: 0, readonly: true }),
    received: money({ label: 'Получено наличными', readonly: true }),
    change: money({ label: 'Сдача', readonly: true }),
    /** Phone or e-mail of the patient, only for the register: access to cards may be limited. */
    contact: text({ label: 'Куда отправить чек', max: 255, readonly: true, hidden: [] }),
    comment: text({ label: 'Примечание', max: 500, readonly: true }),
    /** Services that the cashier chose to pay or take back, in rubles; null: the oldest first. */
    lines: json<{ idCouponService: number; sum: number }[]>()({ label: 'За какие услуги', readonly: true }),
    /** The sold certificate. */
    idCertificate: ref('certificates', { label: 'Проданный сертификат', as: 'certificate', readonly: true }),
    /** The sold membership. */
    idMembership: ref('memberships', { label: 'Проданный абонемент', as: 'membership', readonly: true }),
    idRefundOf: ref('payments', { label: 'Возврат платежа', as: 'refundOf', readonly: true }),
    idApprover: ref('users', { label: 'Кто одобрил', as: 'approver', readonly: true, whenDeleted: 'stays' }),
    refusal: text({ label: 'Почему отклонена', max: 500, readonly: true }),
    methods: list(paymentMethods, { label: 'Чем', computed: true, required: true }),
    refunded: money({ label: 'Возвращено', computed: true, required: true }),
    /** Paid services, and the advance. */
    paidFor: json<{ name: string; sum: number }[]>()({
      label: 'Оплаченные услуги',
      computed: true,
      required: true,
      lazy: true,
    }),
    receipt: choice(paymentReceipts, { label: 'Чек', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто провёл', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'desk.filial.timeZone' }),
  },
  many: { parts: many('payments/parts', 'idPayment'), refunds: many('payments', 'idRefundOf') },
  access: view,
  title: 'sum',
  sort: '-id',
  soft: true,
  personal: 'idCustomer',
  nameOnly: ['idPayer'],
})

export const terminalStates = {
  sending: 'Ждём терминал',
  unknown: 'Ответ неизвестен',
  approved: 'Одобрено',
  declined: 'Отклонено',
} as const

/** Part of a payment by one payment method. */
export const PaymentPart = entity('payments/parts', {
  label: ['Часть платежа', 'части платежа', 'частей платежа'],
  gender: 'f',
  fields: {
    idPayment: ref('payments', { label: 'Платёж', as: 'payment', required: true, readonly: true }),
    method: choice(paymentMethods, { label: 'Чем', required: true, readonly: true }),
    sum: money({ label: 'Сумма', required: true, readonly: true }),
    idGuarantee: ref('guarantee-letters', {
      label: 'Гарантийное письмо',
      as: 'guarantee',
      readonly: true,
      whenDeleted: 'keeps',
    }),
    idCertificate: ref('certificates', { label: 'Сертификат', as: 'certificate', readonly: true }),
    terminalState: choice(terminalStates, { label: 'Терминал', readonly: true }),
    /** The terminal's response: operation number, card. */
    terminal: json<{ rrn?: string; authCode?: string; card?: string; message?: string }>()({
      label: 'Ответ терминала',
      readonly: true,
    }),
  },
  access: view,
  within: 'idPayment',
  sort: 'id',
})

export const letterStatuses = { active: 'Действует', closed: 'Закрыто' } as const

/** An insurer's guarantee to pay for a customer, up to a limit. */
export const GuaranteeLetter = entity('guarantee-letters', {
  label: ['Гарантийное письмо', 'гарантийного письма', 'гарантийных писем'],
  gender: 'n',
  registry: {
    empty: { title: 'Писем нет', text: 'Гарантийных писем пока нет. По ним за клиента платит страховая' },
  },
  fields: {
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, fixed: true, whenDeleted: 'asks' }),
    idInsurer: ref('organizations', {
      label: 'Страховая',
      as: 'insurer',
      required: true,
      fixed: true,
      whenDeleted: 'keeps',
    }),
    number: text({ label: 'Номер', required: true, max: 64, search: true }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По', required: true }),
    limit: money({ label: 'Лимит', required: true, min: 0.01, max: 100_000_000 }),
    used: money({ label: 'Использовано', computed: true, required: true }),
    services: text({ label: 'Какие услуги', max: 1000, multiline: true }),
    status: choice(letterStatuses, { label: 'Состояние', default: 'active' }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created' }),
  },
  access: {
    view: moneyView,
    create: ['takePayments', 'editAccount'],
    update: ['takePayments', 'editAccount'],
    delete: 'editAccount',
  },
  title: 'number',
  sort: '-dateTo,id',
  soft: true,
  personal: 'idCustomer',
})
