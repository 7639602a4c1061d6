import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { membershipStarts, membershipUsers, refundRules } from './rules.ts'

const access = {
  view: ['viewMemberships', 'editMembershipTypes', 'takePayments'],
  create: 'editMembershipTypes',
  update: 'editMembershipTypes',
  delete: 'editMembershipTypes',
} as const

/** What the clinic sells as a membership: a number of visits, a term, or both. */
export const MembershipType = entity('membership-types', {
  label: ['Вид абонемента', 'вида абонемента', 'видов абонементов'],
  gender: 'm',
  registry: {
    columns: ['nameType', 'price', 'visits', 'days', 'startsAt', 'whose', 'active'],
    form: {
      Основное: ['nameType', 'price', 'visits', 'days', 'startsAt', 'active'],
      Правила: ['whose', 'freezeDays', 'refundRule', 'note'],
      'Кому предлагают': ['isOnSite', 'isOnline'],
    },
    empty: {
      title: 'Видов абонементов нет',
      text: 'Заведите вид: цену, сколько посещений или дней и на какие услуги. Продают абонемент в кассе и на счёте клиента.',
    },
  },
  fields: {
    nameType: text({ label: 'Название', required: true, max: 128, search: true }),
    price: money({ label: 'Цена', required: true, min: 1, max: 10_000_000 }),
    visits: integer({
      label: 'Посещений',
      min: 1,
      max: 366,
      help: 'Общий остаток на все услуги. Пусто — у услуг свои остатки либо посещения не считают',
    }),
    days: integer({ label: 'Срок, дней', min: 1, max: 3660, help: 'Пусто — без срока' }),
    startsAt: choice(membershipStarts, { label: 'Начинается', default: 'sale' }),
    whose: choice(membershipUsers, { label: 'Для кого', default: 'one' }),
    freezeDays: integer({ label: 'Заморозка, дней', min: 0, max: 366, default: 0 }),
    refundRule: choice(refundRules, { label: 'Возврат', default: 'share' }),
    note: text({ label: 'Условия', max: 2000, multiline: true }),
    active: boolean({ label: 'Продаётся', default: true }),
    isOnSite: boolean({
      label: 'На сайте',
      default: false,
      help: 'Цена, услуги, срок и правила — на странице «Абонементы»',
    }),
    isOnline: boolean({
      label: 'Покупают в личном кабинете',
      default: false,
      help: 'Нужна касса, открытая пациентам, и «Платить онлайн» в настройках кабинета',
    }),
  },
  many: { items: many('membership-types/items', 'idType') },
  access,
  title: 'nameType',
  brief: ['nameType', 'price'],
  sort: 'nameType,id',
  soft: true,
})

/** A service or a group that a membership of the type pays for. */
export const MembershipItem = entity('membership-types/items', {
  label: ['Услуга абонемента', 'услуги абонемента', 'услуг абонемента'],
  gender: 'f',
  registry: { empty: { title: 'Услуг нет', text: 'Добавьте услуги или группы, за которые платит абонемент' } },
  fields: {
    idType: ref('membership-types', {
      label: 'Вид абонемента',
      as: 'type',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idService: ref('services', { label: 'Услуга', as: 'service', whenDeleted: 'asks' }),
    idGroup: ref('services-groups', { label: 'или группа', as: 'group', whenDeleted: 'asks' }),
    qty: integer({ label: 'Посещений', min: 1, max: 366, help: 'Свой остаток; пусто — из общего' }),
  },
  access,
  within: 'idType',
  sort: 'id',
  soft: true,
})
