import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { text } from '../../fields/text.ts'
import { RETRY_MINUTES } from './exchangeMessage.ts'

/** Actions on a record: the second half of an event's name. */
export const eventActions = {
  create: 'создание',
  update: 'изменение',
  delete: 'удаление',
  restore: 'восстановление',
} as const
export type EventAction = keyof typeof eventActions

/** `tasks-management/tasks.create`: entity path and action. */
export const eventName = (path: string, action: EventAction): string => `${path}.${action}`

/** Parses an event's name; undefined: invalid. */
export function eventOf(name: string): { path: string; action: EventAction } | undefined {
  const dot = name.lastIndexOf('.')
  const action = name.slice(dot + 1)
  return dot > 0 && Object.hasOwn(eventActions, action)
    ? { path: name.slice(0, dot), action: action as EventAction }
    : undefined
}

/** Days of failures after which a webhook is switched off. */
export const FAILING_DAYS = 3

/** Rights on the connections of the clinic. */
export const settingsAccess = {
  view: 'mainSettings',
  create: 'mainSettings',
  update: 'mainSettings',
  delete: 'mainSettings',
} as const

/** An address of another system that gets events: record ids and field names, without values. */
export const Webhook = entity('webhooks', {
  label: ['Вебхук', 'вебхука', 'вебхуков'],
  gender: 'm',
  registry: {
    columns: ['name', 'url', 'active', 'waiting', 'stopped', 'dateSuccess', 'dateFailing'],
    form: ['name', 'url', 'active', 'retries', 'events'],
    empty: {
      title: 'Вебхуков пока нет',
      text: 'Укажите адрес другой системы и события: она узнает о них сама, без опроса',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true, unique: true }),
    url: text({
      label: 'Адрес',
      help: 'Куда слать POST с событием. Адреса внутренней сети не подойдут',
      required: true,
      max: 1000,
      search: true,
      rule: (value) => (isAddress(value) ? undefined : 'Нужен адрес вида https://… без имени и пароля'),
    }),
    events: list((one: string) => eventOf(one) !== undefined, { label: 'События', default: [] }),
    active: boolean({ label: 'Включён', default: true }),
    retries: integer({
      label: 'Повторов',
      help: 'Если не принято — через 1, 5, 15, 60 и 360 минут',
      default: RETRY_MINUTES.length,
      min: 0,
      max: RETRY_MINUTES.length,
    }),
    /** Earlier events are not sent. */
    dateFrom: dateTime({ label: 'Включён с', readonly: true }),
    hasSecret: boolean({ label: 'Секрет задан', computed: true, required: true }),
    waiting: integer({ label: 'Ждут отправки', computed: true, required: true }),
    stopped: integer({ label: 'Не доставлено', computed: true, required: true }),
    dateSuccess: dateTime({ label: 'Последний успех', computed: true }),
    dateFailing: dateTime({ label: 'Не отвечает с', computed: true }),
    /** Why it was switched off automatically. */
    offReason: text({ label: 'Почему выключен', max: 500, computed: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { messages: many('exchange/messages', 'idWebhook') },
  access: settingsAccess,
  // It sends patients' data outside.
  fresh: { actions: ['create', 'update'], fields: ['url', 'events', 'active'] },
  title: 'name',
  sort: 'name',
  soft: true,
})

function isAddress(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
}
