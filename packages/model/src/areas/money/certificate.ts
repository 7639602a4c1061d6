import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'

/** Length of a number: printed on paper, typed by a cashier. */
export const CERTIFICATE_NUMBER = { min: 3, max: 32 } as const

export const certificateStates = {
  pending: 'Оплачивается',
  active: 'Действует',
  expired: 'Истёк',
  spent: 'Использован',
  returned: 'Возвращён',
} as const

/**
 * A prepaid certificate: pays for services until its day. Its balance is its account in the ledger. Changed only by
 * payments.
 */
export const Certificate = entity('certificates', {
  label: ['Проданный сертификат', 'проданного сертификата', 'проданных сертификатов'],
  gender: 'm',
  registry: {
    columns: ['number', 'state', 'sum', 'rest', 'dateTo', 'idBuyer', 'idCustomer', 'dateCreate'],
    form: ['dateTo'],
    empty: { title: 'Сертификатов нет', text: 'Сертификат продают в кассе или на счёте клиента' },
  },
  fields: {
    number: text({ label: 'Номер', required: true, ...CERTIFICATE_NUMBER, unique: true, search: true, readonly: true }),
    idOrganization: ref('organizations', {
      label: 'Организация',
      as: 'organization',
      required: true,
      readonly: true,
      whenDeleted: 'asks',
    }),
    idBuyer: ref('customers', {
      label: 'Кто купил',
      as: 'buyer',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idCustomer: ref('customers', { label: 'Только для клиента', as: 'customer', readonly: true, whenDeleted: 'asks' }),
    sum: money({ label: 'Номинал', required: true, readonly: true }),
    dateTo: date({ label: 'Действует по', required: true }),
    /** Rubles left. */
    rest: money({ label: 'Осталось', computed: true, required: true }),
    state: choice(certificateStates, { label: 'Состояние', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Продан', auto: 'created' }),
  },
  access: { view: moneyView, update: 'editAccount' },
  title: 'number',
  brief: ['number', 'rest', 'dateTo', 'state'],
  sort: '-id',
  soft: true,
  personal: 'idBuyer',
})
