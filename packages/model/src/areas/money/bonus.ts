import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'

export const bonusKinds = {
  earned: 'За оплату',
  manual: 'Вручную',
  opening: 'Перенесены',
  invited: 'За друга',
} as const

/**
 * A grant of bonuses with one expiry day; a bonus pays as much as a ruble. The sum left of all grants equals the bonus
 * account in the ledger. Written by calls only.
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
    /** The paid service. */
    idCouponService: ref('coupon-services', {
      label: 'Услуга талона',
      as: 'couponService',
      readonly: true,
      onDelete: 'set null',
    }),
    percent: decimal({ label: 'Процент', scale: 2, readonly: true }),
    sum: money({ label: 'Начислено', required: true, readonly: true }),
    left: money({ label: 'Осталось', required: true, readonly: true }),
    /** Bonuses to take back that were already spent: deducted from the next grants. */
    owed: money({ label: 'Удержать из следующих', default: 0, readonly: true }),
    dateFrom: date({ label: 'Действуют с', required: true, readonly: true }),
    /** The last day; null: no expiry. */
    dateTo: date({ label: 'Действуют по', readonly: true }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    /** The employee who granted them or took the payment; null: automatic. */
    idUser: ref('users', { label: 'Кто', as: 'user', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: { view: moneyView },
  within: 'idCustomer',
  sort: '-id',
  personal: 'idCustomer',
})
