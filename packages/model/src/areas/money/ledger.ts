import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'
import { paymentMethods } from './methods.ts'

/**
 * Accounts of the ledger. A balance is the sum of the entries: positive is a claim or money at hand, negative is a
 * liability or income.
 */
export const accountKinds = {
  patient: 'Расчёты с клиентом',
  insurer: 'Расчёты со страховой',
  desk: 'Деньги кассы',
  revenue: 'Выручка',
  certificate: 'Сертификаты',
  /** One per sold membership (the mark): what is not used yet. */
  membership: 'Абонементы',
  bonus: 'Бонусы',
  over: 'Излишки и недостачи',
  writeOff: 'Списания',
  safe: 'Сейф: внесения и изъятия',
  /** One per category of expenses (the mark). */
  expense: 'Расходы',
  /** One per contractor (the mark), or without one: approved and unpaid expenses. */
  supplier: 'Расчёты с поставщиками',
  /** One per bank account (the mark). */
  bank: 'Деньги на счёте',
  wages: 'Начисленная зарплата',
  /** One per employee (the mark). */
  staff: 'Расчёты с сотрудниками',
  /** What came with the clinic from its former program; marked by the move. */
  opening: 'Входящие остатки',
} as const
export type AccountKind = keyof typeof accountKinds

/** Units are never added up. */
export type Unit = 'RUB' | 'BONUS'

/** An account with its owner. A separate record, so that merging two cards moves their accounts. */
export const LedgerAccount = entity('ledger/accounts', {
  branchBy: ['idDesk'],
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
    /** Distinguishes accounts of one owner, as the number of a certificate. */
    mark: text({ label: 'Метка', max: 64, readonly: true }),
    dateCreate: dateTime({ label: 'Открыт', auto: 'created' }),
  },
  access: { view: moneyView },
  sort: 'id',
})

/** Kinds of ledger transactions. */
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
  membershipUsed: 'Зачтён абонемент',
  membershipEarned: 'Выручка по абонементу',
  insurerCharged: 'Начислено плательщику',
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
