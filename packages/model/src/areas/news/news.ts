import { comments } from '../../comments.ts'
import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { fileRef, storedFiles } from '../../storedFile.ts'
import { newsSources } from './source.ts'

/**
 * Readers see active news (the server's scope limits the rows); editing needs its own permission. Users with neither
 * read active news only in the dashboard's panel, by its own calls.
 */
const newsAccess = {
  view: ['displayTableNews', 'editNews'],
  create: 'editNews',
  update: 'editNews',
  delete: 'editNews',
} as const

export const MAX_TITLE = 10_000

export const News = entity('news', {
  label: ['Новость', 'новости', 'новостей'],
  fields: {
    /** Id at the outside source; a repeated id changes nothing. */
    idExternal: text({ label: 'Внешний номер', max: 255, readonly: true }),
    title: text({ label: 'Заголовок', required: true, max: MAX_TITLE, multiline: true, search: true }),
    text: richText({ label: 'Текст' }),
    dateCreate: dateTime({ label: 'Дата', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    source: choice(newsSources, { label: 'Источник', default: 'site' }),
    active: boolean({ label: 'Активна', default: false }),
    isOnSite: boolean({ label: 'На сайте', help: 'Видна посетителям сайта клиники', default: false }),
    isPinned: boolean({ label: 'Закреплена', default: false }),
    /** Time of activation: the order of the feed, and the start of the reading deadline. */
    dateActive: dateTime({ label: 'Опубликована', readonly: true }),
    dateReminded: dateTime({ label: 'Напомнили', readonly: true }),
    idIntake: ref('news/intakes', { label: 'Приём', as: 'intake', readonly: true, onDelete: 'set null' }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor' }),
    isRead: boolean({ label: 'Прочитана мной', computed: true, required: true }),
    readsTotalCount: integer({ label: 'Прочитали', computed: true, lazy: true }),
    commentsTotalCount: integer({ label: 'Комментариев', computed: true, lazy: true }),
  },
  many: {
    images: many('news/images', 'idNews'),
    reads: many('news/reads', 'idNews'),
    comments: many('news/comments', 'idNews'),
  },
  access: newsAccess,
  title: 'title',
  sort: '-dateCreate',
  soft: true,
})

const ofNews = () => ref('news', { label: 'Новость', as: 'news', required: true, fixed: true, onDelete: 'cascade' })

/** An uploaded picture; its smaller copies are its previews. */
export const NewsFile = storedFiles('news/images/files', {
  label: ['Файл новости', 'файла новости', 'файлов новостей'],
  many: { images: many('news/images', 'idFileRegister') },
  access: { view: newsAccess.view, delete: 'editNews' },
  upload: {
    category: 'news',
    access: 'editNews',
    contents: 'signed-in',
    accept: ['image'],
    extensions: ['png', 'jpg', 'jpeg', 'webp', 'gif'],
    sizes: true,
  },
})

export const imageSizes = { small: 'Маленькая', medium: 'Средняя', large: 'Большая' } as const

/** One size of a picture of a news item. The sizes of one picture share their key (spec §3). */
export const NewsImage = entity('news/images', {
  label: ['Изображение новости', 'изображения новости', 'изображений новости'],
  fields: {
    idNews: ofNews(),
    idFileRegister: fileRef('news/images/files'),
    idExternal: text({ label: 'Внешний номер', max: 255, fixed: true }),
    size: choice(imageSizes, { label: 'Размер', required: true, fixed: true }),
    /** Address at the outside source. The picture is stored and served here, never from there. */
    urlExternal: text({ label: 'Внешний адрес', max: 2000, fixed: true }),
    key: text({ label: 'Ключ', required: true, max: 64, fixed: true }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created' }),
    url: text({ label: 'Адрес', computed: true, required: true }),
  },
  access: newsAccess,
  within: 'idNews',
  unique: [['idNews', 'key', 'size']],
  sort: 'id',
  soft: true,
})

/** A read mark of a news item. */
export const NewsRead = entity('news/reads', {
  label: ['Прочтение', 'прочтения', 'прочтений'],
  fields: {
    idNews: ref('news', { label: 'Новость', as: 'news', required: true, readonly: true, onDelete: 'cascade' }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, readonly: true, onDelete: 'cascade' }),
    dateRead: dateTime({ label: 'Прочитана', auto: 'created' }),
  },
  access: { view: newsAccess.view },
  unique: [['idNews', 'idUser']],
  sort: 'id',
  soft: true,
})

export const NewsComment = comments('news/comments', {
  label: ['Комментарий новости', 'комментария новости', 'комментариев новости'],
  of: { idNews: ofNews() },
  access: { view: newsAccess.view, create: newsAccess.view, update: newsAccess.view, delete: newsAccess.view },
})

/** Intake of news from an outside source: a signed webhook. */
export const NewsIntake = entity('news/intakes', {
  label: ['Приём новостей', 'приёма новостей', 'приёмов новостей'],
  fields: {
    name: text({ label: 'Название', required: true, max: 128 }),
    source: choice(newsSources, { label: 'Источник', required: true }),
    isActive: boolean({ label: 'Включён', default: true }),
    /** Publishes incoming news at once; otherwise an employee activates them. */
    publish: boolean({ label: 'Публиковать сразу', default: false }),
    /** Random part of the webhook's address. */
    key: text({ label: 'Ключ адреса', readonly: true, max: 64 }),
    /** True if it has a signing secret. The secret itself is shown once, when generated. */
    hasSecret: boolean({ label: 'Секрет задан', computed: true, required: true }),
    /** Author of its news. */
    idUser: ref('users', { label: 'Создатель', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
  },
  access: { ...newsAccess, view: newsAccess.update },
  title: 'name',
  sort: 'name',
  soft: true,
})
