import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { numberChoice } from '../../fields/numberChoice.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { clockRule } from './clock.ts'
import { offerAnswers, urgencies, waitingStatuses } from './waitingRules.ts'

/** Minutes an offered time is held for the patient's answer. */
export const OFFER_MINUTES = 30

const access = {
  view: ['createAppointments', 'editAppointments'],
  create: 'createAppointments',
  update: 'createAppointments',
  delete: 'createAppointments',
} as const

/** A patient waiting for a time: services, branch, doctors, available times. */
export const WaitingEntry = entity('waiting-list', {
  label: ['Ожидание', 'ожидания', 'ожиданий'],
  gender: 'n',
  registry: {
    columns: [
      'idCustomer',
      'idService',
      'status',
      'urgency',
      'dateFrom',
      'dateTo',
      'clockFrom',
      'clockTo',
      'dateCreate',
    ],
    empty: { title: 'Никто не ждёт', text: 'Сюда записывают тех, кому не нашлось времени: освободится — предложим.' },
  },
  fields: {
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, fixed: true, onDelete: 'cascade' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, onDelete: 'cascade' }),
    idService: ref('services', { label: 'Услуга', as: 'service', required: true, onDelete: 'cascade' }),
    doctors: refs('users', { label: 'Врачи', help: 'Пусто — любой', whenDeleted: 'asks' }),
    dateFrom: date({ label: 'С дня', help: 'Пусто — любой день' }),
    dateTo: date({ label: 'По день' }),
    clockFrom: text({ label: 'Может с', help: 'По часам филиала; пусто — в любое время', max: 5, rule: clockRule }),
    clockTo: text({ label: 'Может до', max: 5, rule: clockRule }),
    urgency: numberChoice(urgencies, { label: 'Срочность', default: 0 }),
    minNotice: integer({ label: 'Предупредить за, ч', default: 0, min: 0, max: 720 }),
    note: text({ label: 'Примечание', max: 500, search: true }),
    status: choice(waitingStatuses, { label: 'Состояние', default: 'waiting', readonly: true }),
    idAppointment: ref('appointments', {
      label: 'Записан',
      as: 'appointment',
      readonly: true,
      onDelete: 'set null',
    }),
    dateCreate: dateTime({ label: 'Ждёт с', auto: 'created', clock: 'filial.timeZone' }),
    idAuthor: ref('users', { label: 'Кто добавил', as: 'author', auto: 'actor' }),
    isOffered: boolean({ label: 'Ждёт ответа пациента', computed: true, required: true }),
  },
  many: { offers: many('waiting-list/offers', 'idEntry') },
  access,
  kept: ({ isOffered }: { isOffered?: boolean }) =>
    isOffered ? 'Пациенту предложено время: сначала отметьте его ответ' : undefined,
  sort: '-urgency,dateCreate,id',
  soft: true,
  personal: 'idCustomer',
})

/** A free time offered to a waiting patient, and held until they answer. */
export const WaitingOffer = entity('waiting-list/offers', {
  label: ['Предложенное время', 'предложенного времени', 'предложенных времён'],
  gender: 'n',
  fields: {
    idEntry: ref('waiting-list', {
      label: 'Ожидание',
      as: 'entry',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, readonly: true, onDelete: 'cascade' }),
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, readonly: true, onDelete: 'cascade' }),
    localDate: date({ label: 'День', required: true, readonly: true }),
    localStart: text({ label: 'Начало', required: true, readonly: true, max: 5 }),
    minutes: integer({ label: 'Минут', required: true, readonly: true, min: 1, max: 1440 }),
    idHold: ref('appointments/holds', { label: 'Удержание', as: 'hold', readonly: true, onDelete: 'set null' }),
    expiresAt: dateTime({ label: 'Ждём ответа до', required: true, readonly: true, clock: 'filial.timeZone' }),
    answer: choice(offerAnswers, { label: 'Ответ', default: 'pending', readonly: true }),
    dateCreate: dateTime({ label: 'Предложено', auto: 'created', clock: 'filial.timeZone' }),
    idAuthor: ref('users', { label: 'Кто предложил', as: 'author', auto: 'actor' }),
  },
  access: { view: access.view },
  within: 'idEntry',
  sort: '-id',
})
