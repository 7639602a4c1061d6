import { expect, test } from 'vitest'
import { dateFault, isMoment, momentText, readDay, readMoment } from './dateText.ts'

test('a day is read strictly and never turned into another', () => {
  expect(readDay('05.11.2026')).toBe('2026-11-05')
  expect(readDay('2026-11-05')).toBe('2026-11-05')
  expect(readDay('31.02.2026')).toBeNull()
  expect(readDay('')).toBeNull()
})

test('the fault of a date is said', () => {
  expect(dateFault('31.02.2026')).toBe('Дата в формате ДД.ММ.ГГГГ')
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
  for (const text of ['05.11.2026 25:00', '31.02.2026 10:00', '05.11.2026 10:00 сегодня', 'завтра'])
    expect(readMoment(text)).toBeNull()
  expect(isMoment('05.11.2026 10:00')).toBe(false)
  expect(isMoment('2026-11-05T10:00:00+03:00')).toBe(true)
  expect(momentText('завтра')).toBe('завтра')
})
