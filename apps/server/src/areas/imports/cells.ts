/** Reading of what people write into cells. Each answers undefined for what it does not understand. */
import { isCalendarDate } from '@ordinator/model/fields/dateTime'
import { momentOf } from '@ordinator/model/zone'

const RUSSIAN = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::\d{2})?)?$/
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * A moment from `DD.MM.YYYY[ HH:mm]`, ISO 8601 or the date of a spreadsheet.
 * @param timeZone whose clock it is told by, unless the text has an offset
 * @param dayTime `HH:mm` for a day without a time
 * @returns ISO 8601 in UTC
 */
export function readMoment(text: string, timeZone: string, dayTime: string): string | undefined {
  const written = text.trim()
  const russian = RUSSIAN.exec(written)
  const iso = ISO.exec(written)
  const [day, month, year] = russian ? [russian[1], russian[2], russian[3]] : iso ? [iso[3], iso[2], iso[1]] : []
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined
  const [dayHour, dayMinute] = dayTime.split(':')
  const hour = Number((russian ?? iso)?.[4] ?? dayHour)
  const minute = Number((russian ?? iso)?.[5] ?? dayMinute)
  if (hour > 23 || minute > 59) return undefined
  if (iso?.[6]) return new Date(Date.parse(written.replace(' ', 'T'))).toISOString()
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, minute)
  return new Date(momentOf(wall, timeZone)).toISOString()
}

const YES = new Set(['да', 'yes', 'true', '1', '+', 'истина', 'x', 'х', '✓'])
const NO = new Set(['нет', 'no', 'false', '0', '-', 'ложь'])

export function readYesNo(text: string): boolean | undefined {
  const word = text.trim().toLocaleLowerCase('ru')
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}

/** Several values in one cell, by commas; one that has a comma of its own stands in quotes. */
export const readList = (text: string): string[] => [...new Set(readParts(text).filter(Boolean))]

/** The same with repeats and blanks in their places: several cells of such a kind go side by side. */
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

/** Rubles from `1 234,50`, `1234.5`, `1 234,50 ₽`; three digits after a mark are no kopecks and are not understood. */
export function readMoney(text: string): number | undefined {
  const written = text.replace(/[\s']/g, '').replace(/(?:₽|р\.?|руб\.?|рублей)$/i, '')
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
