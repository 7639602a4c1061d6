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
} as const
export type ChannelKind = keyof typeof channelKinds

/** Days ahead that a seller may be shown. */
export const MOST_DAYS = 60

/** A seller of free times outside the clinic: an aggregator, a map, a partner. */
export const BookingChannel = entity('booking-channels', {
  label: ['Площадка записи', 'площадки записи', 'площадок записи'],
  gender: 'f',
  registry: {
    columns: ['name', 'kind', 'idFilial', 'active', 'dateBooked', 'booked', 'refused'],
    form: {
      Площадка: ['name', 'kind', 'idFilial', 'idSource', 'active'],
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
    dateBooked: dateTime({ label: 'Последняя запись', computed: true, clock: 'filial.timeZone' }),
    booked: integer({ label: 'Записей за 30 дней', computed: true, required: true }),
    refused: integer({ label: 'Отказов за 30 дней', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed', clock: 'filial.timeZone' }),
  },
  many: { bookings: many('outside-bookings', 'idChannel') },
  access: settingsAccess,
  // It opens the schedule to strangers.
  fresh: { actions: ['create', 'update'], fields: ['active', 'idFilial', 'kind'] },
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
    /** Derived: of a refusal, else of the visit as it stands. */
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
