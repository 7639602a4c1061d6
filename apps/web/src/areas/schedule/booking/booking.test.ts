import { expect, test } from 'vitest'
import { patientFaults, patientOf } from './booking.ts'

test('text typed for a new patient is a phone or a name', () => {
  expect(patientOf('8 912 000-11-22')).toMatchObject({ phone: '8 912 000-11-22', surname: '' })
  expect(patientOf(' Иванова Анна Петровна ')).toMatchObject({
    surname: 'Иванова',
    name: 'Анна',
    middleName: 'Петровна',
    phone: '',
  })
  expect(Object.keys(patientFaults(patientOf('Иванова')))).toEqual(['name', 'phone'])
  expect(patientFaults({ ...patientOf('Иванова Анна'), phone: '89120001122', birthday: '31' })).toHaveProperty(
    'birthday',
  )
})
