/** Parsers of cell texts. Each returns undefined for an invalid text. */
import { isCalendarDate } from '@ordinator/model/fields/dateTime'
import { momentOf } from '@ordinator/model/zone'

const MONTHS = ['янв', 'фев', 'мар', 'апр', 'ма[йя]', 'июн', 'июл', 'авг', 'сен', 'окт', 'ноя', 'дек'].map(
  (start) => new RegExp(`^${start}`, 'i'),
)
const DAY =
  /^(?:(\d{1,2})[./,\s-](\d{1,2})[./,\s-](\d{4})|(\d{4})[-./](\d{2})[-./](\d{2})|[«"]?(\d{1,2})[»"]?[\s-]+([а-яё]{3,8})\.?[\s-]+(\d{4}))$/i
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(Z|[+-]\d{2}:\d{2})?$/
const YEAR_WORD = /(?<=\d)\s*г(?:ода?|\.)?(?:\s*р(?:ожд(?:ения|\.)?|\.)?)?(?=[\s,]|$)/i

interface Written {
  /** `YYYY-MM-DD`. */
  day: string
  hour?: number
  minute?: number
  /** The text has an offset from UTC. */
  isExact: boolean
}

/** `09.02.1981`, `9/2/1981`, `1981-02-09`, `9 февраля 1981 г.`, each with or without a time. */
function readWritten(text: string): Written | undefined {
  const [, said = '', time] =
    /^(\d{4}[-./]\d{2}[-./]\d{2}|.*?\d{4})(?:(?:,?\s+|T)(\S+))?$/.exec(text.trim().replace(YEAR_WORD, '')) ?? []
  const found = DAY.exec(said)
  if (!found) return undefined
  const [, d1, m1, y1, y2, m2, d2, d3, word, y3] = found
  const month = word ? MONTHS.findIndex((one) => one.test(word)) + 1 : Number(m1 ?? m2)
  const [year, dayOfMonth] = [Number(y1 ?? y2 ?? y3), Number(d1 ?? d2 ?? d3)]
  if (!isCalendarDate(year, month, dayOfMonth)) return undefined
  const day = [year, String(month).padStart(2, '0'), String(dayOfMonth).padStart(2, '0')].join('-')
  if (time === undefined) return { day, isExact: false }
  const [, hours, minutes, seconds, offset] = TIME.exec(time) ?? []
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (!hours || hour > 23 || minute > 59) return undefined
  // Spreadsheets and 1C write a day without a time like this.
  if (!offset && hour === 0 && minute === 0 && seconds === '00') return { day, isExact: false }
  return { day, hour, minute, isExact: offset !== undefined }
}

/** A day as `YYYY-MM-DD`, ignoring a time. */
export const readDay = (text: string): string | undefined => readWritten(text)?.day

/**
 * A moment from `DD.MM.YYYY[ HH:mm]`, ISO 8601 or the date of a spreadsheet.
 * @param timeZone of the text, unless it has an offset
 * @param dayTime `HH:mm` for a day without a time
 * @returns ISO 8601 in UTC
 */
export function readMoment(text: string, timeZone: string, dayTime: string): string | undefined {
  const written = readWritten(text)
  if (!written) return undefined
  if (written.isExact) {
    const exact = Date.parse(text.trim().replace(' ', 'T'))
    return Number.isNaN(exact) ? undefined : new Date(exact).toISOString()
  }
  const [year = 0, month = 0, day = 0] = written.day.split('-').map(Number)
  const [hour = 0, minute = 0] =
    written.hour === undefined ? dayTime.split(':').map(Number) : [written.hour, written.minute]
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

/**
 * Rubles from `1 234,50`, `1234.5`, `1 234,50 ₽`, `1,234.50`; three digits after a separator are ambiguous and
 * rejected, unless all after the second are zeros.
 */
export function readMoney(text: string): number | undefined {
  const written = text
    .replace(/[\s']/g, '')
    .replace(/^₽/, '')
    .replace(/(?:₽|р\.?|руб\.?|рублей)$/i, '')
    .replace(/^(-?\d{1,3})((?:,\d{3})+)(?=\.\d+$)|^(-?\d{1,3})((?:\.\d{3})+)(?=,\d+$)/, (whole) =>
      whole.replace(/[.,]/g, ''),
    )
    .replace(/([.,]\d{2})0+$/, '$1')
    .replace(/[.,]$/, '')
  return /^-?\d{1,12}(?:[.,]\d{1,2})?$/.test(written) ? Number(written.replace(',', '.')) : undefined
}

/** Paragraphs of a plain text as HTML. */
export function readParagraphs(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
