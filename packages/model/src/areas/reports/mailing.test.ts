import { expect, test } from 'vitest'
import { nextSending } from './mailing.ts'

const at = (rhythm: Parameters<typeof nextSending>[0]['rhythm'], after: string, hour = 8) =>
  nextSending({ rhythm, hour }, 'Europe/Samara', new Date(after))

test('a letter goes at its hour by the clock of the clinic', () => {
  // 08:00 in Samara is 04:00 UTC.
  expect(at('day', '2026-11-27T03:59:00Z')).toBe('2026-11-27T04:00:00.000Z')
  expect(at('day', '2026-11-27T04:00:00Z')).toBe('2026-11-28T04:00:00.000Z')
})

test('its rhythm skips the days that it has not', () => {
  // 27.11.2026 is a Friday.
  expect(at('workday', '2026-11-27T05:00:00Z')).toBe('2026-11-30T04:00:00.000Z')
  expect(at('week', '2026-11-27T05:00:00Z')).toBe('2026-11-30T04:00:00.000Z')
  expect(at('month', '2026-11-27T05:00:00Z')).toBe('2026-12-01T04:00:00.000Z')
  expect(at('month', '2026-12-01T05:00:00Z')).toBe('2027-01-01T04:00:00.000Z')
})

test('the day is that of the clinic, not of the server', () => {
  // Half past midnight on the 1st in Samara is still the 30th in UTC.
  expect(at('month', '2026-11-30T20:30:00Z', 1)).toBe('2026-11-30T21:00:00.000Z')
})
