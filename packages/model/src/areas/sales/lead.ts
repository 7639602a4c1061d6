import { comments } from '../../comments.ts'
import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { list, tags } from '../../list.ts'
import { salesAccess, salesLists } from './funnel.ts'

/** A deal moving through the stages of a funnel (spec §3, §4). */
export const Lead = entity('sales-management/leads', {
  label: ['Сделка', 'сделки', 'сделок'],
  fields: {
    title: text({ label: 'Название', required: true, max: 255, search: true }),
    description: richText({ label: 'Описание' }),
    order: position({ group: ['idStage'], start: 'first' }),
    price: money({ label: 'Сумма', min: 0 }),
    /** The price was entered by hand; otherwise it is the sum of the accepted services of the offers. */
    isPriceByHand: boolean({ label: 'Сумма указана вручную', readonly: true, default: false }),
    totalAccepted: money({ label: 'Принято в предложениях', computed: true, lazy: true }),
    idStage: ref('sales-management/stages', { label: 'Этап', as: 'stage', whenDeleted: 'own' }),
    typeStage: integer({ label: 'Тип этапа', computed: true }),
    idFunnel: integer({ label: 'Воронка', computed: true }),
    idSource: ref('sales-management/sources', { label: 'Источник', as: 'source', whenDeleted: 'asks' }),
    /** UTM marks of the first touch: utm_source, utm_medium, utm_campaign, utm_content, utm_term. */
    utm: json<Record<string, string>>()({ label: 'UTM-метки' }),
    idCompany: ref('sales-management/companies', { label: 'Компания', as: 'company', whenDeleted: 'asks' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    /** When it entered its stage. */
    dateStage: dateTime({ label: 'На этапе с', readonly: true }),
    dateExpected: date({ label: 'Ожидаемая дата' }),
    dateClosed: dateTime({ label: 'Закрыта', readonly: true }),
    nextStep: text({ label: 'Следующий шаг', max: 255 }),
    dateNextStep: dateTime({ label: 'Когда' }),
    /** When the reminder of the next step was sent. */
    dateReminded: dateTime({ label: 'Напомнили', readonly: true }),
    idLossReason: ref('sales-management/loss-reasons', {
      label: 'Причина отказа',
      as: 'lossReason',
      whenDeleted: 'asks',
    }),
    lossNote: text({ label: 'Пояснение к отказу', max: 2000, multiline: true }),
    idUser: ref('users', { label: 'Создал', as: 'user', auto: 'actor' }),
    canComplete: boolean({ label: 'Можно завершить', computed: true, required: true }),
    isEditable: boolean({ label: 'Можно изменять', computed: true, required: true }),
    commentsTotalCount: integer({ label: 'Комментариев', computed: true, lazy: true }),
    offersTotalCount: integer({ label: 'Предложений', computed: true, lazy: true }),
    historyTotalCount: integer({ label: 'Записей истории', computed: true, lazy: true }),
    tasksTotalCount: integer({ label: 'Задач', computed: true, lazy: true }),
    chatsTotalCount: integer({ label: 'Чатов', computed: true, lazy: true }),
    callsTotalCount: integer({ label: 'Звонков', computed: true, lazy: true }),
  },
  many: {
    contacts: many('sales-management/contacts', 'idLead'),
    comments: many('sales-management/lead-comments', 'idLead'),
    responsible: many('sales-management/responsible', 'idLead'),
    offers: many('sales-management/offers', 'idLead'),
    tags: many('sales-management/tags', 'idLead'),
    tasks: many('sales-management/lead-tasks', 'idLead'),
    entities: many('sales-management/entities', 'idLead'),
    files: many('sales-management/lead-files', 'idLead'),
    visits: many('sales-management/lead-visits', 'idLead'),
  },
  access: salesAccess,
  title: 'title',
  sort: '-dateCreate',
  soft: true,
})

const ofLead = () =>
  ref('sales-management/leads', { label: 'Сделка', as: 'lead', required: true, fixed: true, onDelete: 'cascade' })

export const LeadResponsible = entity('sales-management/responsible', {
  label: ['Ответственный сделки', 'ответственных сделки', 'ответственных сделки'],
  fields: {
    idLead: ofLead(),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'own' }),
  },
  access: salesAccess,
  within: 'idLead',
  unique: [['idLead', 'idUser']],
})

export const LeadTag = tags('sales-management/tags', ['Метка сделки', 'метки сделки', 'меток сделки'], {
  of: { idLead: ofLead() },
  within: 'idLead',
  access: salesAccess,
})

export const LeadComment = comments('sales-management/lead-comments', {
  label: ['Комментарий сделки', 'комментария сделки', 'комментариев сделки'],
  of: { idLead: ofLead() },
  within: 'idLead',
  many: { files: many('sales-management/lead-comment-files', 'idComment') },
  access: { ...salesAccess, create: salesAccess.view, update: salesAccess.view, delete: salesAccess.view },
})

/** A task created for a deal, by its card on a board. */
export const LeadTask = entity('sales-management/lead-tasks', {
  label: ['Задача сделки', 'задачи сделки', 'задач сделки'],
  fields: {
    idLead: ofLead(),
    idTaskAssignColumn: ref('tasks-management/assigned', {
      label: 'Карточка задачи',
      as: 'assigned',
      required: true,
      fixed: true,
      whenDeleted: 'stays',
    }),
  },
  access: salesAccess,
  within: 'idLead',
  unique: [['idLead', 'idTaskAssignColumn']],
  soft: true,
})

/** Kinds of records linked to a deal (spec §3). */
export const leadLinkTypes = { task: 'Задача', liveassist: 'Чат', call: 'Звонок' } as const
export type LeadLinkType = keyof typeof leadLinkTypes

export const LeadLink = entity('sales-management/entities', {
  label: ['Связь сделки', 'связи сделки', 'связей сделки'],
  fields: {
    idLead: ofLead(),
    type: choice(leadLinkTypes, { label: 'Вид', required: true, fixed: true }),
    idEntity: integer({ label: 'Запись', required: true, fixed: true, min: 1 }),
    order: position({ group: ['idLead', 'type'], start: 'last' }),
  },
  access: salesAccess,
  within: 'idLead',
  unique: [['idLead', 'type', 'idEntity']],
  sort: 'order',
  soft: true,
})

/** Reasons of lost deals; required by a loss stage. */
export const LossReason = list('sales-management/loss-reasons', ['Причина отказа', 'причины отказа', 'причин отказа'], {
  gender: 'f',
  registry: {
    empty: { title: 'Причин отказа нет', text: 'Без причины сделку нельзя перевести на этап отказа.' },
  },
  name: { search: false },
  ordered: true,
  access: salesLists,
  quickAdd: true,
})

export const SalesSource = list('sales-management/sources', ['Источник', 'источника', 'источников'], {
  gender: 'm',
  registry: {
    empty: { title: 'Источников нет', text: 'По UTM-метке источник новой заявки определится сам.' },
  },
  extra: {
    /** Value of utm_source that assigns new deals to this source. */
    UTM: text({ label: 'UTM-метка', help: 'Значение utm_source в ссылке', max: 128 }),
  },
  access: salesLists,
  quickAdd: true,
})
