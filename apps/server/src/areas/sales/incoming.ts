/** Parses leads sent from outside. No data is lost: anything unmatched goes into the message. */
import { brandOf, type Touch } from '@ordinator/model/areas/sales/brands'
import { LeadRequest } from '@ordinator/model/areas/sales/intake'
import type { Row } from '@ordinator/model/entity'
import { phonesIn } from '@ordinator/model/phone'

const MAX_NAME = 255
const MAX_MESSAGE = 5000
const MAX_PAGE = 2000
const MAX_MARK = 255
const MAX_MARKS = 20
/** Maximum number of unknown fields that are kept. */
const MAX_EXTRA = 30

export type Incoming = Pick<
  Row<typeof LeadRequest>,
  'name' | 'phone' | 'email' | 'message' | 'page' | 'utm' | 'brand'
> & {
  touch: Touch
}

/** Synonyms of field names in forms and services. */
const names: Record<string, string> = {
  name: 'name',
  fio: 'name',
  имя: 'name',
  фио: 'name',
  phone: 'phone',
  tel: 'phone',
  phone_number: 'phone',
  mobile: 'phone',
  телефон: 'phone',
  email: 'email',
  mail: 'email',
  почта: 'email',
  message: 'message',
  comment: 'message',
  text: 'message',
  сообщение: 'message',
  комментарий: 'message',
  вопрос: 'message',
  page: 'page',
  url: 'page',
  referrer: 'referrer',
  referer: 'referrer',
}

/** «Ваш телефон *», `your-name`, `Phone_Number` → the meant field name. */
function nameOf(key: string): string | undefined {
  const plain = key
    .toLowerCase()
    .replace(/[*:]/g, '')
    .trim()
    .replace(/^(?:ваше?а?|your|введите|контактный|form)[\s_-]+/, '')
    .replace(/[\s-]+/g, '_')
  return Object.hasOwn(names, plain) ? names[plain] : undefined
}

/** Whether a site builder only tests its address: `test=test`, and no visitor data. */
export function isProbe(fields: Readonly<Record<string, unknown>>): boolean {
  const { test, ...rest } = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]))
  return test === 'test' && Object.keys(rest).every((key) => nameOf(key) === undefined && key !== 'contacts')
}

/**
 * @param fields by the sender's names, case-insensitive; `contacts: { name, phone }` counts as the fields within; lists
 * and other objects but `utm` are kept as JSON
 */
export function incoming(fields: Readonly<Record<string, unknown>>): Incoming {
  const known: Record<string, string> = {}
  const utm: Record<string, string> = {}
  const rest: string[] = []
  const within = Object.entries(fields).flatMap(([key, raw]) =>
    ['contacts', 'contact'].includes(key.toLowerCase()) && isObject(raw) ? Object.entries(raw) : [[key, raw] as const],
  )
  for (const [key, raw] of within.slice(0, 200)) {
    const lower = key.toLowerCase()
    if (lower === 'utm' && isObject(raw)) {
      for (const [mark, value] of Object.entries(raw)) takeMark(utm, mark.replace(/^(?!utm_)/i, 'utm_'), clean(value))
      continue
    }
    const value = clean(raw)
    if (value === '' || takeMark(utm, lower, value)) continue
    const name = nameOf(key)
    if (name && known[name] === undefined) known[name] = value
    else if (rest.length < MAX_EXTRA) rest.push(`${clean(key).slice(0, 64)}: ${value}`)
  }
  for (const [mark, value] of marksOf(known.page)) if (!utm[mark]) takeMark(utm, mark, value)

  const phone = known.phone === undefined ? undefined : phonesIn(known.phone.normalize('NFKC')).phones[0]
  const email = known.email === undefined ? undefined : checkedEmail(known.email)
  const lines = [
    known.message,
    known.phone !== undefined && !phone ? `Телефон: ${known.phone}` : undefined,
    known.email !== undefined && !email ? `Почта: ${known.email}` : undefined,
    known.name !== undefined && [...known.name].length > MAX_NAME ? `Имя: ${known.name}` : undefined,
    ...rest,
  ].filter(Boolean)
  const touch: Touch = { utm, referrer: known.referrer, page: known.page }
  return {
    name: cut(known.name, MAX_NAME),
    phone: phone ?? null,
    email: email ?? null,
    message: cut(lines.join('\n'), MAX_MESSAGE),
    page: cut(known.page, MAX_PAGE),
    utm: Object.keys(utm).length ? utm : null,
    brand: brandOf(touch) ?? null,
    touch,
  }
}

function checkedEmail(written: string): string | undefined {
  const checked = LeadRequest.fields.email.check(written)
  return checked.ok && checked.value !== '' ? checked.value : undefined
}

/** Visitor ids of Яндекс: the click id, and the counter's client id. */
const visitorMarks: Readonly<Record<string, string>> = {
  _ym_uid: 'ym_client_id',
  ym_uid: 'ym_client_id',
  ym_client_id: 'ym_client_id',
  yclid: 'yclid',
}

/** Stores a UTM mark or a visitor id; the first of a name wins. @returns whether it was one */
function takeMark(utm: Record<string, string>, key: string, value: string): boolean {
  const lower = key.toLowerCase()
  const mark = visitorMarks[lower] ?? lower
  if (!/^(?:utm_[a-z_]{1,32}|yclid|ym_client_id)$/.test(mark)) return false
  if (value && utm[mark] === undefined && Object.keys(utm).length < MAX_MARKS) utm[mark] = value.slice(0, MAX_MARK)
  return true
}

const marksOf = (page: string | undefined): Iterable<[string, string]> =>
  [...(URL.parse(page ?? '')?.searchParams ?? [])].map(([key, value]) => [key, clean(value)])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text without characters that PostgreSQL rejects or that are unprintable. */
function clean(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, (c) => (c === '\n' || c === '\t' ? c : ''))
    .trim()
}

const cut = (text: string | undefined, max: number): string | null =>
  text ? (text.length > max ? [...text].slice(0, max).join('') : text) : null
