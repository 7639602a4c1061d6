/**
 * Masks personal data in a text before it leaves the clinic: names, phones, e-mails, СНИЛС, policies, passports,
 * addresses and dates of birth become marks such as «[Имя 1]», one mark per distinct value. Values known from the card and
 * patterns come first; then every word that the lexicon does not know to be harmless, and every long number without a
 * harmless meaning. Pure. A wrong mask costs a worse summary, a leak breaks the law (152-ФЗ).
 */
import type { Lexicon } from './lexicon.ts'
import { plainWord } from './lexicon.ts'
import { namesIn } from './maskNames.ts'
import { B, E, GONE, HOUSE, type MaskKind, maskKinds, NUMERAL, patterns } from './maskPatterns.ts'
import { longNumbers, unknownWords } from './unknownWords.ts'

/** A known value of a person in the text. Names are found in any case by their stems. */
export interface Known {
  kind: MaskKind
  value: string
}

/** A masked value: its position in the original text, and its mark. */
export interface Masked {
  kind: MaskKind
  mark: string
  value: string
  from: number
  to: number
}

export interface MaskResult {
  /** The masked text. */
  text: string
  /** In text order. */
  found: Masked[]
}

interface Span {
  kind: MaskKind
  from: number
  to: number
}

/**
 * @param lexicon dictionary entries of the words of the text (`wordsOf`)
 * @param known values of the card and of the involved staff; empty ones are ignored
 */
export function maskPersonal(text: string, lexicon: Lexicon, known: readonly Known[] = []): MaskResult {
  const spans: Span[] = []
  let rest = text
  const take = (kind: MaskKind, from: number, to: number) => {
    // Exclude spaces and commas at the ends.
    while (from < to && /[\s,]/.test(rest[from] as string)) from++
    while (to > from && /[\s,]/.test(rest[to - 1] as string)) to--
    // A mask never cuts a word or a number.
    while (to < rest.length && /[\p{L}\p{N}]/u.test(rest[to - 1] as string) && /[\p{L}\p{N}]/u.test(rest[to] as string))
      to++
    while (from > 0 && /[\p{L}\p{N}]/u.test(rest[from] as string) && /[\p{L}\p{N}]/u.test(rest[from - 1] as string))
      from--
    if (from >= to || rest.slice(from, to).includes(GONE)) return
    spans.push({ kind, from, to })
    rest = rest.slice(0, from) + GONE.repeat(to - from) + rest.slice(to)
  }
  const takeAll = (kind: MaskKind, find: RegExp) => {
    for (const match of rest.matchAll(find)) {
      const place = match.indices?.groups?.it ?? match.indices?.[0]
      if (place) take(kind, ...place)
    }
  }
  for (const one of known) for (const find of ofKnown(one)) takeAll(one.kind, find)
  for (const { kind, find } of patterns) takeAll(kind, find)
  for (const [from, to] of namesIn(rest)) take('name', from, to)
  for (const { kind, from, to } of unknownWords(rest, lexicon)) take(kind, from, to)
  // A full date right after a name is a birthday.
  takeAll('birthday', new RegExp(`${GONE}[,\\s(]{1,3}(?<it>\\d{1,2}[./-]\\d{1,2}[./-](?:19|20)\\d{2})(?!\\d)`, 'gud'))
  // A year of birth by words after a name: «ковалева светлана девяносто первого года».
  takeAll(
    'birthday',
    new RegExp(
      `${GONE}[,\\s]{1,3}(?<it>(?:(?:${NUMERAL}|[а-яё]{4,}(?:ого|его|ьего)|тысяч[аи])\\s+){1,6}года)(?![\\p{L}])`,
      'giud',
    ),
  )
  // The house beside a street that was masked as a name: «Ленина 5 кв 7».
  takeAll('address', new RegExp(`${GONE},?\\s{1,2}(?<it>(?:д(?:ом)?\\.?\\s?)?\\d{1,4}\\s?[а-я]?(?:${HOUSE})+)`, 'giud'))
  takeAll('address', new RegExp(`${B}(?<it>кв(?:артира)?\\.?\\s?№?\\s?\\d+)${E}`, 'giud'))
  for (const [from, to] of longNumbers(rest)) take('number', from, to)
  return marked(text, spans)
}

function marked(text: string, spans: Span[]): MaskResult {
  spans.sort((a, b) => a.from - b.from)
  // Merges adjacent parts of one name.
  const whole = spans.reduce<Span[]>((all, span) => {
    const last = all.at(-1)
    if (last?.kind === 'name' && span.kind === 'name' && /^[ \t\u00a0]+$/.test(text.slice(last.to, span.from)))
      last.to = span.to
    else all.push({ ...span })
    return all
  }, [])
  const marks = new Map<string, string>()
  const counts = new Map<MaskKind, number>()
  const found: Masked[] = []
  let out = ''
  let at = 0
  for (const { kind, from, to } of whole) {
    const value = text.slice(from, to)
    const key = `${kind} ${keyOf(kind, value)}`
    let mark = marks.get(key)
    if (!mark) {
      const number = (counts.get(kind) ?? 0) + 1
      counts.set(kind, number)
      mark = `[${maskKinds[kind]} ${number}]`
      marks.set(key, mark)
    }
    found.push({ kind, mark, value, from, to })
    out += text.slice(at, from) + mark
    at = to
  }
  return { text: out + text.slice(at), found }
}

/** Key shared by spellings of one value: «Иванову» and «Иванов», «+7 912…» and «8912…». */
function keyOf(kind: MaskKind, value: string): string {
  if (kind === 'name')
    return value
      .split(/[\s.]+/)
      .map((word) =>
        plainWord(word).replace(/(?<=..)(?:ого|ому|ыми?|ими?|ой|ей|ем|ом|ая|ую|ий|ый|[аеиоуыэюяйь])$/u, ''),
      )
      .join(' ')
  if (kind === 'phone') {
    const digits = value.replace(/\D/g, '')
    if (digits.length >= 10) return digits.slice(-10)
  }
  return value.replace(/[\s().-]/g, '').toLowerCase()
}

const MARK = new RegExp(`\\[(?:${Object.values(maskKinds).join('|')}) \\d+\\]`, 'gu')

/** Replaces marks in an answer by their values, only where a mark is; a mark that was not sent stays. */
export function unmask(text: string, found: readonly Pick<Masked, 'mark' | 'value'>[]): string {
  const values = new Map(found.map(({ mark, value }) => [mark, value]))
  return text.replace(MARK, (mark) => values.get(mark) ?? mark)
}

/** Marks of an answer that were not sent: the model has made them up. */
export function strangeMarks(text: string, found: readonly Pick<Masked, 'mark'>[]): string[] {
  const sent = new Set(found.map(({ mark }) => mark))
  return [...new Set(text.match(MARK))].filter((mark) => !sent.has(mark))
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ого|ому|ыми?|ими?|ой|ей|ем|ом|ая|ую|ий|ый|[аеёиоуыэюяйь])$/u, '') : word

/** Patterns that find a known value in any spelling. */
function ofKnown({ kind, value }: Known): RegExp[] {
  const trimmed = value.trim()
  if (trimmed.length < 2) return []
  if (kind === 'name')
    return trimmed
      .split(/\s+/)
      .filter((word) => word.length > 1 && /^[\p{L}'’-]+$/u.test(word))
      .map((word) => {
        const stem = stemOf(word)
        // A short name may be a common word, so its case must match: «Ким», «Рак».
        const flags = word.length >= 5 ? 'gid' : 'gd'
        const loose = escaped(stem).replace(/[её]/giu, '[её]')
        const end = stem === word && word.length < 5 ? '(?:[ауеоы]|ом|ым)?' : '[а-яё]{0,3}'
        return new RegExp(`${B}${loose}${end}${E}`, `${flags}u`)
      })
  if (kind === 'birthday') return ofBirthday(trimmed)
  const digits = trimmed.replace(/\D/g, '')
  if (kind === 'phone' && digits.length >= 10)
    return [new RegExp(`(?:\\+?[78][\\s().–—-]*)?${spaced(digits.slice(-10))}(?!\\d)`, 'gdu')]
  if (digits.length >= 6 && kind !== 'address' && kind !== 'email')
    return [new RegExp(`(?<!\\d)${spaced(digits)}(?!\\d)`, 'gdu')]
  return [new RegExp(`${B}${escaped(trimmed).replace(/\s+/g, '\\s+')}${E}`, 'gidu')]
}

const spaced = (digits: string): string => [...digits].join('[\\s().–—-]*')

const MONTHS = [
  'январ',
  'феврал',
  'март',
  'апрел',
  'ма',
  'июн',
  'июл',
  'август',
  'сентябр',
  'октябр',
  'ноябр',
  'декабр',
]
/** @param day `YYYY-MM-DD` */
function ofBirthday(day: string): RegExp[] {
  const [year = '', month = '', date = ''] = day.split('-')
  if (!/^\d{4}$/.test(year)) return []
  const d = `0?${Number(date)}`
  const m = `0?${Number(month)}`
  return [
    new RegExp(`(?<!\\d)${d}[./-]${m}[./-](?:${year}|${year.slice(2)})(?!\\d)`, 'gdu'),
    new RegExp(`(?<!\\d)${year}-${month}-${date}(?!\\d)`, 'gdu'),
    new RegExp(
      `(?<!\\d)${d}(?:-?го)?\\s+${MONTHS[Number(month) - 1]}[а-яё]*(?:\\s+${year}(?:\\s*(?:года|г\\.))?)?`,
      'gidu',
    ),
  ]
}
