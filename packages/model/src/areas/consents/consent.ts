import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { customerAccess } from '../customers/customer.ts'
import type { ConsentValues } from './text.ts'

/** Subjects of a consent; a separate document for each since 01.09.2025 (screens.md §2). */
export const consentTypes = {
  pd: 'Обработка персональных данных',
  ids: 'Медицинское вмешательство',
  refusal: 'Отказ от вмешательства',
  ads: 'Реклама и рассылки',
  relatives: 'Сведения для близких',
  photo: 'Фото и видео',
  record: 'Запись разговоров',
  payer: 'Передача диагноза плательщику',
} as const
export type ConsentType = keyof typeof consentTypes

export const consentStatuses = {
  draft: 'Черновик',
  signed: 'Подписано',
  revoked: 'Отозвано',
  expired: 'Истекло',
} as const
export type ConsentStatus = keyof typeof consentStatuses

/** The last two come with papers of other systems; the clinic offers the first two. */
export const signMethods = { paper: 'На бумаге', sms: 'Кодом из СМС', ukep: 'УКЭП', esia: 'Через Госуслуги' } as const

/** Channels for messages and calls to a patient. */
export const channels = { sms: 'СМС', call: 'Звонок', email: 'Электронная почта', messenger: 'Мессенджер' } as const
export type Channel = keyof typeof channels

const templateAccess = {
  view: 'viewCustomers',
  create: 'mainSettings',
  update: 'mainSettings',
  delete: 'mainSettings',
} as const

/** A paper that patients sign. Its text is in its versions. */
export const ConsentTemplate = entity('consents/templates', {
  label: ['Шаблон согласия', 'шаблона согласия', 'шаблонов согласий'],
  gender: 'm',
  registry: {
    columns: ['name', 'type', 'isDefault', 'months', 'version'],
    form: ['name', 'type', 'months', 'isDefault'],
    empty: {
      title: 'Шаблонов пока нет',
      text: 'Заведите по документу на каждую цель: общего согласия на всё не бывает.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 200, search: true }),
    type: choice(consentTypes, { label: 'Вид', required: true, fixed: true }),
    months: integer({ label: 'Действует, мес.', help: '0 — без срока', default: 0, min: 0, max: 1200 }),
    isDefault: boolean({ label: 'Нужно каждому клиенту', default: false }),
    /** Number of the version in force today. */
    version: integer({ label: 'Версия', computed: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { versions: many('consents/versions', 'idTemplate') },
  access: templateAccess,
  title: 'name',
  sort: 'type,name,id',
  soft: true,
})

/** Text of a template from a given day on. Immutable: a changed text is a new version. */
export const ConsentVersion = entity('consents/versions', {
  label: ['Версия согласия', 'версии согласия', 'версий согласия'],
  gender: 'f',
  registry: { empty: { title: 'Версий нет', text: 'Без текста документ подписать нельзя.' } },
  fields: {
    idTemplate: ref('consents/templates', {
      label: 'Шаблон',
      as: 'template',
      required: true,
      fixed: true,
      onDelete: 'cascade',
      whenDeleted: 'own',
    }),
    number: integer({ label: 'Версия', readonly: true, required: true, min: 1 }),
    dateFrom: date({ label: 'Действует с', required: true, fixed: true }),
    purpose: text({ label: 'Цель', required: true, max: 1000, multiline: true, fixed: true }),
    text: richText({ label: 'Текст', required: true, max: 50_000, fixed: true }),
    dateCreate: dateTime({ label: 'Опубликована', auto: 'created' }),
    idUser: ref('users', { label: 'Кто опубликовал', as: 'user', auto: 'actor' }),
  },
  access: { view: templateAccess.view, create: templateAccess.create },
  within: 'idTemplate',
  unique: [['idTemplate', 'number']],
  title: 'number',
  sort: '-dateFrom,-number',
})

/** The person who signed for the patient, as of the signature. */
export interface Signer {
  fio: string
  /** «Мать», «Опекун» … */
  relation: string
  document: string | null
  /** The representative's own card, if any. */
  idCustomer?: number
}

/** A patient's consent or refusal: one paper with one purpose and the text of one version. */
export const Consent = entity('consents', {
  label: ['Согласие', 'согласия', 'согласий'],
  gender: 'n',
  registry: { empty: { title: 'Согласий нет', text: 'Оформите согласие и подпишите его на бумаге или кодом из СМС.' } },
  fields: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idVersion: ref('consents/versions', {
      label: 'Версия',
      as: 'version',
      required: true,
      fixed: true,
      onDelete: 'restrict',
    }),
    /** Copied from the template and the version into the paper. */
    name: text({ label: 'Название', readonly: true, required: true, max: 200 }),
    type: choice(consentTypes, { label: 'Вид', readonly: true, required: true }),
    purpose: text({ label: 'Цель', readonly: true, required: true, max: 1000, multiline: true }),
    channels: list(channels, { label: 'Способы связи', default: [] }),
    /** A representative from the card; absent: the patient. */
    idRelation: ref('customers/relations', { label: 'Подписывает', as: 'relation', onDelete: 'set null' }),
    status: choice(consentStatuses, { label: 'Состояние', computed: true, required: true }),
    signMethod: choice(signMethods, { label: 'Способ подписи', readonly: true }),
    signedAt: dateTime({ label: 'Подписано', readonly: true }),
    validTo: date({ label: 'Действует по' }),
    representative: json<Signer>()({ label: 'Подписал представитель', readonly: true }),
    /** Values of the text's placeholders at the signature. */
    filled: json<ConsentValues>()({ label: 'Данные в тексте', readonly: true }),
    idFile: ref('customers/files', { label: 'Скан', as: 'file', onDelete: 'restrict', whenDeleted: 'own' }),
    revokedAt: dateTime({ label: 'Отозвано', readonly: true }),
    revokeReason: text({ label: 'Причина отзыва', readonly: true, max: 1000, multiline: true }),
    dateCreate: dateTime({ label: 'Создано', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
    idUser: ref('users', { label: 'Кто оформил', as: 'user', auto: 'actor' }),
  },
  access: customerAccess,
  within: 'idCustomer',
  kept: ({ signedAt }: { signedAt: string | null }) =>
    signedAt === null ? undefined : 'Подписанное не удаляют: его можно отозвать',
  title: 'name',
  sort: '-id',
  soft: true,
  personal: 'idCustomer',
})
