import { entity, many, manyThrough } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { list, tags } from '../../list.ts'

/** Channels of an appeal (spec §3). */
export const appealSources = { 'live-assist': 'Чат', call: 'Звонок' } as const
export type AppealSource = keyof typeof appealSources

/** Text of the chip; spec §2. */
export const appealSourceText = (source: string | null): string =>
  Object.hasOwn(appealSources, source ?? '') ? appealSources[source as AppealSource] : 'Неизвестно'

export const appealStatuses = { draft: 'Черновик', open: 'Открыто', waiting: 'Ожидание', closed: 'Закрыто' } as const
export type AppealStatus = keyof typeof appealStatuses

/** Outcomes of a conversation. */
export const outcomes = {
  booked: 'Записан',
  consulted: 'Проконсультирован',
  sold: 'Продажа',
  refused: 'Отказ',
  notTarget: 'Не по делу',
  complaint: 'Жалоба',
} as const

export const appealAccess = {
  view: 'viewAppeals',
  create: 'editAppeals',
  update: 'editAppeals',
  delete: 'editAppeals',
} as const

/** Links from an appeal to the records created from it. */
const link = { path: 'appeal-links', from: 'idAppeal', by: 'idEntity' } as const

/** A patient's request, by call or chat (spec §3). */
export const Appeal = entity('appeals', {
  label: ['Обращение', 'обращения', 'обращений'],
  gender: 'n',
  registry: {
    empty: {
      title: 'Обращений пока нет',
      text: 'Они появляются из звонков и чатов; обращение можно завести и вручную.',
    },
  },
  fields: {
    entityType: choice(appealSources, { label: 'Откуда', fixed: true }),
    idEntity: integer({ label: 'Номер звонка или чата', min: 1, fixed: true }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', whenDeleted: 'stays' }),
    /** Name of the caller when there is no card. */
    customerFullName: text({ label: 'Имя обратившегося', max: 255, search: true }),
    customerPhone: phone({ label: 'Телефон', search: true }),
    idCause: ref('appeals/causes', { label: 'Причина', as: 'cause', whenDeleted: 'asks' }),
    description: text({ label: 'Суть', max: 5000, multiline: true, search: true }),
    idOwner: ref('users', {
      label: 'Ответственный',
      as: 'owner',
      whenDeleted: { asks: { among: { outcome: [null] } } },
    }),
    /** Visits booked from the appeal take it. */
    idReferrer: ref('referrers', { label: 'Кто направил', as: 'referrer', whenDeleted: 'keeps' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'stays' }),
    deadline: dateTime({ label: 'Срок' }),
    status: choice(appealStatuses, { label: 'Состояние', default: 'open' }),
    outcome: choice(outcomes, { label: 'Итог' }),
    nextStep: text({ label: 'Следующий шаг', max: 255 }),
    dateNextStep: dateTime({ label: 'Когда' }),
    /** The first appeal of the same patient with the same cause within a week. */
    idThread: integer({ label: 'Цепочка', readonly: true }),
    dateStart: dateTime({ label: 'Начато', auto: 'created' }),
    dateEnd: dateTime({ label: 'Закончено', readonly: true }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
    /** Empty: a draft created from a call of the telephone exchange, with no known employee. */
    idUser: ref('users', { label: 'Кто принял', as: 'user', auto: 'asker' }),
  },
  many: {
    links: many('appeal-links', 'idAppeal'),
    tags: many('appeals/tags', 'idAppeal'),
    // Records created from it (spec §3).
    appointments: manyThrough('appointments', link, { entityType: 'appointments' }),
    leads: manyThrough('sales-management/leads', link, { entityType: 'leads' }),
    tasks: manyThrough('tasks-management/tasks', link, { entityType: 'tasks' }),
  },
  fresh: { actions: ['export'] },
  access: appealAccess,
  unique: [['entityType', 'idEntity']],
  title: 'description',
  sort: '-dateStart',
  soft: true,
  personal: 'idCustomer',
})

const ofAppeal = () =>
  ref('appeals', { label: 'Обращение', as: 'appeal', required: true, fixed: true, onDelete: 'cascade' })

/** Sources of a promise to a patient. */
export const promiseSources = { chat: 'Чат', dialog: 'Чат с пациентом', call: 'Звонок', appeal: 'Обращение' } as const
export type PromiseSource = keyof typeof promiseSources

/** Kinds of promises to a patient. */
export const promiseKinds = {
  answer: 'Ответить в чате',
  callBack: 'Перезвонить',
  next: 'Следующий шаг',
  outcome: 'Записать итог',
} as const
export type PromiseKind = keyof typeof promiseKinds

export const appealLinkTypes = { tasks: 'Задача', leads: 'Сделка', appointments: 'Запись' } as const
export type AppealLinkType = keyof typeof appealLinkTypes

/** A record created from an appeal. */
export const AppealLink = entity('appeal-links', {
  label: ['Связь обращения', 'связи обращения', 'связей обращения'],
  gender: 'f',
  fields: {
    idAppeal: ofAppeal(),
    entityType: choice(appealLinkTypes, { label: 'Вид', required: true, fixed: true }),
    idEntity: integer({ label: 'Запись', required: true, fixed: true, min: 1 }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
  },
  access: appealAccess,
  within: 'idAppeal',
  unique: [['idAppeal', 'entityType', 'idEntity']],
  sort: 'id',
  soft: true,
})

export const AppealTag = tags('appeals/tags', ['Метка обращения', 'метки обращения', 'меток обращения'], {
  gender: 'f',
  of: { idAppeal: ofAppeal() },
  within: 'idAppeal',
  access: appealAccess,
})

/** Reasons of appeals: a list that the clinic maintains. */
export const AppealCause = list('appeals/causes', ['Причина обращения', 'причины обращения', 'причин обращения'], {
  gender: 'f',
  registry: { empty: { title: 'Причин пока нет', text: 'Заведите те, по которым клиника разбирает обращения.' } },
  ordered: true,
  access: appealAccess,
  quickAdd: true,
})
