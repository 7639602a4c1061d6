/**
 * Masks personal data in a text before it leaves the clinic: names, phones, e-mails, СНИЛС, policies, passports,
 * addresses and dates of birth become marks such as «[Имя 1]», one mark per distinct value. Values known from the card and
 * patterns come first; then every word that the lexicon does not know to be harmless, and every long number without a
 * harmless meaning. Pure. A wrong mask costs a worse summary, a leak breaks the law (152-ФЗ).
 */
import type { Lexicon } from './lexicon.ts'
import { plainWord } from './lexicon.ts'
import { firstNames, patronymics } from './names.ts'
import { longNumbers, type Token, tokensOf, unknownWords } from './unknownWords.ts'

export const maskKinds = {
  name: 'Имя',
  phone: 'Телефон',
  email: 'Почта',
  snils: 'СНИЛС',
  policy: 'Полис',
  passport: 'Документ',
  address: 'Адрес',
  birthday: 'Дата рождения',
  number: 'Номер',
} as const
export type MaskKind = keyof typeof maskKinds

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

/** Placeholder for already masked values in the working copy; does not occur in real text. */
const GONE = '\uE000'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
const MONTH = '(?:январ|феврал|март|апрел|ма[яей]|июн|июл|август|сентябр|октябр|ноябр|декабр)[а-яё]*'
const ORDINAL = '(?:[а-яё]+(?:ого|его|ое|ее|ьего|ье)\\s+)'
const DATE = [
  '\\d{1,2}[./-]\\d{1,2}[./-](?:\\d{4}|\\d{2})(?!\\d)',
  '\\d{4}-\\d{2}-\\d{2}',
  `\\d{1,2}(?:-?го)?\\s+${MONTH}(?:\\s+\\d{4})?(?:\\s+(?:года|г\\.))?`,
  `${ORDINAL}{1,2}?${MONTH}(?:(?:\\s+[а-яё]+){1,6}?\\s+года)?`,
].join('|')
const BORN =
  'дат[аыеуой]+\\s+рождения|родил(?:ся|ась|ись)|рожд(?:ени[яеюй]+|[её]н[аы]?|\\.)|день\\s+рождения|днюх[аи]|д\\.?\\s?р\\.?|г\\.\\s?р\\.?|born|birthday|date\\s+of\\s+birth|dob'

const NUMERAL =
  '(?:ноль|нуль|оди?н[а-я]*|дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|десять|[а-яё]+надцать|двадцать|тридцать|сорок|[а-яё]+десят|девяносто|сто|двести|[а-яё]{3,6}ста|[а-яё]{4,6}сот)(?![а-яё])'

const NAME_WORD = '(?:[А-ЯЁ0-9][\\p{L}\\p{N}-]*)'
const STREET_TYPE =
  '(?:ул(?:иц[аеуы])?|пр-?к?т|пр|просп(?:ект[аеу]?)?|пер(?:еул(?:ок|ка|ке))?|б-р|бульвар[ае]?|ш(?:оссе)?|наб(?:ережн(?:ая|ой|ую))?|пл(?:ощад[ьи])?|проезд[ае]?|мкрн?|микрорайон[ае]?|тупик[ае]?|аллея|аллее)'
const STREET_WORD =
  '(?:улиц[аеуы]|проспект[аеу]?|переул(?:ок|ка|ке)|бульвар[ае]?|шоссе|набережн(?:ая|ой|ую)|проезд[ае]?|микрорайон[ае]?)'
const HOUSE = `(?:,?\\s*(?:д(?:ом)?|к(?:орп(?:ус)?)?|стр(?:оение)?|кв(?:артира)?|подъезд|этаж|оф(?:ис)?)\\.?\\s*№?\\s*\\d+\\s?[а-яё]?(?![\\p{L}])(?:\\s?[/-]\\s?\\d+)?)`
const BARE_HOUSE = `(?:,?\\s*\\d+[а-яё]?(?![\\p{L}\\p{N}])(?:\\s?[/-]\\s?\\d+)?)`
const SPOKEN_HOUSE = `(?:,?\\s+(?:дом|корпус|квартира|строение|подъезд|этаж)\\s+(?:\\d+[а-яё]?|${NUMERAL}(?:\\s+${NUMERAL}){0,2}))`
const TOWN =
  '(?:(?<=^|[\\s,(])(?:с|х|ст-ца|аул|рп|пгт|р-н|обл|респ)\\.\\s?(?=[А-ЯЁ])|(?<!\\d\\s?)г\\.\\s?|гор(?:од[аеу]?|\\.)\\s+|пос(?:[её]л(?:ок|ка|ке)|\\.)\\s*|сел[оеа]\\s+|дер(?:евн[яеи]|\\.)\\s*|д\\.\\s+(?=[А-ЯЁ])|станиц[аеы]\\s+)[А-ЯЁ][\\p{L}-]+(?:\\s[А-ЯЁ][\\p{L}-]+)?'

interface Pattern {
  kind: MaskKind
  find: RegExp
}
const pattern = (kind: MaskKind, source: string, flags = 'giu'): Pattern => ({
  kind,
  find: new RegExp(source, `${flags}d`),
})

/** Patterns in this order; the named group `it`, if any, is masked. */
const patterns: readonly Pattern[] = [
  pattern('email', '[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+'),
  pattern('email', `${B}[\\p{L}\\p{N}._-]+\\s+собака\\s+[\\p{L}\\p{N}-]+\\s+точка\\s+\\p{L}{2,6}${E}`),
  pattern('email', `(?<![\\p{L}\\p{N}@.])@[a-z][a-z0-9_]{3,31}${E}`),
  pattern('email', `${B}(?:https?://)?(?:t\\.me|vk\\.com|wa\\.me)/[\\w.+-]+`),
  // Documents by their names.
  pattern('snils', `${B}снилс[^\\d\\n]{0,20}(?<it>\\d(?:[\\s.–—‑-]{0,3}\\d){10})${E}`),
  pattern(
    'policy',
    `${B}(?:полис\\p{L}*|омс|дмс|енп)[^\\d\\n]{0,30}?(?<it>(?:\\p{L}{1,4}[\\s-]?)?\\d(?:[\\s/-]?\\d){4,19})${E}`,
  ),
  pattern('passport', `${B}паспорт\\p{L}*[^\\d\\n]{0,40}?(?<it>\\d{2}\\s?\\d{2}[^\\d\\n]{0,20}?\\d{6})${E}`),
  pattern('passport', `${B}паспорт\\p{L}*[^\\d\\n]{0,40}?(?<it>\\d{2}\\s?\\d{7})${E}`),
  pattern('passport', `${B}сери[яиюей]+\\s*:?\\s*(?<it>\\d{2}\\s?\\d{2}[^\\d\\n]{0,20}?\\d{6})${E}`),
  pattern('passport', `${B}код\\p{L}*\\s+подразделения[^\\d\\n]{0,5}(?<it>\\d{3}\\s?-\\s?\\d{3})${E}`),
  pattern('passport', `${B}[IVXLC]{1,5}\\s?[-–—]\\s?[А-ЯЁ]{2}\\s*(?:№|N)?\\s*\\d{6}${E}`, 'gu'),
  pattern(
    'passport',
    `${B}(?:загран\\p{L}*|паспорт\\p{L}*|вид\\p{L}*\\s+на\\s+жительство|внж|свидетельств\\p{L}*|удостоверени\\p{L}*|военн\\p{L}*\\s+билет\\p{L}*|водительск\\p{L}*|права)[^\\d\\n]{0,20}?(?<it>(?:[\\p{L}\\d]{2,4}\\s?[-–—№]?\\s?№?\\s?)?\\d{4,8})${E}`,
  ),
  pattern('number', `${B}инн[^\\d\\n]{0,10}(?<it>\\d(?:\\s?\\d){9,11})${E}`),
  pattern(
    'number',
    `${B}(?:карт\\p{L}{0,2}|договор\\p{L}{0,2})\\s*(?:№|номер)\\s*(?<it>[\\p{L}\\d/-]*\\d[\\p{L}\\d/-]*)`,
  ),
  pattern(
    'number',
    `${B}(?:госномер|водительск\\p{L}+(?:\\s+\\p{L}+)?)[^\\d\\n]{0,10}(?<it>\\d{2}\\s?[\\p{L}\\d]{2}\\s?\\d{6})${E}`,
  ),
  // Documents by their format.
  pattern(
    'phone',
    `(?<![\\p{L}\\p{N}])(?:\\+\\s?7|8|7)[\\s().–—-]*\\d{3,5}[\\s().–—-]*\\d{1,3}[\\s().–—-]*\\d{2}[\\s().–—-]*\\d{2}(?!\\d)`,
  ),
  pattern('snils', `${B}\\d{3}[\\s.–—‑-]{1,3}\\d{3}[\\s.–—‑-]{1,3}\\d{3}[\\s.–—‑-]{0,3}\\d{2}${E}`),
  // A car: «а123вс 116», «A123BC716».
  pattern('number', `${B}[авекмнорстухabekmhopctyx]\\s?\\d{3}\\s?[авекмнорстухabekmhopctyx]{2}(?:\\s?\\d{2,3})?${E}`),
  pattern('phone', `${B}9\\d{2}[\\s().–—-]*\\d{3}[\\s.–—-]*\\d{2}[\\s.–—-]*\\d{2}${E}`),
  pattern('phone', '\\+\\d[\\d\\s().–—-]{7,18}\\d'),
  pattern('phone', `\\(\\d{3,5}\\)\\s*\\d{1,3}[\\s–—-]?\\d{2}[\\s–—-]?\\d{2}${E}`),
  pattern('phone', `${B}\\d{3}[-–—]\\d{2}[-–—]\\d{2}${E}`),
  pattern(
    'phone',
    `${B}(?:телефон\\p{L}{0,2}|тел\\.?|мобильн\\p{L}{2}|сотов\\p{L}{2}|номер)[^\\d\\n]{0,20}(?<it>\\d[\\d\\s().–—-]{3,16}\\d)${E}`,
  ),
  pattern('phone', `${B}(?:плюс\\s+)?${NUMERAL}(?:[\\s,-]+${NUMERAL}){5,}${E}`),
  pattern('policy', `${B}\\d{4}(?:[\\s-]?\\d{4}){3}${E}`),
  pattern('policy', `${B}\\d{16}${E}`),
  pattern('passport', `${B}\\d{2}\\s\\d{2}\\s?(?:№|N|номер)?\\s?\\d{6}${E}`),
  pattern('passport', `${B}\\d{4}\\s?(?:№|N|номер)?\\s?\\d{6}${E}`),
  pattern('snils', `${B}\\d{11}${E}`),
  pattern('birthday', `${B}(?:${BORN})[\\s:—–-]{0,4}(?<it>${DATE})`),
  pattern('birthday', `${B}(?<it>${DATE})\\s*(?:года?\\s+рожд|г\\.?\\s?р\\.|г\\.\\s?рожд|рождения)`),
  pattern('birthday', `${B}(?<it>(?:19|20)\\d{2})\\s*(?:года?\\s+рождения|г\\.?\\s?р\\.)`),
  pattern('birthday', `${B}родил(?:ся|ась)\\s+в\\s+(?<it>(?:19|20)\\d{2})`),
  // Addresses.
  pattern('address', `(?<![\\d])(?<it>\\d{6},\\s*(?:${TOWN})?)`, 'gu'),
  pattern(
    'address',
    `${B}(?:${TOWN},?\\s*)?${STREET_TYPE}\\.?\\s+(?:им(?:ени|\\.)\\s+)?${NAME_WORD}(?:\\s${NAME_WORD}){0,3}(?:${HOUSE}|${BARE_HOUSE})*`,
    'gu',
  ),
  pattern(
    'address',
    `${B}(?:[А-ЯЁ][а-яё-]+(?:ий|ый|ой|ая|ое|ому|ом|ого))\\s+(?:просп(?:ект[аеу]?)?|пр-т|пер(?:еул(?:ок|ка|ке))?|бульвар[ае]?|шоссе|улиц[аеуы]|ул|проезд[ае]?|набережн(?:ая|ой))\\.?(?:${HOUSE}|${BARE_HOUSE})*`,
    'gu',
  ),
  pattern('address', `${B}${STREET_WORD}(?:\\s+[\\p{L}\\p{N}-]+){1,3}?${SPOKEN_HOUSE}+`),
  pattern(
    'address',
    `${B}адрес\\p{L}*(?:\\s+(?:проживания|регистрации|прописки))?\\s*[:—–-]\\s*(?<it>[^\\n;${GONE}]{5,140}?\\d[^\\n;.${GONE}]{0,20})(?=[.;\\n]|$)`,
  ),
  pattern(
    'address',
    `${B}(?:прожива\\p{L}+|зарегистрирован\\p{L}*|прописан\\p{L}*|жив[уёе]т?)\\s+(?:по\\s+адресу\\s*:?\\s*|в\\s+|на\\s+)(?<it>(?:${TOWN}|[А-ЯЁ][а-яё-]{2,}(?:\\s[А-ЯЁ][а-яё-]{2,}){0,2})(?:,?\\s*(?:${HOUSE}|${BARE_HOUSE}))*)`,
    'gu',
  ),
  pattern('address', `${B}${TOWN}`, 'gu'),
  pattern(
    'address',
    `${B}(?:СНТ|ДНТ|ДНП|ТСН|ЖК|КП|СТ|ГСК|ЖСК)\\s+[«"]?[А-ЯЁ][\\p{L}-]+(?:\\s[А-ЯЁ][\\p{L}-]+)?[»"]?(?:,?\\s*(?:участ(?:ок|ка|ке)|уч\\.|дом|д\\.|корп\\p{L}*\\.?|гараж|бокс)\\s*№?\\s*\\d+\\p{L}?)*`,
    'gu',
  ),
  pattern(
    'address',
    `${B}${NAME_WORD},?\\s\\d{1,4}\\s?[а-яё]?(?![\\p{L}])(?:\\s?[/-]\\s?\\d+)?,?\\s*кв(?:артира)?\\.?\\s*№?\\s*\\d+${E}`,
    'gu',
  ),
  pattern('address', `${B}участ(?:ок|ка|ке)\\s*№?\\s*\\d+${E}`),
]

const SURNAME =
  /(?:ов|ев|ёв|ин|ын)(?:а|у|ым|ой|е|ы|ых)?$|(?:ск|цк)(?:ий|ого|ому|им|ом|ая|ой|ую|ие|их)$|(?:енко|швили|дзе|янц|ян|ян[ау]|ук|юк|ич|ко|ых|их)$/
/** Endings that mark a single word as a surname; no medical term has them. */
const LONE_SURNAME = /^.{2,}(?:(?:ов|ев|ёв)(?:а|у|ым|ой)?|(?:овск|евск|инск)(?:ий|ого|ому|им|ом|ая|ой|ую)|енко|швили)$/
/** Terms followed by an eponym: «рефлекс Павлова». */
const EPONYM =
  /^(?:болезн|синдром|симптом|проб|рефлекс|реакци|операци|метод|шкал|тест|индекс|способ|лини|треугольник|мышц|желез|пал[оа]ч|тельц|киш|аппарат|кольц|перелом|грыж|триад|пятн|узл|госпитал|больниц|институт|клиник|зон|точк|област|повязк|рентген|раствор|формул|диет)/
const STOP = new Set(
  'доктор врач пациент пациентка здравствуйте да нет алло добрый доброе добрая уважаемая уважаемый это меня мне вы я он она мы они и а но в на с к по за из от до у о об что как где когда клиника администратор оператор спасибо пожалуйста сегодня завтра вчера хорошо так вот ну если для при или не ни очень здесь там тут жалобы анамнез диагноз осмотр приём прием рекомендации назначения телефон паспорт снилс полис адрес дата мой моя моё ваш ваша ваше записать записаться хочу можно нужно слушаю говорит говорите приходите есть был была будет'.split(
    ' ',
  ),
)
const STRONG =
  /(?:меня|её|ее|его|как\s+вас|пациентк?[ауеи]*)\s+зовут|(?<![\p{L}])(?:фамилия|фио|ф\.\s?и\.\s?о\.?|имя|отчество|на\s+имя|зовут)(?![\p{L}])/giu
const WEAK =
  /(?<![\p{L}])(?:пациентк?[ауеойи]*|доктор[ауоме]*|врач[ауоме]*|господин[ау]?|госпож[аеиу]|гражданин[ау]?|гражданк[аеиу]|мам[аеуы]|пап[аеуы]|муж[ауем]*|жен[аеуы]|сын[ауом]*|доч(?:ь|ери))(?![\p{L}])/giu

interface Span {
  kind: MaskKind
  from: number
  to: number
}

/**
 * @param lexicon what the dictionaries say of the words of the text (`wordsOf`)
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

/** Replaces marks in an answer by their values, only where a mark stands; a mark that was not sent stays. */
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

const GENERIC_PATRONYMIC = /^\p{Lu}[\p{Ll}]+(?:ович|евич|ьич)(?:а|у|ем|е)?$|^\p{Lu}[\p{Ll}]+(?:овн|евн)(?:а|ы|е|у)$/u
const NOT_PATRONYMIC =
  /^(?:основн|виновн|невиновн|условн|духовн|греховн|верховн|кровн|любовн|дневн|ежедневн|плачевн|душевн|царевн|королевн|древн|ключев|бескровн|ревн|деревн|сыновн|равн|полн|ровн|харчевн|коровн)/
const isPatronymic = ({ word, low }: Token): boolean =>
  patronymics.has(low) || (GENERIC_PATRONYMIC.test(word) && !NOT_PATRONYMIC.test(low)) || /^(?:оглы|кызы)$/.test(low)

/** Positions of names: pairs of start and end. */
function namesIn(text: string): [number, number][] {
  const tokens = tokensOf(text)
  const isName = new Array<boolean>(tokens.length).fill(false)
  const gap = (at: number): string => text.slice((tokens[at] as Token).to, tokens[at + 1]?.from ?? text.length)
  const joins = (at: number): boolean => at >= 0 && at + 1 < tokens.length && /^[ \t\u00a0]+$/.test(gap(at))
  const isFree = ({ low }: Token): boolean => !STOP.has(low)
  for (const [at, token] of tokens.entries()) {
    if (isPatronymic(token)) {
      isName[at] = true
      const before = tokens[at - 1]
      // «мария ивановна»: a transcript without capitals.
      if (before && joins(at - 1) && (firstNames.has(before.low) || (before.isCapital && isFree(before))))
        isName[at - 1] = true
    } else if (token.isCapital && firstNames.has(token.low)) isName[at] = true
    else if (token.isCapital && !token.isFirst && LONE_SURNAME.test(token.low) && isFree(token)) {
      const before = tokens[at - 1]
      if (!(before && EPONYM.test(before.low))) isName[at] = true
    }
  }
  // Surnames next to names.
  for (const [at, token] of tokens.entries()) {
    if (!isName[at] || LONE_SURNAME.test(token.low)) continue
    const before = tokens[at - 1]
    const after = tokens[at + 1]
    if (before && joins(at - 1) && !isName[at - 1] && isFree(before)) {
      const isSurname = SURNAME.test(before.low) && before.low.length > 3
      if (before.isCapital ? isSurname || !before.isFirst : isSurname && !token.isCapital) isName[at - 1] = true
    }
    if (
      after &&
      joins(at) &&
      !isName[at + 1] &&
      isFree(after) &&
      (after.isCapital ||
        (SURNAME.test(after.low) && !token.isCapital && after.low.length > 3 && isPatronymicOrFirst(token)))
    )
      isName[at + 1] = true
  }
  // Persons introduced by a title or a phrase.
  for (const match of text.matchAll(STRONG)) introduce(match.index + match[0].length, true)
  for (const match of text.matchAll(WEAK)) introduce(match.index + match[0].length, false)
  function introduce(end: number, isStrong: boolean) {
    let at = tokens.findIndex(({ from }) => from >= end)
    if (at < 0 || !/^[\s:—–"«-]{1,4}$/.test(text.slice(end, (tokens[at] as Token).from))) return
    for (let count = 0; count < 3; count++, at++) {
      const token = tokens[at] as Token
      if (!isFree(token) || token.word.length < 2) return
      const isLike =
        token.isCapital || firstNames.has(token.low) || isPatronymic(token) || (count > 0 && SURNAME.test(token.low))
      if (isStrong ? !isLike && count > 0 : !(token.isCapital && /^\p{Lu}\p{Ll}/u.test(token.word))) return
      isName[at] = true
      if (!joins(at)) return
    }
  }
  const spans: [number, number][] = []
  for (const [at, token] of tokens.entries()) {
    if (!isName[at]) continue
    const last = spans.at(-1)
    if (last && isName[at - 1] && joins(at - 1)) last[1] = token.to
    else spans.push([token.from, token.to])
  }
  // «И. П. Иванов», «Иванов И. П.».
  const byInitials = [
    /(?<![\p{L}])\p{Lu}\.\s?\p{Lu}\.\s?(?<surname>\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?)/gu,
    /(?<![\p{L}])\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?\s+\p{Lu}\.\s?\p{Lu}\.?(?![\p{L}])/gu,
    /(?<![\p{L}])\p{Lu}\p{Ll}+(?:ов|ев|ёв|ский|цкий|ова|ева|ёва|ская|цкая|енко)(?:а|у|ым|ой)?\s+\p{Lu}\.(?![\p{L}])/gu,
  ].flatMap((find) =>
    [...text.matchAll(find)]
      .filter(({ groups }) => groups?.surname === undefined || SURNAME.test(groups.surname))
      .map((match): [number, number] => [match.index, match.index + match[0].length]),
  )
  return [...byInitials, ...spans]
}

const isPatronymicOrFirst = (token: Token): boolean => firstNames.has(token.low) || isPatronymic(token)
