import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'
import { paymentMethods } from './methods.ts'

/**
 * Accounts of the ledger. What an account holds is the sum of its entries; above zero somebody owes us or it is in our
 * hands, below zero it is owed or earned.
 */
export const accountKinds = {
  patient: 'Расчёты с клиентом',
  insurer: 'Расчёты со страховой',
  desk: 'Деньги кассы',
  revenue: 'Выручка',
  certificate: 'Сертификаты',
  bonus: 'Бонусы',
  over: 'Излишки и недостачи',
  writeOff: 'Списания',
  safe: 'Сейф: внесения и изъятия',
  /** Marked by the article: what is spent on it. */
  expense: 'Расходы',
  /** Marked by the contractor, or by nobody: approved and not paid yet. */
  supplier: 'Расчёты с поставщиками',
  /** Marked by the account of the bank. */
  bank: 'Деньги на счёте',
  wages: 'Начисленная зарплата',
  /** Marked by the employee. */
  staff: 'Расчёты с сотрудниками',
  /** What came with the clinic from its former program; marked by the move. */
  opening: 'Входящие остатки',
} as const
export type AccountKind = keyof typeof accountKinds

/** Units that are never added to one another. */
export type Unit = 'RUB' | 'BONUS'

/** Whose an account is. A record of its own, so that two cards that are joined bring their accounts along. */
export const LedgerAccount = entity('ledger/accounts', {
  label: ['Счёт учёта', 'счёта учёта', 'счетов учёта'],
  gender: 'm',
  fields: {
    kind: choice(accountKinds, { label: 'Вид', required: true, readonly: true }),
    idOrganization: ref('organizations', {
      label: 'Организация',
      as: 'organization',
      readonly: true,
      whenDeleted: 'stays',
    }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', readonly: true, whenDeleted: 'stays' }),
    idInsurer: ref('organizations', { label: 'Страховая', as: 'insurer', readonly: true, whenDeleted: 'stays' }),
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', readonly: true, whenDeleted: 'stays' }),
    method: choice(paymentMethods, { label: 'Чем', readonly: true }),
    /** What tells accounts of one owner apart besides, as the number of a certificate. */
    mark: text({ label: 'Метка', max: 64, readonly: true }),
    dateCreate: dateTime({ label: 'Открыт', auto: 'created' }),
  },
  access: { view: moneyView },
  sort: 'id',
})

/** What a transaction of the ledger is. */
export const txKinds = {
  charge: 'Начислено',
  payment: 'Оплата',
  refund: 'Возврат',
  storno: 'Сторно',
  correction: 'Корректировка',
  writeOff: 'Списание',
  cashIn: 'Внесение',
  cashOut: 'Изъятие',
  difference: 'Расхождение',
  insurerPaid: 'Оплата страховой',
  insurerRefused: 'Отказ страховой',
  bonus: 'Бонусы',
  expense: 'Расход',
  expensePaid: 'Оплата расхода',
  payroll: 'Начислена зарплата',
  payout: 'Выплата зарплаты',
  opening: 'Входящий остаток',
} as const
export type TxKind = keyof typeof txKinds
