/** What an outside source says, read for what it means: nothing of it is trusted, and as little as can be is refused. */
import { MAX_TITLE } from '@ordinator/model/areas/news/news'
import { type NewsSource, newsSources } from '@ordinator/model/areas/news/source'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { ValidationError } from '#platform/errors.ts'
import { escaped, sanitize, whyNotCleaned } from '#records/sanitize.ts'

/** Pictures of one news item that are fetched. */
const MAX_IMAGES = 20
const MAX_TEXT = 190_000
const MAX_URL = 2000
const MAX_ID = 255
/** Of a title that is made of the text's first words. */
const SHORT_TITLE = 120

export interface IncomingImage {
  url: string
  /** The source's own number of the picture. */
  idExternal?: string
}

export interface Incoming {
  title: string
  text: string | null
  /** When the source published it; absent: now. */
  dateCreate?: string
  images: IncomingImage[]
  /** Addresses of pictures that are not fetched: too many, or none that one could ask. */
  left: number
}

/** @throws ValidationError when there is neither a title nor a text nor a picture */
export function incoming(told: Readonly<Record<string, unknown>>, source: NewsSource): Incoming {
  const html = htmlOf(told.text)
  const words = wordsOfHtml(html)
  const given = Array.isArray(told.images) ? told.images.map(imageOf) : []
  const images = given.filter((image) => image !== undefined).slice(0, MAX_IMAGES)
  const said = clean(told.title).slice(0, MAX_TITLE) || firstWords(words)
  if (!said && images.length === 0)
    throw new ValidationError([{ field: 'text', message: 'Нужен заголовок, текст или картинка' }])
  const link = urlOf(told.url)
  const from = link && `<p><a href="${escaped(link)}">Источник: ${newsSources[source]}</a></p>`
  const dateCreate = dateOf(told.date)
  return {
    title: said || `Новость: ${newsSources[source]}`,
    text: html + (from ?? '') || null,
    ...(dateCreate ? { dateCreate } : {}),
    images,
    left: given.length - images.length,
  }
}

/** HTML as it may be kept; a plain text becomes paragraphs. @throws ValidationError when it is not worth the cleaning */
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

/** The address as it is asked for; undefined: none, or not one of the web. */
function urlOf(given: unknown): string | undefined {
  const url = typeof given === 'string' && given.length <= MAX_URL ? URL.parse(given.trim()) : null
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL ? url.href : undefined
}

/** ISO 8601, or seconds or milliseconds since 1970; what is no time, or is yet to come, says nothing. */
function dateOf(given: unknown): string | undefined {
  const number = typeof given === 'number' ? given : Number.NaN
  const at = Number.isNaN(number) ? Date.parse(String(given)) : number < 1e11 ? number * 1000 : number
  return at > 0 && at <= Date.now() ? new Date(at).toISOString() : undefined
}
