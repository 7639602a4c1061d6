import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Discount applied to one line: kept permanently, also after it is taken back. */
export const DiscountUse = entity('discounts/uses', {
  label: ['Применение скидки', 'применения скидки', 'применений скидок'],
  gender: 'n',
  registry: {
    columns: [
      'dateCreate',
      'idDiscount',
      'idService',
      'idCustomer',
      'base',
      'amount',
      'reversedAmount',
      'reason',
      'idUser',
    ],
    empty: { title: 'Применений пока нет', text: 'Здесь стоит каждая данная скидка: кому, на что, сколько и почему.' },
  },
  fields: {
    /** Empty: given by hand. */
    idDiscount: ref('discounts', {
      label: 'Скидка',
      as: 'discount',
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'own',
    }),
    idCode: ref('discounts/promo-codes', {
      label: 'Код',
      as: 'code',
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'keeps',
    }),
    /** Shared by all uses of one order. */
    order: text({ label: 'Заказ', readonly: true, required: true, max: 64 }),
    idCoupon: ref('coupons', { label: 'Талон', as: 'coupon', readonly: true, onDelete: 'set null' }),
    idCouponService: ref('coupon-services', {
      label: 'Услуга талона',
      as: 'couponService',
      readonly: true,
      onDelete: 'set null',
    }),
    idService: ref('services', { label: 'Услуга', as: 'service', readonly: true, whenDeleted: 'stays' }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', readonly: true, whenDeleted: 'stays' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', readonly: true, whenDeleted: 'stays' }),
    quantity: decimal({ label: 'Количество', scale: 3, readonly: true, required: true }),
    base: money({ label: 'До скидки', readonly: true, required: true }),
    amount: money({ label: 'Скидка', readonly: true, required: true }),
    reason: text({ label: 'Почему', readonly: true, required: true, max: 500 }),
    idApproval: ref('discounts/approvals', { label: 'Согласование', as: 'approval', readonly: true }),
    /** Quantity taken back, and the discount with it. */
    reversedQuantity: decimal({ label: 'Возвращено', scale: 3, readonly: true, default: 0 }),
    reversedAmount: money({ label: 'Возвращено скидки', readonly: true, default: 0 }),
    reverseReason: text({ label: 'Причина возврата', readonly: true, max: 500 }),
    dateReversed: dateTime({ label: 'Когда возвращено', readonly: true }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'actor' }),
  },
  access: { view: 'viewDiscounts' },
  personal: 'idCustomer',
  sort: '-id',
})
