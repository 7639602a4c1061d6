import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { json } from '../../fields/json.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { salesAccess, salesSetup } from './funnel.ts'

export const intakeKinds = { webhook: 'Вебхук', form: 'Форма на сайте' } as const

/** An intake of leads from outside: a signed webhook or a public form. */
export const Intake = entity('sales-management/intakes', {
  label: ['Приём заявок', 'приёма заявок', 'приёмов заявок'],
  fields: {
    name: text({ label: 'Название', required: true, max: 128 }),
    kind: choice(intakeKinds, { label: 'Вид', required: true, fixed: true }),
    isActive: boolean({ label: 'Включён', default: true }),
    /** Default funnel of accepted leads. */
    idFunnel: ref('sales-management/funnels', { label: 'Воронка', as: 'funnel', whenDeleted: 'keeps' }),
    idSource: ref('sales-management/sources', { label: 'Источник', as: 'source', whenDeleted: 'keeps' }),
    /** Texts above the form and after sending. */
    title: text({ label: 'Заголовок формы', max: 128 }),
    thanks: text({ label: 'Текст после отправки', max: 500 }),
    /** Random part of the intake's URL. */
    key: text({ label: 'Ключ адреса', readonly: true, max: 64 }),
    /** True if a webhook has a signing secret. The secret itself is shown once, when generated. */
    hasSecret: boolean({ label: 'Секрет задан', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
  },
  access: { ...salesSetup, view: salesSetup.update },
  title: 'name',
  sort: 'name',
  soft: true,
})

export const requestStates = {
  new: 'Новая',
  accepted: 'Принята',
  rejected: 'Отклонена',
  linked: 'Присоединена',
} as const

/** An incoming lead to sort: accept as a deal, reject, or link to an existing deal. */
export const LeadRequest = entity('sales-management/requests', {
  label: ['Заявка', 'заявки', 'заявок'],
  fields: {
    state: choice(requestStates, { label: 'Состояние', readonly: true, default: 'new' }),
    name: text({ label: 'Имя', max: 255, search: true, readonly: true }),
    phone: phone({ label: 'Телефон', search: true, readonly: true }),
    email: email({ label: 'Электронная почта', search: true, readonly: true }),
    message: text({ label: 'Сообщение', max: 5000, multiline: true, readonly: true }),
    page: text({ label: 'Страница', max: 2000, readonly: true }),
    utm: json<Record<string, string>>()({ label: 'UTM-метки', readonly: true }),
    /** yandex, google, telegram, whatsapp, 2gis, site, booklet (spec §9). */
    brand: text({ label: 'Откуда', max: 32, readonly: true }),
    idSource: ref('sales-management/sources', {
      label: 'Источник',
      as: 'source',
      readonly: true,
      whenDeleted: 'stays',
    }),
    idIntake: ref('sales-management/intakes', { label: 'Приём', as: 'intake', readonly: true, whenDeleted: 'stays' }),
    /** The sender's id of the request; a repeated id changes nothing. */
    idExternal: text({ label: 'Внешний номер', max: 128, readonly: true }),
    idLead: ref('sales-management/leads', { label: 'Сделка', as: 'lead', readonly: true, onDelete: 'set null' }),
    idUser: ref('users', { label: 'Разобрал', as: 'user', readonly: true, whenDeleted: 'stays' }),
    reason: text({ label: 'Причина отклонения', max: 500, readonly: true }),
    dateCreate: dateTime({ label: 'Пришла', auto: 'created' }),
    dateSorted: dateTime({ label: 'Разобрана', readonly: true }),
  },
  fresh: { actions: ['export'] },
  access: { view: salesAccess.view, delete: 'editSalesManagement' },
  title: 'name',
  sort: '-id',
  soft: true,
})
