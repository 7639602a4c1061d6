import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { acceptedAccess, siteAccess } from './access.ts'

export const policyKinds = {
  privacy: 'Политика обработки персональных данных',
  consent: 'Согласие на обработку персональных данных',
  offer: 'Публичная оферта',
  cookies: 'Файлы cookie',
} as const
export type PolicyKind = keyof typeof policyKinds

/** A version of a document that visitors of the site read and accept. Immutable once published. */
export const SitePolicy = entity('client/policies', {
  label: ['Версия политики', 'версии политики', 'версий политики'],
  gender: 'f',
  registry: {
    columns: ['kind', 'number', 'dateFrom', 'isPublished', 'isInForce', 'acceptedCount'],
    form: ['kind', 'dateFrom', 'isPublished', 'text'],
    empty: {
      title: 'Документов для посетителей пока нет',
      text: 'Начните с политики обработки персональных данных и согласия: без него форма сайта не примет заявку',
    },
  },
  fields: {
    kind: choice(policyKinds, { label: 'Документ', required: true, fixed: true }),
    /** Assigned by the server, per kind. */
    number: integer({ label: 'Версия', readonly: true, min: 1 }),
    dateFrom: date({ label: 'Действует с', required: true }),
    isPublished: boolean({
      label: 'Опубликована',
      help: 'После публикации слова не меняются: новые слова — новая версия',
      default: false,
    }),
    text: richText({ label: 'Текст', required: true, max: 100_000 }),
    /** The newest published version of its kind with a past first day. */
    isInForce: boolean({ label: 'Действует', computed: true, required: true }),
    acceptedCount: integer({ label: 'Приняли', computed: true, lazy: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor' }),
  },
  access: siteAccess,
  kept: ({ isPublished }: { isPublished: boolean }) =>
    isPublished ? 'Опубликованная версия хранится: её принимали посетители' : undefined,
  title: 'kind',
  sort: 'kind,-number',
  soft: true,
})

/** Acceptance of a version by a visitor: version, time and page. Written only by the site, immutable. */
export const SiteAcceptance = entity('client/acceptances', {
  label: ['Принятие политики', 'принятия политики', 'принятий политики'],
  gender: 'n',
  registry: {
    columns: ['dateCreate', 'name', 'phone', 'email', 'idPolicy', 'page'],
    empty: {
      title: 'Пока никто не принимал',
      text: 'Здесь будет видно, кто, когда и какую версию принял в форме сайта',
    },
  },
  fields: {
    idPolicy: ref('client/policies', {
      label: 'Версия',
      as: 'policy',
      required: true,
      readonly: true,
      whenDeleted: 'keeps',
    }),
    idRequest: ref('sales-management/requests', {
      label: 'Заявка',
      as: 'request',
      readonly: true,
      onDelete: 'set null',
    }),
    name: text({ label: 'Имя', max: 255, readonly: true, search: true }),
    phone: text({ label: 'Телефон', max: 32, readonly: true, search: true }),
    email: text({ label: 'Почта', max: 254, readonly: true }),
    page: text({ label: 'Страница', max: 500, readonly: true }),
    address: text({ label: 'Адрес в сети', max: 64, readonly: true }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: acceptedAccess,
  title: 'name',
  sort: '-id',
})
