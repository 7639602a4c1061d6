import { expect, it } from 'vitest'
import { checkBody } from '../../check.ts'
import { Customer } from './customer.ts'
import { lifeErrors } from './lifeErrors.ts'

it.each([
  ['01.01.1800', undefined],
  ['31.12.1899', undefined],
  ['31.12.1799', 'birthday'],
  ['01.01.2999', 'birthday'],
  ['30.02.1980', 'birthday'],
])('a birthday: %s', (birthday, field) => {
  expect(checkBody(Customer, { surname: 'Рождённый', birthday }, 'create').errors?.[0]?.field).toBe(field)
})

it('is looked for on any day, to come too', () => {
  expect(Customer.fields.birthday.parse('01.01.2999').ok).toBe(true)
})

it('comes before a death and before a document', () => {
  const birthday = '05.06.1980'
  expect(lifeErrors({ birthday, dateDeath: '1980-06-05', datePassport: '1996-01-01' })).toEqual([])
  expect(lifeErrors({ birthday, dateDeath: '1980-06-04' })).toMatchObject([{ field: 'dateDeath' }])
  expect(lifeErrors({ birthday, datePassport: '1979-01-01' })).toMatchObject([{ field: 'datePassport' }])
  expect(lifeErrors({ birthday: null, datePassport: '1979-01-01' })).toEqual([])
})
