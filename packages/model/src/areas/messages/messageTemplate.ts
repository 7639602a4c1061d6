import type { FieldError } from '../../check.ts'
import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { type MessageEvent, messageChannels, messageEvents } from './events.ts'
import { MAX_TEXT, wrongText } from './words.ts'

const access = {
  view: ['editMessageTemplates', 'sendMessages'],
  create: 'editMessageTemplates',
  update: 'editMessageTemplates',
  delete: 'editMessageTemplates',
} as const

export const delayUnits = { minutes: 'минут', hours: 'часов', days: 'дней' } as const

/** Events for which a template may have a delay; the others have their own time. */
export const delayed: readonly MessageEvent[] = [
  'booking',
  'changed',
  'cancelled',
  'review',
  'score',
  'payment',
  'debt',
  'recall',
  'resultReady',
  'answer',
]

/** Text for an event: «Шаблоны» (spec §2 templates). */
export const MessageTemplate = entity('message-templates', {
  label: ['Шаблон сообщения', 'шаблона сообщения', 'шаблонов сообщений'],
  gender: 'm',
  registry: {
    form: ['name', 'event', 'text', 'channel', 'delay', 'delayUnit', 'filials', 'services', 'advertising', 'active'],
    empty: { title: 'Шаблонов пока нет', text: 'Заведите слова, которыми пишут пациентам о записи, визите, оплате' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    event: choice(messageEvents, { label: 'Событие', required: true }),
    channel: choice(messageChannels, {
      label: 'Канал',
      help: 'Пусто — для любого, по порядку из настроек клиники. Для названного канала эти слова главнее общих',
    }),
    text: text({
      label: 'Текст',
      required: true,
      max: MAX_TEXT,
      multiline: true,
      search: true,
      help: 'В фигурных скобках — переменные. Часть в квадратных скобках пропадает, если значения в ней нет: [, {адрес}]',
    }),
    delay: integer({ label: 'Через', help: 'После события; 0 — сразу', default: 0, min: 0, max: 1000 }),
    delayUnit: choice(delayUnits, { label: 'Чего', default: 'minutes' }),
    filials: refs('filials', { label: 'Филиалы', help: 'Пусто — для всех', whenDeleted: 'asks' }),
    services: refs('services', {
      label: 'Услуги',
      help: 'Пусто — для любых; иначе визит с одной из них',
      whenDeleted: 'asks',
    }),
    advertising: boolean({
      label: 'Это реклама',
      help: 'Уходит только тем, чьё согласие на рекламу этим способом действует',
      default: false,
    }),
    active: boolean({ label: 'Отправлять', default: false }),
    /** No messages about earlier events. */
    dateActive: dateTime({ label: 'Включён', readonly: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'event,name,id',
  soft: true,
})

interface TemplateFields {
  event: MessageEvent
  text: string
  delay: number
}

/** Contradictions within a template, by field. */
export function templateErrors({ event, text, delay }: TemplateFields): FieldError[] {
  const errors: FieldError[] = []
  const wrong = wrongText(text, event)
  if (wrong) errors.push({ field: 'text', message: wrong })
  if (delay > 0 && !delayed.includes(event))
    errors.push({ field: 'delay', message: 'У этого события своё время: поставьте 0' })
  return errors
}
