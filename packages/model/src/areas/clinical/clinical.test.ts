import { expect, test } from 'vitest'
import { codesOf, covers, reasonLack } from './clinical.ts'

test('codes are read in any usual spelling', () => {
  expect(codesOf('j06, J20 – J22;\nА09')).toEqual(['J06', 'J20-J22', 'A09'])
})

test.each([
  ['J06', 'J06', true],
  ['J06', 'J06.9', true],
  ['J06.9', 'J06', false],
  ['J06', 'J061', false],
  ['J20–J22', 'J21.0', true],
  ['J20–J22', 'J22.8', true],
  ['J20–J22', 'J23', false],
  ['I10, E11', 'E11.9', true],
  ['I10', null, false],
])('%s covers %s: %s', (codes, diagnosis, is) => expect(covers(codes, diagnosis)).toBe(is))

test('what is not met has a reason', () => {
  expect(reasonLack('yes', null)).toBeUndefined()
  expect(reasonLack('no', ' ')).toContain('причину')
  expect(reasonLack('notApplicable', 'Аллергия')).toBeUndefined()
})
