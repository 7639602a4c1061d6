import { expect, it } from 'vitest'
import { isLater } from './newVersion.ts'

it('a release is later by its day, not by its letters', () => {
  expect(isLater('2026.12.1', '2026.11.30')).toBe(true)
  expect(isLater('2026.11.30', '2026.11.30')).toBe(false)
  expect(isLater('2026.11.9', '2026.11.30')).toBe(false)
  expect(isLater('2026.11.30.1', '2026.11.30')).toBe(true)
  expect(isLater('unknown', '2026.11.30')).toBe(false)
})
