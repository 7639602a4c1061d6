import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'

export const bonusKinds = { earned: 'За оплату', manual: 'Вручную', opening: 'Перенесены' } as const

/**
 * Bonuses that a customer was given at once, of one day on which they burn; a bonus pays as much as a ruble. What is left
 * of all of them is what the account of bonuses holds in the ledger. Made and changed by calls alone.
 */
export const Bonus = entity('bonuses', {
  label: ['Начисление бонусов', 'начисления бонусов', 'начислений бонусов'],
  gender: 'n',
  fields: {
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, readonly: true }),
    kind: choice(bonusKinds, { label: 'За что', required: true, readonly: true }),
    idProgram: ref('discounts/bonus-programs', {
      label: 'Программа',
      as: 'program',
      readonly: true,
      whenDeleted: 'asks',
    }),
    /** What was paid for. */
    idCouponService: ref('coupon-services', {
      label: 'Услуга талона',
      as: 'couponService',
      readonly: true,
      onDelete: 'set null',
    }),
    percent: decimal({ label: 'Процент', scale: 2, readonly: true }),
    sum: money({ label: 'Начислено', required: true, readonly: true }),
    left: money({ label: 'Осталось', required: true, readonly: true }),
    /** What was to be taken back and had been spent already: the next ones pay it. */
    owed: money({ label: 'Удержать из следующих', default: 0, readonly: true }),
    dateFrom: date({ label: 'Действуют с', required: true, readonly: true }),
    /** The last day; none: they never burn. */
    dateTo: date({ label: 'Действуют по', readonly: true }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    /** Who has given them, or taken the payment; none: the program itself. */
    idUser: ref('users', { label: 'Кто', as: 'user', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: { view: moneyView },
  within: 'idCustomer',
  sort: '-id',
  personal: 'idCustomer',
})
