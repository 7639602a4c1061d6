/** Events of messages to patients, channels, and variables of a text. Pure. */

/** Events that create a message. */
export const messageEvents = {
  booking: 'Запись создана',
  changed: 'Запись перенесена',
  cancelled: 'Запись отменена',
  reminder24h: 'Напоминание за сутки',
  reminder2h: 'Напоминание за 2 часа',
  review: 'Отзыв после визита',
  score: 'Оценка визита',
  payment: 'Оплата получена',
  debt: 'Есть долг',
  payLink: 'Ссылка на оплату',
  recall: 'Пора прийти',
  birthday: 'День рождения',
  membership: 'Абонемент заканчивается',
  resultReady: 'Результат готов',
  answer: 'Клиника ответила в кабинете',
  custom: 'Рассылка',
} as const
export type MessageEvent = keyof typeof messageEvents

/** Channels to a patient; the clinic's settings give their order. */
export const messageWays = {
  push: 'Push-уведомление',
  messenger: 'Мессенджер',
  sms: 'СМС',
  email: 'Электронная почта',
} as const
export type MessageWay = keyof typeof messageWays
/** Channels that a patient may opt out of; push is enabled per device instead. */
export type RefusedWay = Exclude<MessageWay, 'push'>

/** Channels a text is for; a messenger is named. */
export const messageChannels = {
  sms: 'СМС',
  email: 'Электронная почта',
  push: 'Push-уведомление',
  tg: 'Telegram',
  vk: 'ВКонтакте',
  max: 'MAX',
  whatsapp: 'WhatsApp',
} as const
export type MessageChannel = keyof typeof messageChannels

/** Kind of a messenger's channel in the chats. */
export const chatKinds = { tg: 'telegram', vk: 'vk', max: 'max', whatsapp: 'whatsapp' } as const

/** The way used for a channel. */
export const wayOf = (channel: MessageChannel): MessageWay =>
  channel === 'sms' || channel === 'email' || channel === 'push' ? channel : 'messenger'

export const messageStatuses = {
  queued: 'Отправляется',
  accepted: 'Отправлено',
  delivered: 'Доставлено',
  read: 'Прочитано',
  unknown: 'Неизвестно, дошло ли',
  failed: 'Не отправлено',
  cancelled: 'Отменено',
} as const
export type MessageStatus = keyof typeof messageStatuses

/** Data of an event that a text may use. */
type EventPart = 'visit' | 'sum' | 'link' | 'score' | 'membership'
const parts: Readonly<Record<MessageEvent, readonly EventPart[]>> = {
  booking: ['visit'],
  changed: ['visit'],
  cancelled: ['visit'],
  reminder24h: ['visit'],
  reminder2h: ['visit'],
  review: ['visit'],
  score: ['visit', 'score'],
  recall: ['visit'],
  payment: ['sum'],
  debt: ['sum'],
  payLink: ['sum', 'link'],
  birthday: [],
  membership: ['membership'],
  resultReady: [],
  answer: [],
  custom: [],
}

/** Variables in braces. */
export const messageVariables = {
  имя: { label: 'Имя клиента', sample: 'Анна' },
  'имя отчество': { label: 'Имя и отчество', sample: 'Анна Сергеевна' },
  дата: { label: 'День визита', sample: '24.11.2026', of: 'visit' },
  время: { label: 'Время визита', sample: '10:30', of: 'visit' },
  врач: { label: 'Врач', sample: 'Орлова М. П.', of: 'visit' },
  услуги: { label: 'Услуги визита', sample: 'Консультация терапевта', of: 'visit' },
  сумма: { label: 'Сумма оплаты или долга', sample: '2 500,00 ₽', of: 'sum' },
  оплата: { label: 'Страница, на которой платят', sample: 'https://clinic.ru/pay/Xr5Kq0', of: 'link' },
  клиника: { label: 'Название клиники', sample: 'Клиника' },
  филиал: { label: 'Филиал', sample: 'На Садовой', of: 'visit' },
  адрес: { label: 'Адрес филиала', sample: 'ул. Садовая, 5', of: 'visit' },
  телефон: { label: 'Телефон филиала', sample: '+7 495 123-45-67', of: 'visit' },
  подтверждение: {
    label: 'Ссылка, по которой визит подтверждают и отменяют',
    sample: 'https://clinic.ru/portal#visit=1.Xr5Kq0',
    of: 'visit',
  },
  оценка: {
    label: 'Ссылка, по которой ставят оценку визиту',
    sample: 'https://clinic.ru/portal#score=1.Xr5Kq0',
    of: 'score',
  },
  абонемент: { label: 'Название абонемента', sample: 'Массаж, 10 посещений', of: 'membership' },
  'действует по': { label: 'Последний день абонемента', sample: '07.12.2026', of: 'membership' },
  осталось: { label: 'Сколько посещений осталось', sample: '3 посещения', of: 'membership' },
  ссылка: { label: 'Ссылка из настроек', sample: 'https://clinic.ru' },
} as const satisfies Record<string, { label: string; sample: string; of?: EventPart }>
export type MessageVariable = keyof typeof messageVariables

/** Days before the last day of a membership on which its end is announced. */
export const MEMBERSHIP_ENDS_DAYS = 7

/** Values of the variables. */
export type MessageValues = Partial<Record<MessageVariable, string>>

/** Variables available for an event. */
export const variablesOf = (event: MessageEvent): MessageVariable[] =>
  (Object.keys(messageVariables) as MessageVariable[]).filter((name) => {
    const one: { label: string; of?: EventPart } = messageVariables[name]
    return one.of === undefined || parts[event].includes(one.of)
  })

/** Sample values for a preview without a record. */
export const sampleValues: MessageValues = Object.fromEntries(
  Object.entries(messageVariables).map(([name, { sample }]) => [name, sample]),
)

/** Subject of an e-mail; contains nothing private. */
export const letterSubjects: Readonly<Record<MessageEvent, string>> = {
  booking: 'Вы записаны на приём',
  changed: 'Ваш визит перенесён',
  cancelled: 'Ваш визит отменён',
  reminder24h: 'Напоминание о визите',
  reminder2h: 'Напоминание о визите',
  review: 'Как прошёл ваш визит',
  score: 'Оцените визит, если будет минута',
  payment: 'Оплата получена',
  debt: 'Напоминание об оплате',
  payLink: 'Ссылка на оплату',
  recall: 'Пора на приём',
  birthday: 'С днём рождения',
  membership: 'Ваш абонемент скоро закончится',
  resultReady: 'Результат готов',
  answer: 'Вам ответили',
  custom: 'Сообщение от клиники',
}
