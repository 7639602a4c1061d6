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

/** A door by which leads come in from outside: a signed webhook or a public form. */
export const Intake = entity('sales-management/intakes', {
  label: ['Приём заявок', 'приёма заявок', 'приёмов заявок'],
  fields: {
    name: text({ label: 'Название', required: true, max: 128 }),
    kind: choice(intakeKinds, { label: 'Вид', required: true, fixed: true }),
    isActive: boolean({ label: 'Включён', default: true }),
    /** Where an accepted lead goes when the operator says nothing else. */
    idFunnel: ref('sales-management/funnels', { label: 'Воронка', as: 'funnel', whenDeleted: 'keeps' }),
    idSource: ref('sales-management/sources', { label: 'Источник', as: 'source', whenDeleted: 'keeps' }),
    /** What the page says above the form and after it has been sent. */
    title: text({ label: 'Заголовок формы', max: 128 }),
    thanks: text({ label: 'Текст после отправки', max: 500 }),
    /** In the address of the door; guessing it takes forever. */
    key: text({ label: 'Ключ адреса', readonly: true, max: 64 }),
    /** Whether a webhook has the secret of its signature. The secret itself is shown once, when it is made. */
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

/** A lead that came in and waits to be sorted: to be accepted as a deal, rejected, or linked to a deal that is there. */
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
    /** The sender's own id of the request: a repeat of it changes nothing. */
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
