import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Hours from discovery to the notice to Роскомнадзор, and to the results of the inquiry (152-ФЗ ст. 21, ч. 3.1). */
export const NOTICE_HOURS = 24
export const INQUIRY_HOURS = 72

export const incidentKinds = {
  leak: 'Утечка',
  access: 'Доступ посторонних',
  loss: 'Потеря носителя или документа',
  sending: 'Отправлено не тому',
  other: 'Другое',
} as const

export const incidentStatuses = {
  notice: 'Ждёт уведомления',
  noticeLate: 'Уведомление просрочено',
  inquiry: 'Идёт расследование',
  inquiryLate: 'Расследование просрочено',
  closed: 'Закрыт',
} as const
export type IncidentStatus = keyof typeof incidentStatuses

/** A personal data breach, with the two deadlines for the notices to the supervisor. */
export const Incident = entity('consents/incidents', {
  label: ['Инцидент', 'инцидента', 'инцидентов'],
  gender: 'm',
  fields: {
    kind: choice(incidentKinds, { label: 'Вид', required: true }),
    dateDetected: dateTime({ label: 'Обнаружен', required: true }),
    text: text({ label: 'Что случилось', required: true, max: 4000, multiline: true, search: true }),
    affected: integer({ label: 'Скольких людей коснулось', min: 0 }),
    idResponsible: ref('users', { label: 'Кто ведёт', as: 'responsible', whenDeleted: 'stays' }),
    dueNotice: dateTime({ label: 'Уведомить до', computed: true, required: true }),
    notifiedAt: dateTime({ label: 'Роскомнадзор уведомлён' }),
    noticeNumber: text({ label: 'Номер уведомления', max: 64 }),
    dueInquiry: dateTime({ label: 'Сообщить результаты до', computed: true, required: true }),
    inquiryAt: dateTime({ label: 'Результаты отправлены' }),
    inquiry: text({ label: 'Что выяснили', max: 4000, multiline: true, help: 'Причины, виновные и принятые меры' }),
    status: choice(incidentStatuses, { label: 'Состояние', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Внесён', auto: 'created' }),
    idUser: ref('users', { label: 'Кто внёс', as: 'user', auto: 'actor' }),
  },
  access: { view: 'viewAccessLog', create: 'viewAccessLog', update: 'viewAccessLog' },
  registry: {
    columns: ['text', 'kind', 'dateDetected', 'dueNotice', 'dueInquiry', 'status'],
    form: {
      Инцидент: ['kind', 'dateDetected', 'text', 'affected', 'idResponsible'],
      'Уведомление Роскомнадзора, 24 часа': ['notifiedAt', 'noticeNumber'],
      'Результаты расследования, 72 часа': ['inquiryAt', 'inquiry'],
    },
    empty: {
      title: 'Инцидентов не было',
      text: 'Если данные клиентов попали к посторонним, внесите инцидент: часы до уведомления пойдут с его обнаружения.',
    },
  },
  title: 'text',
  sort: '-dateDetected,-id',
})
