import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { snilsMoments } from './moments.ts'

export const snilsStates = {
  queued: 'В очереди',
  asked: 'Ждёт ответа',
  found: 'Найден',
  several: 'Найдено несколько',
  notFound: 'Не найден',
  mismatch: 'Не совпадает с картой',
  failed: 'Ошибка связи',
  stopped: 'Отменён',
} as const
export type SnilsState = keyof typeof snilsStates

/** States of a query without an answer. */
export const openSnils = ['queued', 'asked', 'failed'] as const satisfies readonly SnilsState[]

/** One of several persons found by the Social Fund. */
export interface SnilsVariant {
  snils: string
  /** Further details of the person. */
  note: string
}

/** A query to the Social Fund for the СНИЛС of a card's person. */
export const SnilsQuery = entity('snils/queries', {
  label: ['Запрос СНИЛС', 'запроса СНИЛС', 'запросов СНИЛС'],
  gender: 'm',
  registry: {
    columns: ['dateCreate', 'idCustomer', 'status', 'snils', 'moment', 'words', 'dateAnswered', 'idUser'],
    empty: { title: 'Запросов пока не было', text: 'Они появятся, когда СНИЛС начнут искать по данным карт.' },
  },
  fields: {
    idCustomer: ref('customers', {
      label: 'Пациент',
      as: 'customer',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    moment: choice(snilsMoments, { label: 'Почему спросили', default: 'hand', readonly: true }),
    status: choice(snilsStates, { label: 'Состояние', default: 'queued', readonly: true }),
    /** The СНИЛС found; also written to the card if it had none. */
    snils: identifier('snils', { label: 'СНИЛС', readonly: true }),
    variants: json<SnilsVariant[]>()({ label: 'Варианты', readonly: true }),
    words: text({ label: 'Ответ', max: 500, readonly: true }),
    externalId: text({ label: 'Номер в СФР', max: 64, readonly: true }),
    attempts: integer({ label: 'Попыток', default: 0, readonly: true }),
    dateNext: dateTime({ label: 'Следующая попытка', readonly: true }),
    dateAnswered: dateTime({ label: 'Ответ получен', readonly: true }),
    idUser: ref('users', { label: 'Кто спросил', as: 'user', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: { view: 'viewCustomers' },
  within: 'idCustomer',
  sort: '-id',
  personal: 'idCustomer',
})
