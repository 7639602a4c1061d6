import { wallOf } from './zone.ts'

/** Formatting of values for people: Russian, rubles. Pure; runs in the browser and on the server. */

import { maxCount } from './count.ts'

const NBSP = '\u00a0'
const EMPTY = ''

type DateValue = Date | string | number | null | undefined

/** The Russian form for a number: plural(5, ['задача', 'задачи', 'задач']) is 'задач'. */
export function plural(value: number, forms: readonly [string, string, string]): string {
  const n = Math.abs(Math.trunc(value))
  const lastTwo = n % 100
  const last = n % 10
  if (lastTwo > 10 && lastTwo < 20) return forms[2]
  if (last === 1) return forms[0]
  if (last > 1 && last < 5) return forms[1]
  return forms[2]
}

/** '5 задач' */
export function counted(value: number, forms: readonly [string, string, string]): string {
  return `${formatNumber(value)}${NBSP}${plural(value, forms)}`
}

/** '12 345,6': groups of three, decimal comma. Null is an empty string; Infinity is a count above the limit. */
export function formatNumber(value: number | string | null | undefined, digits?: number): string {
  if (value === null || value === undefined || value === '') return EMPTY
  if (value === Number.POSITIVE_INFINITY) return `${formatNumber(maxCount)}+`
  const text = typeof value === 'number' ? decimalText(value, digits) : value.trim()
  const match = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text)
  if (!match) return text
  const [, sign, whole, fraction = ''] = match
  const shown = digits === undefined ? fraction : fraction.padEnd(digits, '0').slice(0, digits)
  const grouped = (whole as string).replace(/\B(?=(\d{3})+$)/g, NBSP)
  return `${sign === '-' ? '−' : ''}${grouped}${shown ? `,${shown}` : ''}`
}

/**
 * '1 234,50 ₽'. Money is sent as decimal text with two digits and is not converted to a float here.
 */
export function formatMoney(value: number | string | null | undefined): string {
  const text = formatNumber(value, 2)
  return text && `${text}${NBSP}₽`
}

const SIZE_UNITS = ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ']

/** '1,5 МБ' from bytes. */
export function formatFileSize(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return EMPTY
  let value = Math.max(0, bytes)
  let unit = 0
  while (value >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  const rounded = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
  return `${formatNumber(rounded)}${NBSP}${SIZE_UNITS[unit]}`
}

/** 'm:ss' or 'h:mm:ss' from seconds. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return EMPTY
  const total = Math.max(0, Math.round(seconds))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  return hours ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`
}

/** '3 д 4 ч', '12 мин': the two largest units of seconds. */
export function formatSpan(seconds: number | null): string {
  if (seconds === null) return '—'
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return 'меньше минуты'
  const units = [
    [Math.floor(minutes / 1440), 'д'],
    [Math.floor(minutes / 60) % 24, 'ч'],
    [minutes % 60, 'мин'],
  ] as const
  const first = units.findIndex(([value]) => value > 0)
  return units
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}

/** 'DD.MM.YYYY' of a date without time, which is the same day in every zone. */
export const formatDay = (value: string | null | undefined): string => formatDate(value, 'UTC')

/** 'DD.MM.YYYY HH:mm' of a local time of a branch, as of a visit. */
export const formatWall = (at: { localDate: string; localStart: string }): string =>
  `${formatDay(at.localDate)} ${at.localStart}`

/** 'DD.MM.YYYY'. A date without time keeps its day in every time zone. */
export function formatDate(value: DateValue, timeZone: string): string {
  const p = parts(value, timeZone)
  return p ? `${two(p.day)}.${two(p.month)}.${p.year}` : EMPTY
}

/** 'DD.MM.YYYY HH:mm' */
export function formatDateTime(value: DateValue, timeZone: string): string {
  const p = parts(value, timeZone)
  return p ? `${two(p.day)}.${two(p.month)}.${p.year} ${two(p.hour)}:${two(p.minute)}` : EMPTY
}

/** 'DD.MM.YYYY HH:mm:ss', for deal and call logs. */
export function formatDateTimeSeconds(value: DateValue, timeZone: string): string {
  const p = parts(value, timeZone)
  return p ? `${formatDateTime(value, timeZone)}:${two(p.second)}` : EMPTY
}

/** 'HH:mm' */
export function formatTime(value: DateValue, timeZone: string): string {
  const p = parts(value, timeZone)
  return p ? `${two(p.hour)}:${two(p.minute)}` : EMPTY
}

const MONTHS = [
  'января',
  'февраля',
  'марта',
  'апреля',
  'мая',
  'июня',
  'июля',
  'августа',
  'сентября',
  'октября',
  'ноября',
  'декабря',
]

/** 'сегодня, 14:05', 'вчера, 9:10', '5 ноября', '5 ноября 2025'. The time is included only for near days. */
export function formatHuman(value: DateValue, now: Date, timeZone: string): string {
  const p = parts(value, timeZone)
  const today = parts(now, timeZone)
  if (!p || !today) return EMPTY
  const days = dayNumber(p) - dayNumber(today)
  const near = { [-1]: 'вчера', 0: 'сегодня', 1: 'завтра' }[days]
  if (near) return dateOnly(value) ? near : `${near}, ${two(p.hour)}:${two(p.minute)}`
  const month = `${p.day}${NBSP}${MONTHS[p.month - 1]}`
  return p.year === today.year ? month : `${month} ${p.year}`
}

/** 'только что', '5 минут назад', 'через 2 часа', '3 дня назад'. */
export function formatFromNow(value: DateValue, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date) return EMPTY
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000)
  const distance = Math.abs(seconds)
  if (distance < 45) return 'только что'
  const steps: [number, number, readonly [string, string, string]][] = [
    [45 * 60, 60, ['минуту', 'минуты', 'минут']],
    [22 * 3600, 3600, ['час', 'часа', 'часов']],
    [26 * 86400, 86400, ['день', 'дня', 'дней']],
    [320 * 86400, 30.44 * 86400, ['месяц', 'месяца', 'месяцев']],
    [Number.POSITIVE_INFINITY, 365.25 * 86400, ['год', 'года', 'лет']],
  ]
  const step = steps.find(([limit]) => distance < limit) as (typeof steps)[number]
  const text = counted(Math.max(1, Math.round(distance / step[1])), step[2])
  return seconds < 0 ? `${text} назад` : `через ${text}`
}

/** The first letters of the first words: 'Иванов Пётр' gives 'ИП'. */
export function initials(name: string | null | undefined, length = 2): string {
  return (name ?? '')
    .split(/[\s.]+/)
    .filter(Boolean)
    .slice(0, length)
    .map((word) => (word[0] as string).toUpperCase())
    .join('')
}

/**
 * 'YYYY-MM-DD' from a typed DD.MM.YYYY (or D.M.YYYY, or eight digits), else null. Strict: 31.02.2026 is invalid, and
 * 05.11.2026 never becomes May.
 */
export function parseDate(text: string): string | null {
  const match = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text.trim()) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(text.trim())
  if (!match) return null
  const [day, month, year] = match.slice(1).map(Number) as [number, number, number]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real && year >= 1000 ? `${year}-${two(month)}-${two(day)}` : null
}

/** 'HH:mm' from '9:05', '0905', '9'; else null. */
export function parseTime(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text.trim()) ?? /^(\d{2})(\d{2})$/.exec(text.trim())
  if (!match) return null
  const hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  return hour < 24 && minute < 60 ? `${two(hour)}:${two(minute)}` : null
}

interface DateParts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const DATE_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/
const BIRTHDAY = /^(\d{2})\.(\d{2})\.(\d{4})$/

function dateOnly(value: DateValue): boolean {
  return typeof value === 'string' && (DATE_ONLY.test(value) || BIRTHDAY.test(value))
}

function toDate(value: DateValue): Date | null {
  if (value === null || value === undefined || value === '') return null
  const p = typeof value === 'string' ? textDay(value) : null
  const date = p ? new Date(p.year, p.month - 1, p.day) : new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

function textDay(value: string): DateParts | null {
  const iso = DATE_ONLY.exec(value)
  const birthday = iso ? null : BIRTHDAY.exec(value)
  if (!iso && !birthday) return null
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]].map(Number)
    : [birthday?.[3], birthday?.[2], birthday?.[1]].map(Number)
  return { year, month, day, hour: 0, minute: 0, second: 0 } as DateParts
}

function parts(value: DateValue, timeZone: string): DateParts | null {
  const day = typeof value === 'string' ? textDay(value) : null
  if (day) return day
  const date = toDate(value)
  if (!date) return null
  const wall = new Date(wallOf(date.getTime(), timeZone))
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  }
}

function dayNumber(p: DateParts): number {
  return Math.round(Date.UTC(p.year, p.month - 1, p.day) / 86400000)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function decimalText(value: number, digits?: number): string {
  if (!Number.isFinite(value)) return EMPTY
  return digits === undefined ? String(value) : value.toFixed(digits)
}

/** «ноябрь 2026 г.» of a month. @param month `ГГГГ-ММ` */
export const formatMonth = (month: string): string =>
  new Date(`${month}-15T12:00:00Z`).toLocaleDateString('ru-RU', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A label inside a sentence: «Название» → «название», while «ОИД в НСИ» stays. */
export const inSentence = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
