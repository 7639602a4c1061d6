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
  branchBy: 'common',
  label: ['Прайс-лист', 'прайс-листа', 'прайс-листов'],
  gender: 'm',
  registry: {
    columns: ['name', 'kind', 'idFilial', 'idOrganization', 'idProgramme', 'pricesCount', 'active'],
    form: ['name', 'kind', 'idFilial', 'idOrganization', 'idProgramme', 'active', 'note'],
    empty: { title: 'Прайс-листов пока нет', text: 'Без них действуют цены самих услуг.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    kind: choice(priceListKinds, { label: 'Вид', default: 'main' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — для всех', whenDeleted: 'asks' }),
    idOrganization: ref('organizations', {
      label: 'Организация',
      as: 'organization',
      help: 'Кто платит за пациента',
      whenDeleted: 'asks',
    }),
    idProgramme: ref('organizations/programmes', { label: 'Программа ДМС', as: 'programme', whenDeleted: 'keeps' }),
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

/** A price of a service in a price list, for a period: the last day is included; without it the price is open-ended. */
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
      whenDeleted: 'asks',
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
/** Rubles a changed price is rounded to; 0.01 keeps the kopecks. */
export const roundings = [0.01, 1, 5, 10, 50, 100] as const
/** Hours within which a bulk price change can be undone. */
export const UNDO_HOURS = 24

/** A bulk price change, recorded so that it can be shown and undone as a whole. */
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

/** The properties of a price list that affect the choice of a price. */
export interface ListFacts {
  id: number
  kind: keyof typeof priceListKinds
  active: boolean
  idFilial: number | null
  idOrganization: number | null
  idProgramme: number | null
}

/** A price of one service. */
export interface PriceFacts {
  idPriceList: number
  price: number
  /** `YYYY-MM-DD`; both days are included. */
  dateFrom: string
  dateTo: string | null
}

/** Customer, place and time of a service; the company and its programme are the payers for the customer. */
export interface PriceAsked {
  /** `YYYY-MM-DD` */
  date: string
  idFilial?: number | null
  idOrganization?: number | null
  idProgramme?: number | null
}

export const priceSources = {
  programme: 'Программа ДМС',
  organization: 'Организация',
  filial: 'Прайс-лист филиала',
  main: 'Основной прайс-лист',
  service: 'Цена услуги',
} as const

export interface FoundPrice {
  price: number | null
  source: keyof typeof priceSources
  idPriceList: number | null
}

/**
 * Price of a service before discounts, on the day of the service: by the list of the customer's programme, else of the
 * company, else the main list of the branch, else the main list; a list of one branch precedes those of all branches,
 * and if no list has a price the service's own applies. The server's SQL (`prices.ts` of the area) does the same.
 */
export function priceOf(
  own: number | null,
  prices: readonly PriceFacts[],
  lists: readonly ListFacts[],
  asked: PriceAsked,
): FoundPrice {
  const inForce = prices.filter(
    ({ dateFrom, dateTo }) => dateFrom <= asked.date && (dateTo === null || asked.date <= dateTo),
  )
  const found = lists
    .filter((list) => list.active && decides(list, asked))
    .toSorted((a, b) => order(a) - order(b) || a.id - b.id)
    .flatMap((list) => inForce.flatMap((one) => (one.idPriceList === list.id ? { list, price: one.price } : [])))[0]
  return found
    ? { price: found.price, source: sourceOf(found.list), idPriceList: found.list.id }
    : { price: own, source: 'service', idPriceList: null }
}

function decides(list: ListFacts, { idFilial, idOrganization, idProgramme }: PriceAsked): boolean {
  if (list.idFilial !== null && list.idFilial !== idFilial) return false
  if (list.idProgramme !== null) return list.idProgramme === idProgramme
  if (list.idOrganization !== null) return list.idOrganization === idOrganization
  return list.kind === 'main'
}

/** More specific lists, by customer and place, come first. */
const order = ({ idProgramme, idOrganization, idFilial }: ListFacts): number =>
  (idProgramme === null ? 4 : 0) + (idOrganization === null ? 2 : 0) + (idFilial === null ? 1 : 0)

function sourceOf({ idProgramme, idOrganization, idFilial }: ListFacts): FoundPrice['source'] {
  if (idProgramme !== null) return 'programme'
  if (idOrganization !== null) return 'organization'
  return idFilial === null ? 'main' : 'filial'
}
