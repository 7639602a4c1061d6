import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { type Cover, membershipStarts, membershipStates, membershipUsers, refundRules } from './rules.ts'

/** Rights to see sold memberships: the desk, those who book, and readers of the list. */
export const membershipView = ['viewMemberships', 'takePayments', 'viewCashDesk', 'editAppointments'] as const

/**
 * A sold membership with the terms of its day. Its money is an account of the ledger, its visits are `membership_units`;
 * changed by payments, visits and freezing alone, but for the last day.
 */
export const Membership = entity('memberships', {
  label: ['Абонемент', 'абонемента', 'абонементов'],
  gender: 'm',
  registry: {
    columns: ['name', 'idBuyer', 'state', 'rest', 'total', 'dateTo', 'price', 'held', 'dateCreate'],
    form: ['dateTo'],
    empty: { title: 'Абонементов нет', text: 'Абонемент продают в кассе или на счёте клиента' },
  },
  fields: {
    name: text({ label: 'Абонемент', required: true, max: 128, search: true, readonly: true }),
    /** Of a type, or of a treatment plan that is sold as a package. */
    idType: ref('membership-types', { label: 'Вид', as: 'type', readonly: true, whenDeleted: 'stays' }),
    idPlan: ref('customer-plans', { label: 'План лечения', as: 'plan', readonly: true, whenDeleted: 'stays' }),
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
    price: money({ label: 'Цена', required: true, readonly: true }),
    covers: json<Cover[]>()({ label: 'За что платит', required: true, readonly: true }),
    whose: choice(membershipUsers, { label: 'Для кого', required: true, readonly: true }),
    startsAt: choice(membershipStarts, { label: 'Начинается', required: true, readonly: true }),
    refundRule: choice(refundRules, { label: 'Возврат', required: true, readonly: true }),
    days: integer({ label: 'Срок, дней', readonly: true }),
    freezeDays: integer({ label: 'Заморозка, дней', required: true, readonly: true }),
    frozenDays: integer({ label: 'Заморожено, дней', default: 0, readonly: true }),
    frozenFrom: date({ label: 'Заморожен с', readonly: true }),
    frozenTo: date({ label: 'Заморожен по', readonly: true }),
    dateFrom: date({ label: 'Действует с', readonly: true }),
    dateTo: date({ label: 'Действует по' }),
    /** Visits: sold, used, booked ahead and left; null without a number of visits. */
    total: integer({ label: 'Посещений', computed: true }),
    used: integer({ label: 'Использовано', computed: true, required: true }),
    reserved: integer({ label: 'Записано', computed: true, required: true }),
    rest: integer({ label: 'Осталось', computed: true }),
    /** Rubles of its account in the ledger. */
    held: money({ label: 'На счёте', computed: true, required: true }),
    state: choice(membershipStates, { label: 'Состояние', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Продан', auto: 'created' }),
  },
  many: { users: many('memberships/users', 'idMembership'), moves: many('memberships/moves', 'idMembership') },
  access: { view: membershipView, update: 'editAccount' },
  title: 'name',
  brief: ['name', 'rest', 'total', 'dateTo', 'state'],
  sort: '-id',
  soft: true,
  personal: 'idBuyer',
})

/** A patient whose visits a membership pays for. */
export const MembershipUser = entity('memberships/users', {
  label: ['Кто пользуется', 'пользователя абонемента', 'пользователей абонемента'],
  gender: 'm',
  registry: { empty: { title: 'Никого', text: 'Добавьте тех, за чьи визиты платит абонемент' } },
  fields: {
    idMembership: ref('memberships', {
      label: 'Абонемент',
      as: 'membership',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, fixed: true, whenDeleted: 'own' }),
  },
  access: { view: membershipView, create: 'takePayments', delete: 'takePayments' },
  within: 'idMembership',
  sort: 'id',
  soft: true,
  personal: 'idCustomer',
})

export const membershipMoves = {
  sale: 'Продан',
  reserve: 'Записан визит',
  release: 'Запись снята',
  use: 'Использован',
  return: 'Возвращён на абонемент',
  term: 'Прошла часть срока',
  freeze: 'Заморожен',
  unfreeze: 'Разморожен',
  refund: 'Возврат денег',
} as const

/** A line of a membership's history; never changed. */
export const MembershipMove = entity('memberships/moves', {
  label: ['Движение абонемента', 'движения абонемента', 'движений абонемента'],
  gender: 'n',
  fields: {
    idMembership: ref('memberships', {
      label: 'Абонемент',
      as: 'membership',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    kind: choice(membershipMoves, { label: 'Что', required: true, readonly: true }),
    localDate: date({ label: 'День', required: true, readonly: true }),
    visits: integer({ label: 'Посещений', readonly: true }),
    sum: money({ label: 'Сумма', readonly: true }),
    idCouponService: ref('coupon-services', {
      label: 'Услуга',
      as: 'line',
      readonly: true,
      onDelete: 'set null',
    }),
    comment: text({ label: 'Пояснение', max: 500, readonly: true }),
    idAuthor: ref('users', { label: 'Кто', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: { view: membershipView },
  within: 'idMembership',
  sort: '-id',
})
