import { expect, test } from 'vitest'
import { dateFault, isMoment, momentText, readDay, readMoment } from './dateText.ts'
import { readWords } from './dateWords.ts'

test('a day is read strictly and never turned into another', () => {
  expect(readDay('05.11.2026')).toBe('2026-11-05')
  expect(readDay('2026-11-05')).toBe('2026-11-05')
  expect(readDay('31.02.2026')).toBeNull()
  expect(readDay('')).toBeNull()
})

test('the fault of a date is shown', () => {
  expect(dateFault('31.02.2026')).toMatch(/^Дата в формате ДД.ММ.ГГГГ/)
  expect(dateFault('2026-01-01', '2026-02-01')).toBe('Не раньше 01.02.2026')
  expect(dateFault('2026-03-01', undefined, '2026-02-01')).toBe('Не позже 01.02.2026')
  expect(dateFault(null, '2026-02-01')).toBeUndefined()
})

test('a moment comes back as it was typed', () => {
  for (const text of ['05.11.2026 09:30', '29.02.2024 23:59', '01.01.2026 00:00'])
    expect(momentText(readMoment(text))).toBe(text)
  expect(momentText(readMoment('05.11.2026', '18:00'))).toBe('05.11.2026 18:00')
  expect(momentText(readMoment('5.1.2026, 0905'))).toBe('05.01.2026 09:05')
})

test('what is no moment is not read', () => {
  for (const text of ['05.11.2026 25:00', '31.02.2026 10:00', '05.11.2026 10:00 сегодня', 'завтр', '15'])
    expect(readMoment(text)).toBeNull()
  expect(isMoment('05.11.2026 10:00')).toBe(false)
  expect(isMoment('2026-11-05T10:00:00+03:00')).toBe(true)
  expect(momentText('завтра')).toBe('завтра')
})

// A Sunday.
const TODAY = '2026-11-22'
test.each([
  ['завтра', '2026-11-23'],
  ['Послезавтра в 9', '2026-11-24', '09:00'],
  ['пт 15:00', '2026-11-27', '15:00'],
  ['в пятницу к 15.30', '2026-11-27', '15:30'],
  ['вс', '2026-11-29'],
  ['через неделю', '2026-11-29'],
  ['через 3 дня 10:00', '2026-11-25', '10:00'],
  ['через две недели', '2026-12-06'],
  ['через месяц', '2026-12-22'],
  ['5.12', '2026-12-05'],
  ['10.01 12:00', '2027-01-10', '12:00'],
  ['5.12.27', '2027-12-05'],
  ['25 ноября', '2026-11-25'],
  ['1 мая 2027 в 8', '2027-05-01', '08:00'],
  ['14:30', TODAY, '14:30'],
])('«%s» is understood', (text, day, time?: string) => {
  expect(readWords(text, TODAY)).toEqual(time ? { day, time } : { day })
})

test.each([
  'завтр',
  'пт 25:00',
  'через',
  'через котов',
  '31.02',
  '15',
  'завтра завтра',
  '5.12.2026 в полдень',
  'constructor',
])('«%s» is not taken for something else', (text) => {
  expect(readWords(text, TODAY)).toBeNull()
})

test('a month later than its last day is the last day', () => {
  expect(readWords('через месяц', '2027-01-31')).toEqual({ day: '2027-02-28' })
})
