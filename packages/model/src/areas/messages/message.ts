import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { messageEvents, messageStatuses, messageWays } from './events.ts'

const moment = (label: string) => dateTime({ label, readonly: true })

/** A message to a patient, sent or planned: sent once, by the first channel that accepts it. */
export const Message = entity('messages', {
  label: ['Сообщение клиенту', 'сообщения клиенту', 'сообщений клиентам'],
  gender: 'n',
  registry: {
    empty: { title: 'Сообщений пока нет', text: 'Здесь будет всё, что программа написала клиентам' },
  },
  fields: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    event: choice(messageEvents, { label: 'О чём', required: true, readonly: true }),
    idTemplate: ref('message-templates', { label: 'Шаблон', as: 'template', readonly: true, onDelete: 'set null' }),
    idAppointment: ref('appointments', { label: 'Запись', as: 'appointment', readonly: true, onDelete: 'cascade' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', readonly: true, onDelete: 'set null' }),
    /** Time of the visit in the text; a message for a visit since moved is not sent. */
    dateFrom: moment('О визите'),
    /** Rubles of a payment or a debt. */
    sum: money({ label: 'О сумме', readonly: true }),
    advertising: boolean({ label: 'Реклама', default: false, readonly: true }),
    /** Idempotency key of this message, for its creation and its sending. */
    key: text({ label: 'Ключ', required: true, max: 128, readonly: true, hidden: [] }),
    /** Copied from the card; visible there, by its access rules. */
    phone: text({ label: 'Телефон', readonly: true, max: 20, hidden: [] }),
    email: text({ label: 'Электронная почта', readonly: true, max: 255, hidden: [] }),
    /** Current or final channel. */
    channel: choice(messageWays, { label: 'Чем', readonly: true }),
    /** Channels that failed. */
    tried: list(messageWays, { label: 'Чем не вышло', readonly: true, default: [] }),
    /** The chat line that carries it. */
    idLine: ref('live-assist/messages', {
      label: 'Сообщение чата',
      as: 'line',
      readonly: true,
      onDelete: 'set null',
    }),
    /** Id at the gateway. */
    idGateway: text({ label: 'Номер у шлюза', max: 128, readonly: true, hidden: [] }),
    text: text({ label: 'Текст', readonly: true, max: 4000, multiline: true }),
    parts: integer({ label: 'Частей СМС', readonly: true, min: 0 }),
    cost: money({ label: 'Стоимость', readonly: true }),
    status: choice(messageStatuses, { label: 'Состояние', default: 'queued', readonly: true }),
    reason: text({ label: 'Почему не отправлено', readonly: true, max: 500 }),
    /** Manual resends. */
    repeats: integer({ label: 'Повторов', default: 0, readonly: true }),
    /** Earliest time to send. */
    dateDue: moment('Отправить с'),
    dateSent: moment('Отправлено'),
    dateDelivered: moment('Доставлено'),
    dateRead: moment('Прочитано'),
    /** The patient's reply by text message. */
    reply: text({ label: 'Ответ клиента', readonly: true, max: 4000, multiline: true }),
    dateReply: moment('Когда ответил'),
    idAuthor: ref('users', { label: 'Кто отправил', as: 'author', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Создано', auto: 'created' }),
  },
  access: { view: 'viewMessages' },
  within: 'idCustomer',
  unique: [['key']],
  sort: '-id',
  personal: 'idCustomer',
})
