import { plusDays } from '@ordinator/model/zone'
import { expect, test } from 'vitest'
import { mondayOf, weekOf } from './day.ts'

test('weeks begin on Monday, over the end of a year and on the 29th of February', () => {
  expect(mondayOf('2027-01-03')).toBe('2026-12-28')
  expect(weekOf('2028-03-01')).toContain('2028-02-29')
  expect(plusDays('2028-02-28', 1)).toBe('2028-02-29')
})
