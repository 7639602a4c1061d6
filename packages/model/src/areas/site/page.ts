import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { siteAccess } from './access.ts'
import { type Block, checkBlocks, SITE_FILES } from './blocks.ts'
import { documentKinds } from './documentKinds.ts'

export const pagePlaces = { none: 'Нигде', menu: 'В меню', footer: 'В подвале', both: 'В меню и в подвале' } as const

/** Reserved addresses of the site. */
const ownAddresses: ReadonlySet<string> = new Set([
  'services',
  'doctors',
  'prices',
  'filials',
  'news',
  'documents',
  'policy',
  'search',
  'forms',
  'media',
  'files',
  'sitemap',
  'robots',
  'portal',
  'thanks',
  'fonts',
  'intake',
  'live-assist',
])

export function slugError(slug: string): string | undefined {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(slug))
    return 'Маленькие латинские буквы, цифры и дефис: o-klinike'
  return ownAddresses.has(slug.split('/')[0] as string) ? 'Этот адрес занят самим сайтом' : undefined
}

/** Fields of a page that are drafted and published together. */
const contents = () => ({
  title: text({ label: 'Название', required: true, max: 160, search: true }),
  slug: text({
    label: 'Адрес на сайте',
    help: 'Маленькими латинскими буквами: o-klinike',
    max: 120,
    search: true,
    rule: (value) => (value === '' ? undefined : slugError(value)),
  }),
  blocks: json<Block[]>()({
    label: 'Блоки',
    rule: (value) => checkBlocks(value).errors[0]?.message,
  }),
  seoTitle: text({ label: 'Заголовок для поисковиков', help: 'Пусто — название страницы', max: 160 }),
  seoDescription: text({ label: 'Описание для поисковиков', max: 300, multiline: true }),
  noIndex: boolean({ label: 'Не показывать поисковикам', default: false }),
  place: choice(pagePlaces, { label: 'Где ссылка на неё', default: 'none' }),
})

/** A page of the clinic's site. Saving changes the draft: visitors see the last published version. */
export const SitePage = entity('client/pages', {
  label: ['Страница', 'страницы', 'страниц'],
  gender: 'f',
  registry: {
    columns: ['title', 'slug', 'publishedNumber', 'isChanged', 'place', 'dateChange'],
    form: ['title', 'slug', 'place', 'seoTitle', 'seoDescription', 'noIndex'],
    empty: { title: 'Страниц пока нет', text: 'Добавьте первую: «О клинике», «Контакты», «Акции»' },
  },
  fields: {
    ...contents(),
    /** The page at the site's root. */
    isHome: boolean({ label: 'Главная', readonly: true, default: false }),
    order: position({ group: [], start: 'last' }),
    publishedNumber: integer({ label: 'Опубликована версия', readonly: true, min: 1 }),
    /** The draft differs from the published version. */
    isChanged: boolean({ label: 'Есть неопубликованное', readonly: true, default: true }),
    datePublished: dateTime({ label: 'Опубликована', readonly: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  many: { versions: many('client/versions', 'idPage'), files: many('client/page-files', 'idPage') },
  access: siteAccess,
  kept: ({ isHome }: { isHome: boolean }) => (isHome ? 'Главную страницу удалить нельзя' : undefined),
  title: 'title',
  sort: '-isHome,order',
  unique: [['slug']],
  soft: true,
})

/** A published version of a page, immutable. Visitors see the current one. */
export const SiteVersion = entity('client/versions', {
  label: ['Версия страницы', 'версии страницы', 'версий страницы'],
  gender: 'f',
  fields: {
    idPage: ref('client/pages', { label: 'Страница', as: 'page', required: true, readonly: true, onDelete: 'cascade' }),
    number: integer({ label: 'Номер', required: true, readonly: true, min: 1 }),
    title: text({ label: 'Название', required: true, readonly: true, max: 160, search: true }),
    slug: text({ label: 'Адрес на сайте', readonly: true, max: 120 }),
    blocks: json<Block[]>()({ label: 'Блоки', readonly: true, required: true }),
    seoTitle: text({ label: 'Заголовок для поисковиков', readonly: true, max: 160 }),
    seoDescription: text({ label: 'Описание для поисковиков', readonly: true, max: 300 }),
    noIndex: boolean({ label: 'Не показывать поисковикам', readonly: true, default: false }),
    place: choice(pagePlaces, { label: 'Где ссылка на неё', readonly: true, default: 'none' }),
    isCurrent: boolean({ label: 'Видна сейчас', readonly: true, default: false }),
    /** Stored files on it: public. */
    files: refs(SITE_FILES, { label: 'Файлы', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Опубликована', auto: 'created' }),
    idUser: ref('users', { label: 'Кто опубликовал', as: 'user', auto: 'actor' }),
  },
  access: { view: siteAccess.view },
  within: 'idPage',
  unique: [['idPage', 'number']],
  title: 'title',
  sort: '-number',
})

/** A picture or document of the site. Visitors can load only files of published pages. */
export const SiteFile = storedFiles(SITE_FILES, {
  label: ['Файл сайта', 'файла сайта', 'файлов сайта'],
  many: {
    pages: many('client/page-files', 'idFile'),
    documents: many('client/documents', 'idFile'),
    logos: many('client/theme', 'idLogo'),
  },
  access: { view: siteAccess.view, delete: siteAccess.delete },
  upload: {
    category: 'site',
    access: siteAccess.create,
    accept: ['image', 'document', 'excel', 'pdf'],
    extensions: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'pdf', 'docx', 'xlsx'],
  },
})

/** Files used by a page, including drafts and former versions: these are kept. */
export const SitePageFile = attachment('client/page-files', {
  label: ['Файл страницы', 'файла страницы', 'файлов страницы'],
  of: {
    idPage: ref('client/pages', { label: 'Страница', as: 'page', required: true, fixed: true, onDelete: 'cascade' }),
  },
  within: 'idPage',
  files: SITE_FILES,
  access: { view: siteAccess.view },
})

/** A redirect: of a moved page, of a former site. */
export const SiteRedirect = entity('client/redirects', {
  label: ['Переадресация', 'переадресации', 'переадресаций'],
  gender: 'f',
  registry: {
    columns: ['from', 'to', 'dateCreate'],
    form: ['from', 'to'],
    empty: {
      title: 'Переадресаций нет',
      text: 'Когда у опубликованной страницы меняется адрес, прежний начинает вести на новый сам',
    },
  },
  fields: {
    from: text({ label: 'Откуда', help: 'Адрес на сайте: /o-nas', required: true, max: 300, search: true }),
    to: text({ label: 'Куда', help: 'Адрес на сайте или https://…', required: true, max: 500, search: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
  },
  access: siteAccess,
  unique: [['from']],
  title: 'from',
  sort: 'from',
  soft: true,
})

/** A document of the clinic for visitors: a licence, a contract, rules. */
export const SiteDocument = entity('client/documents', {
  branchBy: 'common',
  label: ['Документ', 'документа', 'документов'],
  gender: 'm',
  registry: {
    columns: ['title', 'kind', 'number', 'date', 'isPublished', 'dateChange'],
    form: ['title', 'kind', 'number', 'date', 'validTo', 'idFilial', 'description', 'idFile', 'isPublished'],
    empty: { title: 'Документов пока нет', text: 'Добавьте лицензию, прайс-лист, договор и правила' },
  },
  fields: {
    title: text({ label: 'Название', required: true, max: 300, search: true }),
    kind: choice(documentKinds, { label: 'Что это', required: true }),
    number: text({ label: 'Номер', max: 64 }),
    date: date({ label: 'Дата' }),
    validTo: date({ label: 'Действует до', help: 'После этого дня с сайта уходит' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — клиники', onDelete: 'set null' }),
    description: text({ label: 'Описание', max: 2000, multiline: true }),
    idFile: ref(SITE_FILES, { label: 'Файл', as: 'file', onDelete: 'restrict', whenDeleted: 'own' }),
    isPublished: boolean({ label: 'Опубликован', default: false }),
    order: position({ group: ['kind'], start: 'last' }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: siteAccess,
  title: 'title',
  sort: 'kind,order',
  soft: true,
})
