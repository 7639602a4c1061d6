import { expect, test } from 'vitest'
import { dayIn, midnightIn, momentIn, zoneFor } from './zone.ts'

test('the branch goes before the profile', () => {
  expect(zoneFor('Europe/Moscow')).toBe('Europe/Moscow')
  expect(zoneFor('Europe/Moscow', null)).toBe('Europe/Moscow')
  expect(zoneFor('Europe/Moscow', 'Asia/Omsk')).toBe('Asia/Omsk')
})

test('days and times of a zone, also where a day begins at one o’clock', () => {
  expect(dayIn('Asia/Vladivostok', Date.parse('2026-10-24T14:00:00Z'))).toBe('2026-10-25')
  // Beirut skips the hour after midnight.
  expect(midnightIn('Asia/Beirut', '2026-03-29')).toBe('2026-03-28T22:00:00.000Z')
  expect(momentIn('America/New_York', '2026-11-01', '12:00')).toBe('2026-11-01T17:00:00.000Z')
})
