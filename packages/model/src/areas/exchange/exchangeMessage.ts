import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Outside systems: each has a card in «Интеграции» and a code in the journal of exchange. */
export const adapters = {
  sms: 'СМС',
  mail: 'Почта',
  telegram: 'Telegram',
  vk: 'ВКонтакте',
  max: 'MAX',
  whatsapp: 'WhatsApp',
  ami: 'Телефония',
  agent: 'Агенты касс',
  kkt: 'Регистраторы чеков',
  terminal: 'Терминалы',
  yookassa: 'ЮKassa',
  mango: 'Mango Office',
  zadarma: 'Zadarma',
  eln: 'СФР: больничные',
  snils: 'СФР: поиск СНИЛС',
  tfoms: 'ТФОМС',
  mdlp: 'МДЛП',
  webhooks: 'Вебхуки',
  egisz: 'ЕГИСЗ: РЭМД',
  nsi: 'НСИ',
  laboratory: 'Лаборатории-партнёры',
  llm: 'Нейросеть',
  asr: 'Распознавание речи',
  metrika: 'Яндекс Метрика',
  sellers: 'Площадки записи',
} as const
export type AdapterCode = keyof typeof adapters

export const directions = { out: 'Отправлено', in: 'Получено' } as const

/** `accepted`: the receiver has it and its result is pending; `dead`: no more retries. */
export const exchangeStatuses = {
  queued: 'В очереди',
  sent: 'Отправлено',
  accepted: 'Принято',
  done: 'Выполнено',
  rejected: 'Отклонено',
  network_error: 'Ошибка связи',
  dead: 'Остановлено',
} as const
export type ExchangeStatus = keyof typeof exchangeStatuses

/** State of a message in the outbox, until it is done. */
export const outboxStates = {
  waiting: 'Ждёт отправки',
  claimed: 'Отправляется',
  awaiting: 'Ждёт ответа',
  unknown: 'Неизвестно, дошло ли',
  dead: 'Остановлено',
} as const

/** States with an error. */
export const failedStatuses = ['rejected', 'network_error', 'dead'] as const satisfies readonly ExchangeStatus[]

/** Users with only the report of ЕГИСЗ see only its messages. */
export const exchangeAccess = ['mainSettings', 'viewReportEgiszMessages'] as const

/** Minutes between attempts; their number limits the retries. */
export const RETRY_MINUTES = [1, 5, 15, 60, 360] as const

/** Characters stored of a request and of a response. */
export const MAX_REQUEST = 20_000
export const MAX_RESPONSE = 2_000

/** Messages per retry or cancel call. */
export const MANY_MESSAGES = 500

/**
 * A message to or from an outside system: one line, with its attempts. Adapters write it without the records engine, so
 * it has no history. Its content is opened by a call that requires a reason.
 */
export const ExchangeMessage = entity('exchange/messages', {
  label: ['Сообщение обмена', 'сообщения обмена', 'сообщений обмена'],
  gender: 'n',
  registry: {
    columns: ['dateCreate', 'adapter', 'operation', 'status', 'attempts', 'dateNext', 'durationMs', 'errorText'],
    empty: {
      title: 'Обмена пока не было',
      text: 'Здесь будет каждое сообщение внешним системам: СМС, письма, мессенджеры, вебхуки',
    },
  },
  fields: {
    dateCreate: dateTime({ label: 'Когда', readonly: true, required: true }),
    adapter: choice(adapters, { label: 'Система', readonly: true, required: true }),
    direction: choice(directions, { label: 'Направление', readonly: true, default: 'out' }),
    operation: text({ label: 'Операция', max: 200, readonly: true, required: true, search: true }),
    entityType: text({ label: 'О чём', max: 100, readonly: true }),
    idEntity: integer({ label: 'Номер записи', readonly: true }),
    idWebhook: ref('webhooks', { label: 'Вебхук', as: 'webhook', readonly: true, onDelete: 'cascade' }),
    correlationId: text({ label: 'Связь', max: 200, readonly: true }),
    /** Idempotency key of this message; its attempts share one line. */
    idempotencyKey: text({ label: 'Ключ', max: 200, readonly: true }),
    status: choice(exchangeStatuses, { label: 'Состояние', readonly: true, default: 'queued' }),
    attempts: integer({ label: 'Попыток', readonly: true, default: 0 }),
    dateNext: dateTime({ label: 'Следующая попытка', readonly: true }),
    dateLast: dateTime({ label: 'Последняя попытка', readonly: true }),
    errorCode: text({ label: 'Код ответа', max: 64, readonly: true }),
    errorText: text({ label: 'Ошибка', max: 500, readonly: true }),
    durationMs: integer({ label: 'Длилось, мс', readonly: true }),
    /** State in the outbox; null: done, or the adapter has its own queue. */
    queue: choice(outboxStates, { label: 'В очереди обмена', computed: true }),
    /** The request or the response is stored. */
    hasBody: boolean({ label: 'Есть содержание', computed: true, required: true }),
  },
  access: { view: exchangeAccess, export: exchangeAccess },
  unrecorded: true,
  sort: '-id',
})
