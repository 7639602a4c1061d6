import { expect, it } from 'vitest'
import { withinHours } from './hours.ts'

const at = (clock: string) => new Date(`2026-11-20T${clock}:00`)

it.each([
  ['10:00', '10:00', '18:00', true],
  ['17:59', '10:00', '18:00', true],
  ['18:00', '10:00', '18:00', false],
  ['09:59', '10:00', '18:00', false],
  ['23:30', '22:00', '06:00', true],
  ['05:59', '22:00', '06:00', true],
  ['06:00', '22:00', '06:00', false],
  ['12:00', '22:00', '06:00', false],
  ['03:00', '00:00', '00:00', true],
])('%s within %s–%s: %s', (now, start, end, expected) => {
  expect(withinHours(at(now), start, end)).toBe(expected)
})
