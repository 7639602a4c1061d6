import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { catalogueAccess, ofService } from './service.ts'

export const priceListKinds = {
  main: 'Основной',
  dms: 'ДМС',
  oms: 'ОМС',
  staff: 'Сотрудники',
  promo: 'Акция',
} as const

export const PriceList = entity('price-lists', {
  label: ['Прайс-лист', 'прайс-листа', 'прайс-листов'],
  gender: 'm',
  registry: {
    columns: ['name', 'kind', 'active', 'pricesCount', 'dateChange'],
    form: ['name', 'kind', 'active', 'note'],
    empty: { title: 'Прайс-листов пока нет', text: 'Без них действуют цены самих услуг.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    kind: choice(priceListKinds, { label: 'Вид', default: 'main' }),
    active: boolean({ label: 'Действует', default: true }),
    note: text({ label: 'Примечание', max: 1000, multiline: true }),
    pricesCount: integer({ label: 'Цен', computed: true, lazy: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
    idUser: ref('users', { label: 'Создал', as: 'user', auto: 'actor' }),
  },
  many: { prices: many('service-prices', 'idPriceList') },
  access: catalogueAccess,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** A price of a service in a price list, over a time: the last day counts, without one it goes on. */
export const Price = entity('service-prices', {
  label: ['Цена', 'цены', 'цен'],
  gender: 'f',
  fields: {
    idService: ofService(),
    idPriceList: ref('price-lists', {
      label: 'Прайс-лист',
      as: 'priceList',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    price: money({ label: 'Цена', required: true, min: 0 }),
    cost: money({ label: 'Себестоимость', min: 0, hidden: 'editServices' }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    idUser: ref('users', { label: 'Создал', as: 'user', auto: 'actor' }),
  },
  access: catalogueAccess,
  within: 'idService',
  disjoint: { same: ['idService', 'idPriceList'], from: 'dateFrom', to: 'dateTo' },
  sort: '-dateFrom,id',
  soft: true,
})

export const changeUnits = { percent: '%', rubles: '₽' } as const
/** Rubles that a changed price is rounded to; 0.01 leaves the kopecks. */
export const roundings = [0.01, 1, 5, 10, 50, 100] as const
/** Hours within which a change of many prices can be taken back. */
export const UNDO_HOURS = 24

/** A change of many prices at once, so that it can be told of and taken back as a whole. */
export const PriceChange = entity('price-changes', {
  label: ['Изменение цен', 'изменения цен', 'изменений цен'],
  fields: {
    idPriceList: ref('price-lists', { label: 'Прайс-лист', as: 'priceList', readonly: true, onDelete: 'cascade' }),
    dateFrom: date({ label: 'С какого дня', readonly: true }),
    unit: choice(changeUnits, { label: 'Единица', readonly: true, required: true }),
    amount: decimal({ label: 'На сколько', scale: 2, readonly: true, required: true }),
    rounding: decimal({ label: 'Округление', scale: 2, readonly: true, required: true }),
    total: integer({ label: 'Изменено цен', readonly: true, required: true }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'actor' }),
    dateUndone: dateTime({ label: 'Отменено', readonly: true }),
  },
  access: { view: 'editServices' },
  sort: '-id',
})

/** A price list as far as it decides about a price. */
export interface ListFacts {
  id: number
  kind: keyof typeof priceListKinds
  active: boolean
}

/** A price of one service. */
export interface PriceFacts {
  idPriceList: number
  price: number
  /** `YYYY-MM-DD`; both days count. */
  dateFrom: string
  dateTo: string | null
}

export interface PriceAsked {
  /** Of the service, `YYYY-MM-DD`. */
  date: string
}

export const priceSources = { main: 'Основной прайс-лист', service: 'Цена услуги' } as const

export interface FoundPrice {
  price: number | null
  source: keyof typeof priceSources
  idPriceList: number | null
}

/**
 * What a service costs on a day, before discounts: by the main list, else the service's own price. The server's SQL
 * (`price.ts` of the area) says the same.
 */
export function priceOf(
  own: number | null,
  prices: readonly PriceFacts[],
  lists: readonly ListFacts[],
  { date }: PriceAsked,
): FoundPrice {
  const inForce = prices.filter((one) => one.dateFrom <= date && (one.dateTo === null || date <= one.dateTo))
  const found = lists
    .filter(({ active, kind }) => active && kind === 'main')
    .toSorted((a, b) => a.id - b.id)
    .flatMap((list) => inForce.find((one) => one.idPriceList === list.id) ?? [])[0]
  return found
    ? { price: found.price, source: 'main', idPriceList: found.idPriceList }
    : { price: own, source: 'service', idPriceList: null }
}
