import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import type { MembershipTerms } from '../memberships/terms.ts'
import { moneyView } from './desk.ts'

export const linkStatuses = {
  waiting: 'Ждёт оплаты',
  paid: 'Оплачена',
  cancelled: 'Отменена',
  expired: 'Истекла',
  /** The payment system's data differ from the request; `error` has the details. */
  disputed: 'Нужен человек',
} as const
export type LinkStatus = keyof typeof linkStatuses

/** Days that a link is valid: by default, and at most. */
export const LINK_DAYS = 7
export const MOST_LINK_DAYS = 60

/**
 * A remote payment request: by a link or a QR code. It becomes a payment once the payment system confirms the money.
 */
export const PaymentLink = entity('payment-links', {
  branchBy: ['idDesk'],
  label: ['Ссылка на оплату', 'ссылки на оплату', 'ссылок на оплату'],
  gender: 'f',
  registry: {
    columns: ['dateCreate', 'idCustomer', 'sum', 'status', 'about', 'dateTo', 'idAuthor'],
    empty: {
      title: 'Ссылок пока нет',
      text: 'Ссылку или QR создают в карте клиента и в кассе: пациент платит картой или по СБП, чек приходит ему',
    },
  },
  fields: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', required: true, readonly: true, whenDeleted: 'stays' }),
    sum: money({ label: 'Сумма', required: true, readonly: true }),
    lines: json<{ idCouponService: number; sum: number }[]>()({ label: 'За какие услуги', readonly: true }),
    /** A membership that is bought by it: its terms of the day, and whose visits it pays for. */
    membership: json<{ users: number[]; terms: MembershipTerms }>()({
      label: 'Какой абонемент',
      readonly: true,
      hidden: [],
    }),
    about: text({ label: 'За что', max: 128, readonly: true }),
    contact: text({ label: 'Куда отправить чек', max: 255, readonly: true, hidden: [] }),
    status: choice(linkStatuses, { label: 'Состояние', required: true, readonly: true }),
    error: text({ label: 'Что случилось', max: 500, readonly: true }),
    dateTo: date({ label: 'Действует до', required: true, readonly: true }),
    idPayment: ref('payments', { label: 'Платёж', as: 'payment', readonly: true }),
    idAuthor: ref('users', { label: 'Кто создал', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created', clock: 'desk.filial.timeZone' }),
  },
  access: { view: [...moneyView, 'viewPaymentsReport'] },
  title: 'sum',
  sort: '-id',
  soft: true,
  personal: 'idCustomer',
})
