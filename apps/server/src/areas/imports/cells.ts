/** Parsers of cell texts. Each returns undefined for an invalid text. */

import { isCalendarDate } from '@ordinator/model/fields/dateTime'
import { monthOf, numberSpelling } from '@ordinator/model/spelling'
import { momentOf } from '@ordinator/model/zone'
import { escaped } from '#records/sanitize.ts'

const ENGLISH_MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY =
  /^(?:(\d{1,2})[./,\s-](\d{1,2})[./,\s-](\d{4}|\d{2})|(\d{4})[-./](\d{1,2})[-./](\d{1,2})|[«"]?(\d{1,2})[»"]?[\s-]+([а-яёa-z]{3,9})\.?[\s,-]+(\d{4}|\d{2}))$/i
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/
const YEAR_WORD = /(?<=\d)\s*г(?:ода?|\.)?(?:\s*р(?:ожд(?:ения|\.)?|\.)?)?(?=[\s,]|$)/i
/** `19810209` of 1C and `09021981`: no eight digits are a day in both. */
const COMPACT = /^\d{8}$/
/** Years ahead that a two-digit year may mean. */
const AHEAD = 20
const CENTURY = 100

interface Written {
  /** `YYYY-MM-DD`. */
  day: string
  hour?: number
  minute?: number
  /** Minutes from UTC, where the text has them. */
  offset?: number
}

/** A year of two digits: the last one that is not after `latest`. */
function yearOf(written: string, latest: number): number {
  if (written.length === 4) return Number(written)
  const year = latest - (latest % CENTURY) + Number(written)
  return year > latest ? year - CENTURY : year
}

const dayOf = (year: number, month: number, day: number): string | undefined =>
  isCalendarDate(year, month, day)
    ? [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
    : undefined

/**
 * `09.02.1981`, `9/2/81`, `1981-02-09`, `19810209`, `9 февраля 1981 г.`, `09-Feb-81`, each with or without a time.
 * @param latest the last year that one of two digits may mean
 */
function readWritten(text: string, latest = new Date().getFullYear() + AHEAD): Written | undefined {
  const spelled = numberSpelling(text)
    .replace(/^["']|["']$/g, '')
    .replace(/(?<=\d{4})[.,;]$/, '')
    .replace(YEAR_WORD, '')
  if (COMPACT.test(spelled)) {
    const part = (from: number, to: number) => Number(spelled.slice(from, to))
    const day = dayOf(part(0, 4), part(4, 6), part(6, 8)) ?? dayOf(part(4, 8), part(2, 4), part(0, 2))
    return day ? { day } : undefined
  }
  const [, dayText = '', time] =
    /^(\d{4}[-./]\d{1,2}[-./]\d{1,2}|.*?\d{4}|[^\s:]*?\d{2}|\d{1,2} [^\s:]+ \d{2})(?:(?:,?\s+|T)(\d{1,2}:.*))?$/.exec(
      spelled,
    ) ?? []
  const found = DAY.exec(dayText)
  if (!found) return undefined
  const [, d1, m1, y1, y2, m2, d2, d3, word, y3] = found
  const month = word ? monthOf(word) || ENGLISH_MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1 : Number(m1 ?? m2)
  const day = dayOf(yearOf(y1 ?? y2 ?? y3 ?? '', latest), month, Number(d1 ?? d2 ?? d3))
  if (!day) return undefined
  if (time === undefined) return { day }
  const [, hours, minutes, seconds, offset] = TIME.exec(time) ?? []
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (!hours || hour > 23 || minute > 59) return undefined
  // Spreadsheets and 1C write a day without a time like this.
  if (!offset && hour === 0 && minute === 0 && seconds === '00') return { day }
  return { day, hour, minute, ...(offset !== undefined && { offset: minutesOf(offset) }) }
}

/** `Z`, `+03`, `+0300`, `-03:30` in minutes. */
function minutesOf(offset: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Whether a cell has the empty date of a program: `0000-00-00` (MySQL), `  .  .    ` and `01.01.0001` (1C). */
export const isNoDay = (text: string): boolean =>
  /^(?:[\s0./-]+|01\.01\.0001|0001-01-01|1899-12-30|30\.12\.1899)(?:[T\s]0{1,2}:00(?::00)?)?$/.test(text.trim()) &&
  !/^0*$/.test(text.trim())

/** A day as `YYYY-MM-DD`, with any time. @param latest see `readWritten` */
export const readDay = (text: string, latest?: number): string | undefined => readWritten(text, latest)?.day

/**
 * A moment from `DD.MM.YYYY[ HH:mm]`, ISO 8601 or the date of a spreadsheet.
 * @param timeZone of the text, unless it has an offset
 * @param dayTime `HH:mm` for a day without a time
 * @returns ISO 8601 in UTC
 */
export function readMoment(text: string, timeZone: string, dayTime: string): string | undefined {
  const written = readWritten(text)
  if (!written) return undefined
  const [year = 0, month = 0, day = 0] = written.day.split('-').map(Number)
  const [hour = 0, minute = 0] =
    written.hour === undefined ? dayTime.split(':').map(Number) : [written.hour, written.minute]
  if (written.offset !== undefined)
    return new Date(Date.UTC(year, month - 1, day, hour, (minute ?? 0) - written.offset)).toISOString()
  return new Date(momentOf(Date.UTC(year, month - 1, day, hour, minute), timeZone)).toISOString()
}

/** Significant digits that spreadsheets store and show. */
const SHEET_DIGITS = 15

/** Rounds the noise of binary fractions in a number: `1265.0000000000002` → `1265`; other texts are unchanged. */
export function sheetNumber(text: string): string {
  const [, sign = '', whole = '', mark = '', rest = ''] = /^(-?)(\d{1,12})([.,])(\d+)$/.exec(text.trim()) ?? []
  if (whole.replace(/^0+/, '').length + rest.length <= SHEET_DIGITS) return text
  const shown = String(Number(Number(`${sign}${whole}.${rest}`).toPrecision(SHEET_DIGITS)))
  return shown.includes('e') ? text : shown.replace('.', mark)
}

const YES = new Set(['да', 'yes', 'true', '1', '+', 'истина', 'x', 'х', '✓'])
const NO = new Set(['нет', 'no', 'false', '0', '-', 'ложь'])

export function readYesNo(text: string): boolean | undefined {
  const word = text.trim().toLocaleLowerCase('ru')
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}

/** Comma-separated values of a cell; a value with a comma is in quotes. */
export const readList = (text: string): string[] => [...new Set(readParts(text).filter(Boolean))]

/** The same with repeats and blanks in their positions: several such cells are matched by position. */
export function readParts(text: string): string[] {
  const parts: string[] = []
  const part = /\s*("(?:[^"]|"")*"(?=\s*(?:[,\n]|$))|[^,\n]*)\s*(,|\n|$)/y
  for (;;) {
    const [, written = '', end = ''] = part.exec(text) ?? []
    const value = written.trim()
    parts.push((/^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value).trim())
    if (!end) return parts
  }
}

/** Letters of a bookkeeper beside a sum: on which side of the account it is. */
const SIDE = /\s*(?:(дт|д-т|дебет)|(кт|к-т|кредит))\.?\s*$/i

/**
 * A sum as bookkeepers write it: «(2 267,15)», «1 265-», «1 265,00 Дт».
 * @returns rubles, and the side of the account where the text names it
 */
export function readBookSum(text: string): { rubles: number; side?: 'debit' | 'credit' } | undefined {
  const [, debit, credit] = SIDE.exec(text) ?? []
  const rubles = readMoney(text.replace(SIDE, ''))
  if (rubles === undefined) return undefined
  return { rubles, ...(debit ? { side: 'debit' as const } : credit ? { side: 'credit' as const } : {}) }
}

/**
 * Rubles from `1 234,50`, `1234.5`, `1 234,50 ₽`, `1,234.50`; negative: `−1 234`, `(1 234)`, `1 234-`; three digits after a separator are ambiguous and
 * rejected, unless all after the second are zeros.
 */
export function readMoney(text: string): number | undefined {
  const spelled = numberSpelling(text)
  const [, inBrackets, before] = /^\((.*)\)$|^(.*\d)\s?-$/s.exec(spelled.replace(/\s*(?:₽|руб)\.?$/i, '')) ?? []
  const positive = inBrackets ?? before
  if (positive !== undefined) {
    const sum = positive.trim().startsWith('-') ? undefined : readMoney(positive)
    return sum === undefined ? undefined : -sum
  }
  const written = spelled
    .replace(/^-\s+/, '-')
    .replace(/^(?:₽|=|руб\.?)\s*/i, '')
    .replace(/\s*(?:₽|р|руб|рубл(?:ей|я|ь)|rub|rur)\.?$/i, '')
    .replace(/^(.*\d)\s*р(?:уб(?:л(?:ей|я|ь))?)?\.?\s*(\d\d)\s*коп(?:\.|еек|ейки|ейка)?$/i, '$1,$2')
    // Rubles without kopecks: «1265,-», «1265=»; with them: «1265-50».
    .replace(/[.,]?\s?[-=]$/, '')
    .replace(/^(\d[\d\s]*)-(\d\d)$/, '$1,$2')
  const whole = /^-?\d{1,3}(?:[\s'’]\d{3})+(?![\s'’\d])/.test(written) ? written.replace(/[\s'’]/g, '') : written
  const number = whole
    .replace(
      /^(-?\d{1,3})((?:,\d{3})+)(?=\.\d+$)|^(-?\d{1,3})((?:\.\d{3})+)(?=,\d+$)|^-?\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/,
      (thousands) => thousands.replace(/[.,]/g, ''),
    )
    .replace(/([.,]\d{2})0+$/, '$1')
    .replace(/[.,]$/, '')
  return /^-?\d{1,12}(?:[.,]\d{1,2})?$/.test(number) ? Number(number.replace(',', '.')) : undefined
}

/** A number from `1 234,5`, `1234.50`, `0,5`: a comma or a point before its decimals. */
export function readNumber(text: string): number | undefined {
  const written = text.replace(/[\s'₽]/g, '').replace('−', '-')
  return /^-?\d{1,15}(?:[.,]\d*)?$/.test(written) ? Number(written.replace(',', '.')) : undefined
}

/** Paragraphs of a plain text as HTML. */
export function readParagraphs(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')
}
