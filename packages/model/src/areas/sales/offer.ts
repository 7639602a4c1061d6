import type { FieldError } from '../../check.ts'
import { remarks } from '../../comments.ts'
import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { color } from '../../fields/color.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { formatMoney, formatNumber } from '../../format.ts'
import { fixedList } from '../../list.ts'
import { type LinePrice, lineKopecks, scaled } from '../../money.ts'
import { salesAccess, salesLists } from './funnel.ts'

/** States of an offer (spec §4), derived from its services; the ids come from the specification. */
export const OfferStatus = fixedList(
  'sales-management/offer-status',
  ['Статус предложения', 'статуса предложения', 'статусов предложения'],
  {
    view: salesAccess.view,
    extra: { color: color({ label: 'Цвет', readonly: true, default: '#868e96' }) },
  },
)

/** Accepted by the client. */
export const ACCEPTED = 1
/** Not decided yet. */
export const IN_PROCESS = 4

/** States of a service in an offer (spec §4): 1 accepted, 2 cancelled, 3 deferred, 4 in process. */
export const OfferServiceStatus = fixedList(
  'sales-management/offer-service-status',
  ['Статус услуги', 'статуса услуги', 'статусов услуги'],
  {
    view: salesAccess.view,
    extra: {
      color: color({ label: 'Цвет', readonly: true, default: '#868e96' }),
      isReason: boolean({ label: 'Нужна причина', readonly: true, default: false }),
    },
  },
)

export const OfferServiceReason = entity('sales-management/offer-service-reason', {
  label: ['Причина отказа от услуги', 'причины отказа от услуги', 'причин отказа от услуги'],
  gender: 'f',
  registry: {
    empty: { title: 'Причин нет', text: 'Без причины услугу предложения нельзя отменить или отложить.' },
  },
  fields: { name: text({ label: 'Название', required: true, max: 128 }) },
  access: salesLists,
  title: 'name',
  quickAdd: true,
  sort: 'name',
  soft: true,
})

export const Offer = entity('sales-management/offers', {
  label: ['Предложение', 'предложения', 'предложений'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255 }),
    dateCreate: dateTime({ label: 'Создано', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
    /** Last day of the offered prices. */
    dateValid: date({ label: 'Действует до' }),
    idLead: ref('sales-management/leads', {
      label: 'Сделка',
      as: 'lead',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Создал', as: 'user', auto: 'actor' }),
    idStatus: integer({ label: 'Статус', computed: true, required: true }),
    /** Rubles: not cancelled, and accepted. */
    total: money({ label: 'Сумма', computed: true, required: true }),
    totalAccepted: money({ label: 'Принято на сумму', computed: true, required: true }),
    commentsTotalCount: integer({ label: 'Комментариев', computed: true, lazy: true }),
  },
  many: {
    services: many('sales-management/offer-services', 'idOffer'),
    comments: many('sales-management/offer-comments', 'idOffer'),
  },
  access: salesAccess,
  within: 'idLead',
  title: 'name',
  sort: '-id',
  soft: true,
})

export const OfferService = entity('sales-management/offer-services', {
  label: ['Услуга предложения', 'услуги предложения', 'услуг предложения'],
  fields: {
    idOffer: ref('sales-management/offers', {
      label: 'Предложение',
      as: 'offer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idService: ref('services', { label: 'Услуга', as: 'service', required: true, fixed: true, whenDeleted: 'asks' }),
    order: position({ group: ['idOffer'], start: 'last' }),
    quantity: decimal({ label: 'Количество', scale: 3, min: 0.001, max: 99_999, default: 1 }),
    /** Rubles per unit; default: the service's price. */
    price: money({ label: 'Цена', min: 0 }),
    /** Rubles off the line. */
    discount: money({ label: 'Скидка', min: 0, default: 0 }),
    /** Rubles: quantity × price − discount, at least zero, rounded to kopecks; computed by SQL. */
    total: money({ label: 'Итого', computed: true, required: true }),
    idStatus: ref('sales-management/offer-service-status', { label: 'Статус', as: 'status', default: 4 }),
    idReason: ref('sales-management/offer-service-reason', { label: 'Причина', as: 'reason', whenDeleted: 'asks' }),
    /** The service of a visit booked from it. */
    idCouponService: ref('coupon-services', {
      label: 'Услуга талона',
      as: 'couponService',
      readonly: true,
      onDelete: 'set null',
    }),
  },
  nameOnly: ['idCouponService'],
  access: salesAccess,
  within: 'idOffer',
  sort: 'order',
  soft: true,
})

/** Money of a line, as on the wire. */
interface LineMoney extends LinePrice {
  discount: number
}

/** Error if a line's discount exceeds the line. */
export function discountErrors(line: LineMoney): FieldError[] {
  return scaled(line.discount, 2) > lineKopecks(line)
    ? [{ field: 'discount', message: 'Скидка больше стоимости строки' }]
    : []
}

/**
 * Parses a typed discount, in rubles or percent of the line: «10%», «500», «1 234,50 ₽».
 * @returns rubles to the kopeck; undefined if invalid
 */
export function readDiscount(text: string, line: LinePrice): number | undefined {
  const [, whole = '', fraction = '', unit = ''] =
    /^(\d[\d\s]*)(?:[.,](\d{1,2}))?\s*(%|₽|р\.?|руб\.?)?$/i.exec(text.trim()) ?? []
  if (!whole) return undefined
  const hundredths = BigInt(whole.replace(/\s/g, '') + fraction.padEnd(2, '0'))
  if (unit !== '%') return Number(hundredths) / 100
  return hundredths > 10_000n ? undefined : Number((lineKopecks(line) * hundredths + 5_000n) / 10_000n) / 100
}

/** Discount in percent of the line, to the tenth; null if the line costs nothing. */
export function discountPercent(line: LineMoney): number | null {
  const whole = lineKopecks(line)
  return whole === 0n ? null : Number((scaled(line.discount, 2) * 1000n + whole / 2n) / whole) / 10
}

/** Discount as text: «500,00 ₽ (12,5 %)». */
export function discountText(line: LineMoney): string {
  const percent = line.discount > 0 ? discountPercent(line) : null
  if (percent !== null) return `${formatMoney(line.discount)} (${formatNumber(percent)}\u00a0%)`
  return line.discount > 0 ? formatMoney(line.discount) : '—'
}

export const OfferComment = remarks('sales-management/offer-comments', {
  label: ['Комментарий предложения', 'комментария предложения', 'комментариев предложения'],
  of: {
    idOffer: ref('sales-management/offers', {
      label: 'Предложение',
      as: 'offer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idOffer',
  access: { ...salesAccess, create: salesAccess.view, update: salesAccess.view, delete: salesAccess.view },
})
