import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { conversionKinds, touchWays } from './attribution.ts'

/** Rights to view and to edit advertising (spec §6). */
export const advertisingAccess = {
  view: ['viewAdvertising', 'createAdvertising'],
  create: 'createAdvertising',
  update: 'createAdvertising',
  delete: 'createAdvertising',
} as const

export const adChannels = {
  context: 'Контекстная',
  target: 'Таргетированная',
  maps: 'Карты и справочники',
  seo: 'Поиск (SEO)',
  outdoor: 'Наружная',
  print: 'Печать и листовки',
  radio: 'Радио и ТВ',
  blogger: 'Блогеры',
  other: 'Прочее',
} as const

export const campaignStatuses = {
  draft: 'Черновик',
  active: 'Идёт',
  paused: 'Остановлена',
  done: 'Завершена',
} as const
export type CampaignStatus = keyof typeof campaignStatuses

/** An advertising campaign (screens.md §13). */
export const AdCampaign = entity('advertising/campaigns', {
  label: ['Кампания', 'кампании', 'кампаний'],
  gender: 'f',
  registry: {
    form: {
      Кампания: ['name', 'channel', 'status', 'dateFrom', 'dateTo', 'budget', 'idFilial', 'idContractor'],
      'По чему узнаётся': ['utmSource', 'utmMedium', 'utmCampaign', 'promoCode', 'idSource'],
      Маркировка: ['erid'],
      Примечание: ['note'],
    },
    empty: {
      title: 'Кампаний пока нет',
      text: 'Добавьте кампанию, её номера и UTM-метки: обращения и оплаты станут считаться сами.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 200, search: true }),
    channel: choice(adChannels, { label: 'Канал', required: true }),
    status: choice(campaignStatuses, { label: 'Состояние', default: 'draft' }),
    dateFrom: date({ label: 'С', required: true }),
    dateTo: date({ label: 'По' }),
    budget: money({ label: 'Бюджет', min: 0, max: 1_000_000_000 }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — вся клиника', whenDeleted: 'asks' }),
    idContractor: ref('organizations', { label: 'Подрядчик', as: 'contractor', whenDeleted: 'asks' }),
    utmSource: text({ label: 'utm_source', max: 200, search: true }),
    utmMedium: text({ label: 'utm_medium', max: 200 }),
    utmCampaign: text({ label: 'utm_campaign', max: 200, search: true }),
    promoCode: text({ label: 'Промокод', max: 64, help: 'Код из раздела «Скидки»' }),
    idSource: ref('customer-sources', { label: 'Ответ «откуда узнали»', as: 'source', whenDeleted: 'asks' }),
    erid: text({ label: 'Токен erid', max: 128, help: 'Общий для материалов; у материала может быть свой' }),
    note: text({ label: 'Примечание', max: 2000, multiline: true }),
    spent: money({ label: 'Потрачено', computed: true, required: true }),
    /** Open legal remarks. */
    warnings: integer({ label: 'Замечаний', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    idAuthor: ref('users', { label: 'Кто завёл', as: 'author', auto: 'actor' }),
  },
  many: {
    numbers: many('advertising/numbers', 'idCampaign'),
    creatives: many('advertising/creatives', 'idCampaign'),
    costs: many('advertising/costs', 'idCampaign'),
  },
  access: advertisingAccess,
  kept: ({ spent }: { spent?: number }) =>
    spent ? 'По кампании есть расходы: завершите её, и история останется' : undefined,
  title: 'name',
  brief: ['name', 'channel', 'status'],
  sort: '-dateFrom,-id',
  soft: true,
})

const ofCampaign = () =>
  ref('advertising/campaigns', {
    label: 'Кампания',
    as: 'campaign',
    required: true,
    fixed: true,
    onDelete: 'cascade',
  })

/** A number shown in one campaign only: a call to it is attributed to that campaign. */
export const AdNumber = entity('advertising/numbers', {
  label: ['Номер кампании', 'номера кампании', 'номеров кампании'],
  gender: 'm',
  registry: {
    columns: ['phone', 'dateFrom', 'dateTo'],
    empty: { title: 'Номеров нет', text: 'Добавьте подменный номер: звонки на него отнесутся к кампании.' },
  },
  fields: {
    idCampaign: ofCampaign(),
    phone: phone({ label: 'Номер', required: true, search: true }),
    dateFrom: date({ label: 'С', required: true }),
    dateTo: date({ label: 'По' }),
  },
  access: advertisingAccess,
  within: 'idCampaign',
  disjoint: { same: ['phone'], from: 'dateFrom', to: 'dateTo' },
  title: 'phone',
  sort: 'dateFrom,id',
  soft: true,
})

/** A banner, a text, a leaflet. */
export const AdCreative = entity('advertising/creatives', {
  label: ['Рекламный материал', 'рекламного материала', 'рекламных материалов'],
  gender: 'm',
  registry: {
    form: ['name', 'text', 'isOnline', 'erid', 'url'],
    empty: { title: 'Материалов нет', text: 'Добавьте тексты объявлений: программа проверит предупреждение и erid.' },
  },
  fields: {
    idCampaign: ofCampaign(),
    name: text({ label: 'Название', required: true, max: 200 }),
    text: text({ label: 'Текст', max: 5000, multiline: true }),
    isOnline: boolean({ label: 'В интернете', default: true }),
    erid: text({ label: 'Токен erid', max: 128 }),
    url: text({ label: 'Ссылка', max: 1000 }),
  },
  access: advertisingAccess,
  within: 'idCampaign',
  title: 'name',
  sort: 'id',
  soft: true,
})

/** Cost of a campaign on a day. */
export const AdCost = entity('advertising/costs', {
  label: ['Расход рекламы', 'расхода рекламы', 'расходов рекламы'],
  gender: 'm',
  registry: {
    columns: ['localDate', 'cost', 'clicks', 'impressions'],
    form: ['localDate', 'cost', 'clicks', 'impressions'],
    empty: { title: 'Расходов нет', text: 'Внесите расход дня или загрузите CSV из рекламного кабинета.' },
  },
  fields: {
    idCampaign: ofCampaign(),
    localDate: date({ label: 'День', required: true }),
    cost: money({ label: 'Расход', required: true, min: 0, max: 100_000_000 }),
    clicks: integer({ label: 'Клики', min: 0 }),
    impressions: integer({ label: 'Показы', min: 0 }),
  },
  access: advertisingAccess,
  within: 'idCampaign',
  unique: [['idCampaign', 'localDate']],
  title: 'localDate',
  sort: '-localDate,id',
  soft: true,
})

/** A contact with advertising, or a direct one. Derived from other records; append-only. */
export const AdTouch = entity('advertising/touches', {
  branchBy: ['idCampaign'],
  label: ['Касание', 'касания', 'касаний'],
  gender: 'n',
  fields: {
    dateTouch: dateTime({ label: 'Когда', required: true, readonly: true }),
    way: choice(touchWays, { label: 'По чему', required: true, readonly: true }),
    idCampaign: ref('advertising/campaigns', {
      label: 'Кампания',
      as: 'campaign',
      readonly: true,
      whenDeleted: 'asks',
    }),
    phone: phone({ label: 'Телефон', readonly: true, hidden: 'viewCustomers' }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', readonly: true, whenDeleted: 'stays' }),
    /** The source record, `calls:12`: each is read once. */
    mark: text({ label: 'Откуда', required: true, max: 64, readonly: true, unique: true }),
    utm: json<Record<string, string>>()({ label: 'UTM-метки', readonly: true }),
  },
  fresh: { actions: ['export'] },
  access: { view: advertisingAccess.view },
  sort: '-id',
  unrecorded: true,
  derived: true,
})

/** An appeal or a booking with its attribution: settled when it happened, never changed. */
export const AdConversion = entity('advertising/conversions', {
  label: ['Конверсия', 'конверсии', 'конверсий'],
  gender: 'f',
  fields: {
    kind: choice(conversionKinds, { label: 'Вид', required: true, readonly: true }),
    /** `appeals:12`, `appointments:7`. */
    mark: text({ label: 'Запись', required: true, max: 64, readonly: true, unique: true }),
    dateConversion: dateTime({ label: 'Когда', required: true, readonly: true }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', readonly: true, whenDeleted: 'stays' }),
    idAppointment: ref('appointments', { label: 'Запись', as: 'appointment', readonly: true, whenDeleted: 'stays' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', readonly: true, whenDeleted: 'stays' }),
    idFirst: ref('advertising/campaigns', {
      label: 'Первая кампания',
      as: 'first',
      readonly: true,
      whenDeleted: 'asks',
    }),
    idLast: ref('advertising/campaigns', {
      label: 'Последняя кампания',
      as: 'last',
      readonly: true,
      whenDeleted: 'stays',
    }),
    firstWay: choice(touchWays, { label: 'Первое касание', readonly: true }),
    lastWay: choice(touchWays, { label: 'Последнее касание', readonly: true }),
    dateFirst: dateTime({ label: 'Когда первое', readonly: true }),
    dateLast: dateTime({ label: 'Когда последнее', readonly: true }),
    dateCreate: dateTime({ label: 'Посчитана', auto: 'created' }),
  },
  access: { view: advertisingAccess.view },
  sort: '-dateConversion,-id',
  unrecorded: true,
  derived: true,
})
