/** Parsing of posts from outside sources: untrusted input, rejected as rarely as possible. */
import { MAX_TITLE } from '@ordinator/model/areas/news/news'
import { type NewsSource, newsSources } from '@ordinator/model/areas/news/source'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { ValidationError } from '#platform/errors.ts'
import { escaped, sanitize, whyNotCleaned } from '#records/sanitize.ts'

/** Maximum number of downloaded pictures per news item. */
const MAX_IMAGES = 20
const MAX_TEXT = 190_000
const MAX_URL = 2000
const MAX_ID = 255
/** Maximum length of a title derived from the text. */
const SHORT_TITLE = 120

export interface IncomingImage {
  url: string
  /** The source's own id of the picture. */
  idExternal?: string
}

export interface Incoming {
  title: string
  text: string | null
  /** Time of publication at the source; absent: now. */
  dateCreate?: string
  images: IncomingImage[]
  /** Number of pictures not downloaded: above the limit, or with an invalid address. */
  left: number
}

/** @throws ValidationError without a title, a text and a picture */
export function incoming(body: Readonly<Record<string, unknown>>, source: NewsSource): Incoming {
  const html = htmlOf(body.text)
  const words = wordsOfHtml(html)
  const given = Array.isArray(body.images) ? body.images.map(imageOf) : []
  const images = given.filter((image) => image !== undefined).slice(0, MAX_IMAGES)
  const title = clean(body.title).slice(0, MAX_TITLE) || firstWords(words)
  if (!title && images.length === 0)
    throw new ValidationError([{ field: 'text', message: 'Нужен заголовок, текст или картинка' }])
  const link = urlOf(body.url)
  const from = link && `<p><a href="${escaped(link)}">Источник: ${newsSources[source]}</a></p>`
  const dateCreate = dateOf(body.date)
  return {
    title: title || `Новость: ${newsSources[source]}`,
    text: html + (from ?? '') || null,
    ...(dateCreate ? { dateCreate } : {}),
    images,
    left: given.length - images.length,
  }
}

/** Sanitised HTML; a plain text becomes paragraphs. @throws ValidationError when sanitising would cost too much */
function htmlOf(given: unknown): string {
  const text = clean(given).slice(0, MAX_TEXT)
  if (/<\/?[a-z!][^<]*>/i.test(text)) {
    const message = whyNotCleaned(text)
    if (message) throw new ValidationError([{ field: 'text', message }])
    return sanitize(text)
  }
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim())
    .map((part) => `<p>${part.trim().split('\n').map(escaped).join('<br />')}</p>`)
    .join('')
}

const clean = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed().trim() : ''

function firstWords(words: string): string {
  if (words.length <= SHORT_TITLE) return words
  return `${words.slice(0, SHORT_TITLE).replace(/\s+\S*$/, '')}…`
}

function imageOf(given: unknown): IncomingImage | undefined {
  const { id, url } = (typeof given === 'object' && given !== null ? given : { url: given }) as Record<string, unknown>
  const address = urlOf(url)
  const idExternal = typeof id === 'string' || typeof id === 'number' ? clean(String(id)).slice(0, MAX_ID) : ''
  return address ? { url: address, ...(idExternal ? { idExternal } : {}) } : undefined
}

/** The normalized address; undefined if it is none, or not http(s). */
function urlOf(given: unknown): string | undefined {
  const url = typeof given === 'string' && given.length <= MAX_URL ? URL.parse(given.trim()) : null
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL ? url.href : undefined
}

/** ISO 8601, or seconds or milliseconds since 1970; an invalid or future time is ignored. */
function dateOf(given: unknown): string | undefined {
  const number = typeof given === 'number' ? given : Number.NaN
  const at = Number.isNaN(number) ? Date.parse(String(given)) : number < 1e11 ? number * 1000 : number
  return at > 0 && at <= Date.now() ? new Date(at).toISOString() : undefined
}
