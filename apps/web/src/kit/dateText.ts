import { parseDate } from '@ordinator/model/format'
import { formatDate, formatDateTime, momentOf, today } from './clock.ts'
import { readWords } from './dateWords.ts'

/** Parsing of typed dates: an unreadable text is never turned into another date. */

const DAY = /^\d{4}-\d{2}-\d{2}$/

export const isDay = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && DAY.test(value)

/** 'YYYY-MM-DD' of a wire date or a typed one, else null. */
export function readDay(value: string | null | undefined): string | null {
  if (!value) return null
  return isDay(value) ? value : parseDate(value)
}

/** A typed day, in figures or words; null for none or one with a time. */
export function typedDay(text: string): string | null {
  const read = readWords(text, today())
  return read && read.time === undefined ? read.day : null
}

/** The validation error of a date, or undefined. */
export function dateFault(value: string | null | undefined, min?: string, max?: string): string | undefined {
  if (!value) return undefined
  const day = readDay(value)
  if (!day) return 'Дата в формате ДД.ММ.ГГГГ или словами: «завтра», «пт», «через неделю»'
  if (min && day < min) return `Не раньше ${formatDate(min)}`
  return max && day > max ? `Не позже ${formatDate(max)}` : undefined
}

export const MOMENT_FAULT = 'Дата в формате ДД.ММ.ГГГГ ЧЧ:ММ или словами: «завтра», «пт 15:00», «через неделю»'

/**
 * A moment in ISO with offset (UTC) from 'DD.MM.YYYY HH:mm' or words in the user's zone, else null. Without a time,
 * `defaultTime` ('HH:mm') is used.
 */
export function readMoment(text: string, defaultTime = '00:00'): string | null {
  const read = readWords(text, today())
  return read && momentOf(read.day, read.time ?? defaultTime)
}

/** True for a moment in wire format: ISO 8601 with a time. */
export const isMoment = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))

/** 'DD.MM.YYYY HH:mm' of a moment; any other text unchanged. */
export function momentText(value: string | null | undefined): string {
  return isMoment(value) ? formatDateTime(value) : (value ?? '')
}
