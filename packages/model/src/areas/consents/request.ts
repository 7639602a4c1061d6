import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { customerAccess } from '../customers/customer.ts'
import { requestKinds } from './requestKinds.ts'

/** Working days to answer a patient, and the extension with reasons (152-ФЗ ст. 20). */
export const ANSWER_DAYS = 10
export const MORE_DAYS = 5

export const requestChannels = { paper: 'На бумаге', email: 'По почте', post: 'Письмом', portal: 'Через сайт' } as const

export const requestStatuses = {
  open: 'В работе',
  overdue: 'Просрочен',
  answered: 'Отвечен',
  late: 'Отвечен с опозданием',
} as const
export type RequestStatus = keyof typeof requestStatuses

/** A patient's request about personal data, with a deadline in working days. */
export const PatientRequest = entity('consents/requests', {
  label: ['Запрос', 'запроса', 'запросов'],
  gender: 'm',
  fields: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    kind: choice(requestKinds, { label: 'О чём', required: true }),
    channel: choice(requestChannels, { label: 'Как поступил', default: 'paper' }),
    dateReceived: date({ label: 'Получен', required: true }),
    text: text({ label: 'Содержание', required: true, max: 4000, multiline: true, search: true }),
    idResponsible: ref('users', { label: 'Кто отвечает', as: 'responsible', whenDeleted: 'asks' }),
    extended: boolean({ label: `Срок продлён на ${MORE_DAYS} рабочих дней`, default: false }),
    extensionReason: text({ label: 'Почему продлён', max: 1000, multiline: true, help: 'Об этом сообщают клиенту' }),
    dateDue: date({ label: 'Ответить до', readonly: true, required: true }),
    dateAnswered: date({ label: 'Отвечено' }),
    answer: text({ label: 'Что ответили', max: 4000, multiline: true }),
    status: choice(requestStatuses, { label: 'Состояние', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Внесён', auto: 'created' }),
    idUser: ref('users', { label: 'Кто внёс', as: 'user', auto: 'asker' }),
  },
  access: customerAccess,
  kept: ({ dateAnswered }: { dateAnswered: string | null }) =>
    dateAnswered === null ? undefined : 'Отвеченный запрос остаётся в реестре',
  registry: {
    columns: ['idCustomer', 'kind', 'dateReceived', 'dateDue', 'status', 'idResponsible'],
    form: {
      Запрос: ['idCustomer', 'kind', 'channel', 'dateReceived', 'text', 'idResponsible'],
      Срок: ['extended', 'extensionReason'],
      Ответ: ['dateAnswered', 'answer'],
    },
    empty: {
      title: 'Запросов пока нет',
      text: 'Внесите запрос клиента о его данных: срок ответа посчитается по рабочему календарю.',
    },
  },
  title: 'text',
  sort: '-dateReceived,-id',
  soft: true,
  personal: 'idCustomer',
})
