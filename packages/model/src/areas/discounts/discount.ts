import type { FieldError } from '../../check.ts'
import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { formatNumber } from '../../format.ts'
import { weekdays } from '../../hours.ts'
import { messages } from '../../messages.ts'

export const discountAccess = {
  view: 'viewDiscounts',
  create: 'editDiscounts',
  update: 'editDiscounts',
  delete: 'editDiscounts',
} as const

export const discountKinds = {
  percent: 'Процент',
  amount: 'Сумма',
  fixedPrice: 'Фиксированная цена',
  accumulative: 'Накопительная',
  promo: 'Промокод',
  gift: 'N+1',
  card: 'Дисконтная карта',
  certificate: 'Сертификат',
  bonus: 'Бонусы',
} as const
export type DiscountKind = keyof typeof discountKinds

/** Kinds that apply only with a code. */
export const kindsByCode: readonly DiscountKind[] = ['promo', 'card', 'certificate']

export const discountUnits = { percent: '%', rubles: '₽' } as const
export type DiscountUnit = keyof typeof discountUnits

export const discountStatuses = {
  draft: 'Черновик',
  active: 'Включена',
  paused: 'Выключена',
  archived: 'В архиве',
} as const
export type DiscountStatus = keyof typeof discountStatuses

/** Allowed transitions; an archived discount can only be copied. */
export const nextStatuses: Readonly<Record<DiscountStatus, readonly DiscountStatus[]>> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: [],
}

export const discountStates = {
  planned: 'Запланирована',
  active: 'Действует',
  expired: 'Истекла',
  exhausted: 'Исчерпана',
  off: 'Выключена',
} as const
export type DiscountState = keyof typeof discountStates

/** Percent of a tier, from a sum paid before. */
export interface Tier {
  /** Rubles. */
  fromSum: number
  percent: number
}
const MAX_TIERS = 20

/** Fields that affect the amount: read-only from the first use on, so that past discounts stay explained. */
export const valueFields = [
  'kind',
  'unit',
  'value',
  'perOrder',
  'tiers',
  'window',
  'giftEvery',
  'maxDiscount',
  'stackable',
] as const

const MAX_AGE = 150
const PERCENTS = 100
const MAX_RUBLES = 10_000_000

const clock = (value: string) =>
  value === '' || value === '24:00' || /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : messages.clock

/** A discount of the clinic: amount, period, services, customers and limits (spec §2, DiscountsPage). */
export const Discount = entity('discounts', {
  label: ['Скидка', 'скидки', 'скидок'],
  gender: 'f',
  registry: {
    empty: {
      title: 'Скидок пока нет',
      text: 'Добавьте первую: процент, сумму, промокод, накопительную или «N+1».',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    description: text({ label: 'Описание', help: 'Видят сотрудники', max: 1000, multiline: true }),
    status: choice(discountStatuses, { label: 'Статус', default: 'draft' }),
    priority: integer({
      label: 'Приоритет',
      help: 'Больший применяется раньше',
      default: 0,
      min: -1000,
      max: 1000,
    }),
    filials: refs('filials', { label: 'Филиалы', help: 'Пусто — во всех', whenDeleted: 'asks' }),
    kind: choice(discountKinds, { label: 'Вид', required: true }),
    unit: choice(discountUnits, { label: 'Единица', default: 'percent' }),
    /** Percent, or rubles by the kind or `unit`; for a bonus, the percent of the bill that bonuses may pay. */
    value: decimal({ label: 'Размер', scale: 2, min: 0, max: MAX_RUBLES }),
    perOrder: boolean({
      label: 'С суммы всего заказа',
      help: 'Иначе сумма вычитается из каждой строки',
      default: false,
    }),
    tiers: json<Tier[]>()({ label: 'Ступени', rule: wrongTiers }),
    window: choice({ all: 'За всё время', year: 'За 12 месяцев' }, { label: 'Накопления', default: 'all' }),
    giftEvery: integer({
      label: 'Оплачивается, шт.',
      help: 'Следующая, самая дешёвая из подходящих, — в подарок',
      min: 1,
      max: 99,
    }),
    dateFrom: date({ label: 'Действует с' }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
    weekdays: list<typeof weekdays, { label: string; help: string; default: [] }>(weekdays, {
      label: 'Дни недели',
      help: 'Пусто — ежедневно',
      default: [],
    }),
    timeFrom: text({ label: 'Время с', max: 5, rule: clock }),
    timeTo: text({ label: 'До', max: 5, rule: clock }),
    category: choice({ services: 'Услуги', products: 'Товары' }, { label: 'Только' }),
    services: refs('services', { label: 'Услуги и товары', whenDeleted: 'asks' }),
    groups: refs('services-groups', { label: 'Группы', help: 'Вместе с вложенными', whenDeleted: 'asks' }),
    doctors: refs('users', { label: 'Врачи', help: 'Пусто — любые', whenDeleted: 'asks' }),
    exceptServices: refs('services', { label: 'Кроме услуг и товаров', whenDeleted: 'asks' }),
    exceptGroups: refs('services-groups', { label: 'Кроме групп', whenDeleted: 'asks' }),
    tags: list((tag: string) => tag.length > 0 && tag.length <= 64, {
      label: 'Метки клиента',
      help: 'Достаточно одной',
      default: [],
    }),
    sources: refs('customer-sources', { label: 'Источники', help: 'Вместе с вложенными', whenDeleted: 'asks' }),
    companies: refs('organizations', {
      label: 'Плательщики',
      help: 'Страховые и компании, которые платят за клиента',
      whenDeleted: 'asks',
    }),
    gender: choice({ female: 'Женщинам', male: 'Мужчинам' }, { label: 'Пол' }),
    ageFrom: integer({ label: 'Возраст от, лет', min: 0, max: MAX_AGE }),
    ageTo: integer({ label: 'До, лет', min: 0, max: MAX_AGE }),
    onlyFirstVisit: boolean({ label: 'Только на первый визит', default: false }),
    birthdayDays: integer({ label: 'Дней до и после дня рождения', min: 0, max: 60 }),
    pensioner: boolean({ label: 'Пенсионерам', help: 'Клиентам с меткой «Пенсионер»', default: false }),
    staff: boolean({ label: 'Сотрудникам клиники', help: 'По отметке в карте клиента', default: false }),
    minSum: money({ label: 'Сумма от', help: 'Подходящих строк до скидки', min: 0, max: MAX_RUBLES }),
    maxDiscount: money({ label: 'Не больше', help: 'Скидка на весь заказ', min: 0, max: MAX_RUBLES }),
    totalUses: integer({ label: 'Применений всего', min: 1, max: 10_000_000 }),
    usesPerCustomer: integer({ label: 'Применений одному клиенту', min: 1, max: 10_000 }),
    stackable: boolean({ label: 'Суммируется с другими', default: false }),
    needApproval: boolean({ label: 'Нужно согласование', help: 'Подтверждает другой сотрудник', default: false }),
    version: integer({ label: 'Номер версии', readonly: true, default: 1 }),
    idPrevious: ref('discounts', { label: 'Прежняя версия', as: 'previous', readonly: true, onDelete: 'set null' }),
    /** Names of `groups` and `services`, and of `filials`, for a list. */
    targetNames: text({ label: 'На что', computed: true, required: true }),
    filialNames: text({ label: 'Где', computed: true, required: true }),
    state: choice(discountStates, { label: 'Состояние', computed: true, required: true }),
    uses: integer({ label: 'Применений', computed: true, required: true }),
    /** Rubles given so far, minus those taken back. */
    sumGiven: money({ label: 'Дано скидок', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    idUser: ref('users', { label: 'Создал', as: 'user', auto: 'actor' }),
  },
  many: {
    codes: many('discounts/promo-codes', 'idDiscount'),
    given: many('discounts/uses', 'idDiscount'),
  },
  access: discountAccess,
  kept: ({ status, uses = 0 }: { status: DiscountStatus; uses?: number }) =>
    status === 'active'
      ? 'Скидка включена: сначала выключите её'
      : uses > 0
        ? 'Скидкой уже пользовались: её можно убрать в архив'
        : undefined,
  title: 'name',
  sort: '-priority,name,id',
  soft: true,
})

export const approvalStatuses = { asked: 'Ждёт', approved: 'Согласовано', declined: 'Отказано' } as const

/** A request to another employee to approve a discount above the user's limit. */
export const DiscountApproval = entity('discounts/approvals', {
  branchBy: ['idAppointment'],
  label: ['Согласование скидки', 'согласования скидки', 'согласований скидок'],
  gender: 'n',
  registry: {
    columns: ['dateCreate', 'idUser', 'idDiscount', 'idCustomer', 'amount', 'reason', 'status', 'idApprover', 'answer'],
    form: ['idDiscount', 'idCustomer', 'amount', 'reason'],
    empty: { title: 'Согласований нет', text: 'Сюда приходят скидки выше предела сотрудника.' },
  },
  fields: {
    idDiscount: ref('discounts', {
      label: 'Скидка',
      help: 'Пусто — скидка вручную',
      as: 'discount',
      fixed: true,
      onDelete: 'restrict',
      whenDeleted: 'stays',
    }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', fixed: true, onDelete: 'set null' }),
    /** The visit with the discount by hand: an approval applies it at once. */
    idAppointment: ref('appointments', { label: 'Визит', as: 'appointment', fixed: true, onDelete: 'set null' }),
    unit: choice(discountUnits, { label: 'В чём скидка', fixed: true }),
    value: money({ label: 'Размер', fixed: true, min: 0.01, max: MAX_RUBLES }),
    amount: money({ label: 'Не больше', required: true, fixed: true, min: 0.01, max: MAX_RUBLES }),
    reason: text({ label: 'Основание', required: true, fixed: true, max: 500, multiline: true }),
    status: choice(approvalStatuses, { label: 'Решение', readonly: true, default: 'asked' }),
    answer: text({ label: 'Ответ', readonly: true, max: 500 }),
    idApprover: ref('users', { label: 'Решил', as: 'approver', readonly: true, whenDeleted: 'stays' }),
    dateDecided: dateTime({ label: 'Когда решено', readonly: true }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    idUser: ref('users', { label: 'Спросил', as: 'user', auto: 'actor' }),
  },
  access: { view: 'viewDiscounts', create: 'viewDiscounts' },
  personal: 'idCustomer',
  sort: '-id',
})

/** Unit of `value`: some kinds are always rubles or always percent, whatever `unit` is. */
export function unitOf({ kind, unit }: { kind: DiscountKind; unit: DiscountUnit }): DiscountUnit {
  if (kind === 'amount' || kind === 'fixedPrice') return 'rubles'
  return kindsByCode.includes(kind) ? unit : 'percent'
}

export const hasValue = (kind: DiscountKind): boolean => kind !== 'accumulative' && kind !== 'gift'

/** True when the kind distinguishes a sum per line from a sum of the whole order. */
export const mayBePerOrder = (one: { kind: DiscountKind; unit: DiscountUnit }): boolean =>
  one.kind !== 'fixedPrice' && hasValue(one.kind) && unitOf(one) === 'rubles'

interface Checked {
  kind: DiscountKind
  unit?: DiscountUnit
  value?: number | null
  tiers?: Tier[] | null
  giftEvery?: number | null
  dateFrom?: string | null
  dateTo?: string | null
  timeFrom?: string | null
  timeTo?: string | null
  ageFrom?: number | null
  ageTo?: number | null
}

/** Errors across the fields of a discount; each field is also checked alone. */
export function discountErrors(one: Checked): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => errors.push({ field, message })
  const { kind, unit = 'percent', value, tiers, giftEvery, dateFrom, dateTo, timeFrom, timeTo, ageFrom, ageTo } = one
  if (hasValue(kind)) {
    if (value === null || value === undefined) refuse('value', 'Укажите размер скидки')
    else if (value === 0 && kind !== 'fixedPrice') refuse('value', 'Размер должен быть больше нуля')
    else if (unitOf({ kind, unit }) === 'percent' && value > PERCENTS) refuse('value', 'Не больше 100 %')
  }
  if (kind === 'accumulative' && !tiers?.length) refuse('tiers', 'Добавьте хотя бы одну ступень')
  if (kind === 'gift' && !giftEvery) refuse('giftEvery', 'Укажите, сколько оплачивается')
  if (dateFrom && dateTo && dateTo < dateFrom) refuse('dateTo', 'Раньше, чем начало')
  if (timeFrom && timeTo && timeTo <= timeFrom)
    refuse('timeTo', 'Раньше, чем начало: ночные часы заведите второй скидкой')
  if (typeof ageFrom === 'number' && typeof ageTo === 'number' && ageTo < ageFrom) refuse('ageTo', 'Меньше, чем «от»')
  return errors
}

/** Error of the tiers by sums paid before. */
export function wrongTiers(tiers: Tier[]): string | undefined {
  if (!Array.isArray(tiers)) return 'Добавьте ступени'
  if (tiers.length > MAX_TIERS) return `Ступеней не больше ${MAX_TIERS}`
  let last = -1
  for (const tier of tiers) {
    const { fromSum, percent, ...more } = (typeof tier === 'object' && tier) || ({} as Tier)
    if (Object.keys(more).length || !isDecimal(fromSum, MAX_RUBLES) || !isDecimal(percent, PERCENTS))
      return 'У ступени — сумма от и процент до 100, не больше двух знаков после запятой'
    if (fromSum <= last) return `Ступени идут по возрастанию суммы: ${formatNumber(fromSum)} ₽ не на месте`
    last = fromSum
  }
  return undefined
}

const isDecimal = (value: unknown, max: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= max && Number(value.toFixed(2)) === value

/** Facts that determine the state of a discount; days are `YYYY-MM-DD` in the time zone of the branch or the clinic. */
interface StateFacts {
  status: DiscountStatus
  dateFrom: string | null
  dateTo: string | null
  totalUses: number | null
  uses: number
}

/** The displayed state. The server's SQL (`stateSql` of the area) must stay equal to this. */
export function stateOf({ status, dateFrom, dateTo, totalUses, uses }: StateFacts, today: string): DiscountState {
  if (status !== 'active') return 'off'
  if (dateTo !== null && dateTo < today) return 'expired'
  if (totalUses !== null && uses >= totalUses) return 'exhausted'
  return dateFrom !== null && today < dateFrom ? 'planned' : 'active'
}
