import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { settingsAccess } from '../exchange/webhook.ts'

/** Wires by which a seller books. */
export const channelKinds = {
  open: 'Открытый приём записи',
  medflex: 'ПроДокторов (МедФлекс)',
  napopravku: 'НаПоправку',
  yandex: 'Яндекс: врачи в поиске и на картах',
} as const
export type ChannelKind = keyof typeof channelKinds
/** Kinds to which the clinic sends something by the seller's own key. */
export const keyedKinds = ['medflex', 'napopravku', 'yandex'] as const satisfies readonly ChannelKind[]
/** Kinds that ask the clinic with a key that it has issued. */
export const askingKinds = ['open', 'medflex'] as const satisfies readonly ChannelKind[]

/** `waits`: never sent yet; `late`: there is a change that the seller has not got. */
export const pushStates = {
  off: 'Не отправляем',
  waits: 'Ещё не отправлено',
  works: 'Площадка всё знает',
  late: 'Отправляем изменения',
  fails: 'Не отправляется',
} as const

/** Days ahead that a seller may be shown. */
export const MOST_DAYS = 60

/** A seller of free times outside the clinic: an aggregator, a map, a partner. */
export const BookingChannel = entity('booking-channels', {
  label: ['Площадка записи', 'площадки записи', 'площадок записи'],
  gender: 'f',
  registry: {
    columns: ['name', 'kind', 'idFilial', 'pushState', 'datePushed', 'dateBooked', 'booked', 'refused'],
    form: {
      Площадка: ['name', 'kind', 'idFilial', 'sellerKey', 'isAgreed', 'idSource', 'active'],
      'Что ей видно': ['idServices', 'idUsers', 'horizonDays', 'leadHours', 'showPrice'],
    },
    empty: {
      title: 'Площадок пока нет',
      text: 'Добавьте агрегатор или партнёра и выдайте ему ключ: он увидит свободное время и запишет пациента сам',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true, unique: true }),
    kind: choice(channelKinds, { label: 'Как записывает', default: 'open' }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      required: true,
      whenDeleted: 'asks',
      help: 'Площадка видит врачей и время только этого филиала',
    }),
    idSource: ref('customer-sources', {
      label: 'Источник пациентов',
      as: 'source',
      whenDeleted: 'keeps',
      help: 'С ним заводятся новые карты',
    }),
    idServices: refs('services', {
      label: 'Услуги',
      as: 'services',
      whenDeleted: 'asks',
      help: 'Пусто — все, что открыты для записи на сайте',
    }),
    idUsers: refs('users', {
      label: 'Врачи',
      as: 'users',
      whenDeleted: 'asks',
      help: 'Пусто — все, кто показан на сайте',
    }),
    horizonDays: integer({ label: 'На сколько дней вперёд', default: 30, min: 1, max: MOST_DAYS }),
    leadHours: integer({ label: 'Не позже чем за часов', default: 2, min: 0, max: 168 }),
    showPrice: boolean({ label: 'Показывать цену', default: true }),
    active: boolean({ label: 'Принимает записи', default: true }),
    /** When its key was issued; null: it has none and cannot book. */
    dateToken: dateTime({ label: 'Ключ выдан', readonly: true, clock: 'filial.timeZone' }),
    /** Write-only; stored separately, encrypted. */
    sellerKey: text({
      label: 'Ключ, который дала площадка',
      max: 500,
      virtual: true,
      help: 'С ним клиника отправляет расписание: ПроДокторов, НаПоправку; Яндексу — токен подтверждения записи. Пусто — оставить прежний',
      rule: (value) =>
        /^[\x21-\x7e]*$/.test(value) ? undefined : 'Ключ — латинские буквы, цифры и знаки, без пробелов',
    }),
    hasSellerKey: boolean({ label: 'Ключ площадки задан', computed: true, required: true }),
    isAgreed: boolean({
      label: 'Договор с площадкой действует',
      default: false,
      help: 'Нужен Яндексу: с 16 февраля 2026 года расписание показывают по возмездному договору. Без него ничего не передаём',
    }),
    pushState: choice(pushStates, { label: 'Расписание у площадки', computed: true, required: true }),
    datePushed: dateTime({ label: 'Отправлено', computed: true, clock: 'filial.timeZone' }),
    /** Why the latest one has not arrived, in words. */
    pushError: text({ label: 'Почему не отправляется', computed: true, max: 500 }),
    dateBooked: dateTime({ label: 'Последняя запись', computed: true, clock: 'filial.timeZone' }),
    booked: integer({ label: 'Записей за 30 дней', computed: true, required: true }),
    refused: integer({ label: 'Отказов за 30 дней', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed', clock: 'filial.timeZone' }),
  },
  many: { bookings: many('outside-bookings', 'idChannel') },
  access: settingsAccess,
  // It opens the schedule to strangers.
  fresh: { actions: ['create', 'update'], fields: ['active', 'idFilial', 'kind', 'sellerKey'] },
  title: 'name',
  sort: 'name',
  soft: true,
})

export const outsideStates = {
  booked: 'Записан',
  confirmed: 'Подтверждён площадкой',
  cancelled: 'Отменён',
  refused: 'Отказано',
} as const
export type OutsideState = keyof typeof outsideStates

/** A booking that a seller has asked for, also one that was refused: once for each of its numbers. */
export const OutsideBooking = entity('outside-bookings', {
  branchBy: ['idAppointment', 'idChannel'],
  label: ['Запись с площадки', 'записи с площадки', 'записей с площадок'],
  gender: 'f',
  registry: {
    columns: ['dateCreate', 'idChannel', 'outerId', 'state', 'idCustomer', 'idAppointment', 'question', 'reason'],
    empty: { title: 'С площадок ещё не записывались', text: 'Здесь видна каждая запись и каждый отказ с причиной' },
  },
  fields: {
    idChannel: ref('booking-channels', {
      label: 'Площадка',
      as: 'channel',
      readonly: true,
      required: true,
      whenDeleted: 'stays',
    }),
    /** The seller's own number. */
    outerId: text({ label: 'Номер на площадке', max: 128, required: true, readonly: true, search: true }),
    /** Derived: of a refusal, else of the visit. */
    state: choice(outsideStates, { label: 'Состояние', computed: true, required: true }),
    isConfirmed: boolean({ label: 'Подтверждена площадкой', default: false, readonly: true }),
    idCustomer: ref('customers', { label: 'Пациент', as: 'customer', readonly: true, onDelete: 'set null' }),
    idAppointment: ref('appointments', { label: 'Визит', as: 'appointment', readonly: true, onDelete: 'set null' }),
    /** The phone belongs to a card with another name or birthday, so a new card was made. */
    question: text({ label: 'Проверить', max: 256, readonly: true }),
    reason: text({ label: 'Почему отказано', max: 256, readonly: true }),
    dateCreate: dateTime({ label: 'Поступила', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access: { view: ['mainSettings', 'editAppointments'] },
  personal: 'idCustomer',
  unique: [['idChannel', 'outerId']],
  title: 'outerId',
  sort: '-id',
})
