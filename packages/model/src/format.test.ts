import { describe, expect, test } from 'vitest'
import {
  counted,
  formatDate,
  formatDateTime,
  formatDateTimeSeconds,
  formatDay,
  formatDuration,
  formatFileSize,
  formatFromNow,
  formatHuman,
  formatMoney,
  formatNumber,
  formatSpan,
  initials,
  inSentence,
  parseDate,
  parseTime,
  plural,
} from './format.ts'
import { phoneOf, phoneText } from './phone.ts'

const tasks = ['задача', 'задачи', 'задач'] as const

test.each([
  [0, 'задач'],
  [1, 'задача'],
  [2, 'задачи'],
  [5, 'задач'],
  [11, 'задач'],
  [14, 'задач'],
  [21, 'задача'],
  [102, 'задачи'],
  [111, 'задач'],
])('plural of %i', (value, form) => {
  expect(plural(value, tasks)).toBe(form)
})

test('numbers and money', () => {
  expect(counted(1234, tasks)).toBe('1\u00a0234\u00a0задачи')
  expect(formatMoney('1234.50')).toBe('1\u00a0234,50\u00a0₽')
  expect(formatMoney('-1234567.5')).toBe('−1\u00a0234\u00a0567,50\u00a0₽')
  expect(formatMoney(0)).toBe('0,00\u00a0₽')
  expect(formatMoney(null)).toBe('')
  expect(formatMoney('99999999999999999.99')).toBe('99\u00a0999\u00a0999\u00a0999\u00a0999\u00a0999,99\u00a0₽')
  expect(formatNumber(1234.5)).toBe('1\u00a0234,5')
})

test('a count that stopped is marked', () => {
  expect(formatNumber(Number.POSITIVE_INFINITY)).toBe('10\u00a0000+')
  expect(counted(Number.POSITIVE_INFINITY, ['задача', 'задачи', 'задач'])).toBe('10\u00a0000+\u00a0задач')
})

test('file sizes', () => {
  expect(formatFileSize(0)).toBe('0\u00a0Б')
  expect(formatFileSize(1023)).toBe('1\u00a0023\u00a0Б')
  expect(formatFileSize(1536)).toBe('1,5\u00a0КБ')
  expect(formatFileSize(104857600)).toBe('100\u00a0МБ')
  expect(formatFileSize(2 * 1024 ** 5)).toBe('2\u00a0048\u00a0ТБ')
})

test('durations, phones, initials', () => {
  expect(formatDuration(65)).toBe('1:05')
  expect(formatDuration(3661)).toBe('1:01:01')
  expect(phoneText('+79123456789')).toBe('+7 (912) 345-67-89')
  expect(phoneText('+442071838750')).toBe('+442071838750')
  // Spec §5: three, three and four to six digits.
  expect(['999 123-45-67', '8 (999) 123-45-67', '+375 29 123-45-67'].map(phoneOf)).toEqual([
    '+79991234567',
    '+79991234567',
    '+375291234567',
  ])
  expect(['+79991234567890', '999123456', '8 999 123-45-6789'].map(phoneOf)).toEqual([undefined, undefined, undefined])
  expect(initials('иванов пётр сергеевич')).toBe('ИП')
  expect(initials('Иванов П. С.')).toBe('ИП')
  expect(initials(null)).toBe('')
})

describe('dates', () => {
  test('a date-only value is the same day in every zone', () => {
    for (const zone of ['UTC', 'Asia/Kamchatka', 'Europe/Kaliningrad', 'America/Los_Angeles'])
      expect(formatDate('2026-11-05', zone)).toBe('05.11.2026')
    expect(formatDay('05.11.1980')).toBe('05.11.1980')
  })

  test('a moment is written in the given zone', () => {
    const moment = '2026-11-05T22:30:07.000Z'
    expect(formatDateTime(moment, 'Europe/Moscow')).toBe('06.11.2026 01:30')
    expect(formatDateTimeSeconds(moment, 'UTC')).toBe('05.11.2026 22:30:07')
    expect(formatDateTime('2026-11-05T00:00:00+03:00', 'Europe/Moscow')).toBe('05.11.2026 00:00')
  })

  test('nothing and nonsense are empty', () => {
    expect(formatDay(null)).toBe('')
    expect(formatDay('вчера')).toBe('')
  })

  test('near days are named', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    expect(formatHuman('2026-11-20T14:05:00Z', now, 'UTC')).toBe('сегодня, 14:05')
    expect(formatHuman('2026-11-19', now, 'UTC')).toBe('вчера')
    expect(formatHuman('2026-11-21T00:00:00Z', now, 'UTC')).toBe('завтра, 00:00')
    expect(formatHuman('2026-11-05T10:00:00Z', now, 'UTC')).toBe('5\u00a0ноября')
    expect(formatHuman('2025-11-05T10:00:00Z', now, 'UTC')).toBe('5\u00a0ноября 2025')
  })

  test('distance from now', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    expect(formatFromNow('2026-11-20T11:59:50Z', now)).toBe('только что')
    expect(formatFromNow('2026-11-20T11:55:00Z', now)).toBe('5\u00a0минут назад')
    expect(formatFromNow('2026-11-20T14:00:00Z', now)).toBe('через 2\u00a0часа')
    expect(formatFromNow('2026-11-17T12:00:00Z', now)).toBe('3\u00a0дня назад')
    expect(formatFromNow('2024-11-20T12:00:00Z', now)).toBe('2\u00a0года назад')
  })
})

test.each([
  ['05.11.2026', '2026-11-05'],
  ['5.1.2026', '2026-01-05'],
  ['05112026', '2026-11-05'],
  ['29.02.2024', '2024-02-29'],
  ['29.02.2026', null],
  ['31.02.2026', null],
  ['05.13.2026', null],
  ['2026-11-05', null],
  ['05.11.26', null],
  ['', null],
])('parseDate %s', (text, value) => {
  expect(parseDate(text)).toBe(value)
})

test.each([
  ['9:05', '09:05'],
  ['0905', '09:05'],
  ['9', '09:00'],
  ['24:00', null],
  ['12:60', null],
])('parseTime %s', (text, value) => {
  expect(parseTime(text)).toBe(value)
})

test.each([
  [null, '—'],
  [20, 'меньше минуты'],
  [60, '1 мин'],
  [3660, '1 ч 1 мин'],
  [86_400, '1 д'],
  [86_400 + 60, '1 д'],
  [3 * 86_400 + 4 * 3600 + 59, '3 д 4 ч'],
])('formatSpan(%s)', (seconds, words) => expect(formatSpan(seconds)).toBe(words))

test('a label goes into a sentence with its abbreviations', () => {
  expect(['Название', 'ОИД в НСИ', 'Код в справочнике НСИ', 'ИДС', 'Я'].map(inSentence)).toEqual([
    'название',
    'ОИД в НСИ',
    'код в справочнике НСИ',
    'ИДС',
    'я',
  ])
})
