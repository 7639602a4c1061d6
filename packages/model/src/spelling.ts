/** Normalisation of typed and pasted text: the same word is stored, searched and compared in one form. Pure. */

/** Invisible characters: zero-width, text direction, the byte order mark, the soft hyphen. */
const INVISIBLE = /[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** A joiner is part of an emoji sequence («семья») and meaningless elsewhere. */
const LONE_JOINER =
  /(?<!\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu
/** Control characters except tabs and line ends; NUL is refused during validation. */
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Latin and Russian letters without marks, digits and the usual signs: nothing of them changes. */
const IS_PLAIN = /^[\t\n\r\x20-\x7e\xa0-\xac\xae-\u02ff\u0400-\u0482\u048a-\u04ff\u2010-\u2027\u2116]*$/

/** Text in Unicode NFC («и» + U+0306 of macOS becomes «й»), without invisible and control characters. */
export function plainSpelling(text: string): string {
  if (IS_PLAIN.test(text)) return text
  return text.replace(CONTROL, '').replace(INVISIBLE, '').replace(LONE_JOINER, '').normalize('NFC')
}

/** Composes letters with combining marks (macOS and iOS write «й» as two characters); other text is unchanged. */
export const composed = (text: string): string => (/[\u0300-\u036f]/.test(text) ? text.normalize('NFC') : text)

/** Whether JSON text may contain something that `sentSpelling` changes, plain or escaped. */
const MAY_CHANGE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\\u(?:00ad|03[0-6]|20[0-6]|feff)/i

/**
 * Normalises all texts of a JSON value, of any call: composed letters, no invisible characters. Control characters stay:
 * each call refuses or drops them, and scanner codes use them as separators.
 * @param json the source text
 */
export function sentSpelling<T>(value: T, json: string): T {
  return MAY_CHANGE.test(json) ? (spelledIn(value) as T) : value
}

function spelledIn(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(INVISIBLE, '').replace(LONE_JOINER, '').normalize('NFC')
  if (Array.isArray(value)) return value.map(spelledIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spelledIn(one)]))
}

const DASHES = / ?[-\u2010-\u2015\u2212] ?/g
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g

/** A name with uniform hyphens and apostrophes («Салтыков – Щедрин» becomes «Салтыков-Щедрин») and single spaces. */
export function nameSpelling(text: string): string {
  return plainSpelling(text).replace(/\s+/g, ' ').replace(APOSTROPHES, "'").replace(DASHES, '-').trim()
}

/** Words that begin a surname and never end it: «де ла Крус», «van der Berg», «фон Рихтер». */
const PARTICLE =
  /^(?:де|дель|ди|да|ла|ле|ван|вон|фон|дер|ден|аль|эль|ибн|бен|de|del|di|da|la|le|van|von|der|den|el|al|ibn|ben)$/i

/**
 * Surname, name and the rest of a full name. A hyphen surrounded by spaces stays part of its word; a former surname in
 * brackets and particles belong to the surname; initials written together are two words.
 */
export function nameParts(fio: string): { surname: string; name: string; middleName: string } {
  const words = nameSpelling(fio)
    .replace(/^[-\s]+|[-\s]+$/g, '')
    .replace(/[,;"«»]/g, ' ')
    .replace(/(?<!\p{L})(\p{L})\.(?=\p{L})/gu, '$1. ')
    .split(' ')
    .filter(Boolean)
  let at = Math.min(1, words.length)
  while (at < words.length - 1 && (PARTICLE.test(words[at - 1] ?? '') || /^\(.*\)$/.test(words[at] ?? ''))) at++
  const [name = '', ...rest] = words.slice(at)
  return { surname: words.slice(0, at).join(' '), name, middleName: rest.join(' ') }
}

/**
 * Digits with separators: all kinds of dashes, spaces, digits and Roman numerals become the usual ones, and what a
 * spreadsheet adds to keep a number as text (`="123"`, `'123`) is removed.
 */
export function numberSpelling(text: string): string {
  return plainSpelling(text)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replace(/[\uff0b\uff10-\uff19\u2160-\u217f]/g, (sign) => sign.normalize('NFKC'))
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^'(?=[+\d])/, '')
}

const MONTHS = ['янв', 'фев', 'мар', 'апр', 'ма', 'июн', 'июл', 'авг', 'сен', 'окт', 'ноя', 'дек']
/** The number of a month by the beginning of its Russian name; 0 for another word. */
export const monthOf = (word: string): number =>
  MONTHS.findIndex((start) => word.toLocaleLowerCase('ru').startsWith(start)) + 1

/** Range of years for two-digit years of birthdays: «80» is 1980 and «15» is 2015. */
const CENTURY = 100

/** A hyphen within a word: a double surname is found with a hyphen and with a space. */
const DOUBLE = /(?<=\p{L}{2})-(?=\p{L}{2})/gu

/**
 * Converts a search for people to the stored form: parts of a double surname and initials become words («Вахрушев А.Г.»),
 * a date gets its full year («3.1.80» is 03.01.1980).
 * @param year the current year
 */
export function soughtSpelling(text: string, year = new Date().getFullYear()): string {
  return (
    nameSpelling(text)
      .replace(DOUBLE, ' ')
      .replace(/(?<!\p{L})(\p{L})\.\s?(?=\p{L}\.|\p{L}(?!\p{L})|[\s,]|$)/gu, '$1 ')
      .replace(/(?<=[\p{L}\s])[,;](?=\s|$)/gu, ' ')
      // Initials without dots: «Вахрушев АГ».
      .replace(/(?<=\p{Ll}\s)(\p{Lu})(\p{Lu})(?=\s|$)/gu, '$1 $2')
      .replace(
        /(?<!\d)(\d{1,2})\s(янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)[а-я]*\.?\s(\d{4})(?!\d)/gi,
        (_, day: string, word: string, ofYear: string) => `${day}.${monthOf(word)}.${ofYear}`,
      )
      .replace(/(?<=(?:^|\s)\d{4})\s?г\.?\s?р\.?(?=\s|,|$)/gu, '')
      .replace(/(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?![\d/-])/g, '$1.$3.$4')
      .replace(/(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])/g, '$3.$2.$1')
      .replace(/(?<=\d{1,2}\.\d{1,2}\.\d{2,4})\s?г\.?(?:\s?р\.?)?(?=\s|,|$)/gu, '')
      .replace(
        /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?![\d.])/g,
        (_, day: string, month: string, written: string) => {
          const short = Number(written) + Math.floor(year / CENTURY) * CENTURY
          const whole = written.length === 4 ? written : String(short > year ? short - CENTURY : short)
          return `${day.padStart(2, '0')}.${month.padStart(2, '0')}.${whole}`
        },
      )
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** Fewer letters are no stem. */
const MIN_STEM = 3
/**
 * A word without its case ending: «задачу», «задачи» become «задач», «первичный», «первичного» become «первичн». Endings
 * that surnames have as well («-ов», «-ых») stay.
 */
export function wordStem(word: string): string {
  const short = word.replace(/(?:[ое]го|[ое]му|[ыи]ми|[аеиоуыэюяйь]+)$/iu, '')
  return short.length >= MIN_STEM ? short : word
}

/** A shorter word has no mistake forgiven: one letter of it is a quarter of the word. */
const MIN_FORGIVEN = 5

/**
 * Spellings of a word with one mistake, as parts around a gap of up to two letters: a wrong, missing or superfluous
 * letter, or two letters in the other order. Empty for a word that is too short or has other signs than letters.
 */
export function mistakesOf(word: string): [before: string, after: string][] {
  const stem = wordStem(word)
  if ([...stem].length < MIN_FORGIVEN - 1 || [...word].length < MIN_FORGIVEN || !/^\p{L}+$/u.test(word)) return []
  const gaps = [...stem].map((_, at): [string, string] => [stem.slice(0, at), stem.slice(at + 1)])
  const swaps = [...stem].slice(1).map((_, at): [string, string] => {
    const letters = `${stem.slice(0, at)}${stem.charAt(at + 1)}${stem.charAt(at)}${stem.slice(at + 2)}`
    return [letters, '']
  })
  return [...gaps, ...swaps]
}
