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

/** Names under which forms and services send the same thing, without what `nameOf` removes. */
const names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    name: 'name fio full_name fullname имя фио имя_и_фамилия имя_фамилия как_вас_зовут как_к_вам_обращаться',
    surname: 'surname last_name lastname фамилия',
    firstName: 'first_name firstname',
    middleName: 'middle_name middlename patronymic отчество',
    phone: 'phone tel telephone mobile телефон телефона тел мобильный phone_number phonenumber whatsapp',
    email: 'email e_mail mail почта электронная_почта эл_почта электронной_почты имейл',
    message: 'message comment comments text question сообщение комментарий вопрос',
    page: 'page url',
    referrer: 'referrer referer',
  }).flatMap(([name, keys]) => keys.split(' ').map((key) => [key, name] as const)),
)

/** Words before and after a name: «Ваш телефон для связи *», `client_phone_1`. */
const BEFORE =
  /^(?:(?:ваш[еаи]?|your|введите|укажите|контактн(?:ый|ая|ое)|мобильный|моб|номер|адрес|form|user|client|customer|billing|lead|field|contact)_)+/
const AFTER = /_(?:для_связи|клиента|пациента|number|1)$/

/** «Ваш телефон *», `your-name`, `Phone_Number`, `contacts[phone]` → the name that the form means. */
function nameOf(key: string): string | undefined {
  const plain = (/\[([^\][]+)\](?:\[\d*\])?$/.exec(key)?.[1] ?? key)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*:.?!()]/g, '')
    .trim()
    .replace(/[\s-]+/g, '_')
  return [plain, plain.replace(BEFORE, '').replace(AFTER, '')]
    .map((one) => (Object.hasOwn(names, one) ? names[one] : undefined))
    .find((name) => name !== undefined)
}

/** Whether a site builder only tests its address: `test=test`, and no visitor data. */
export function isProbe(fields: Readonly<Record<string, unknown>>): boolean {
  const { test, ...rest } = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]))
  return test === 'test' && Object.keys(rest).every((key) => nameOf(key) === undefined && key !== 'contacts')
}

/** @param fields by the sender's names, in any case of letters; `contacts: { name, phone }` and lists of
 * fields count as the fields within; other lists and other objects but `utm` are kept as JSON */
export function incoming(fields: Readonly<Record<string, unknown>>): Incoming {
  const known: Record<string, string> = {}
  const utm: Record<string, string> = {}
  const rest: string[] = []
  const within = Object.entries(fields).flatMap(([key, raw]) => {
    if (!['contacts', 'contact', 'data', 'fields'].includes(key.toLowerCase())) return [[key, raw] as const]
    const parts = Array.isArray(raw) ? raw : [raw]
    return parts.every(isObject) ? parts.flatMap(pairsOf) : [[key, raw] as const]
  })
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

  const { surname, firstName, middleName } = known
  const whole = [surname, known.name ?? firstName, middleName].filter(Boolean).join(' ')
  if (whole) known.name = whole
  const { phones, note } = phonesIn((known.phone ?? '').normalize('NFKC'))
  const [phone] = phones
  const isMore = phones.length > 1 || note !== ''
  const email = known.email === undefined ? undefined : checkedEmail(known.email)
  const lines = [
    known.message,
    known.phone !== undefined && isMore ? `Телефон: ${known.phone}` : undefined,
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

/** Fields of an object; `{ type: 'phone', value: '…' }` and `{ name: 'Телефон', value: '…' }` are one field. */
function pairsOf(part: Record<string, unknown>): (readonly [string, unknown])[] {
  const key = part.type ?? part.name ?? part.title
  return typeof key === 'string' && 'value' in part ? [[key, part.value]] : Object.entries(part)
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
