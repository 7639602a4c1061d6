import { Discount } from '@ordinator/model/areas/discounts/discount'
import { Role } from '@ordinator/model/areas/staff/role'
import { expect, test } from 'vitest'
import { list } from './list.tsx'

test('a list of known words is shown by their labels, other values as they are', () => {
  expect(list.text(['monday', 'friday'], Discount.fields.weekdays)).toBe('Понедельник, Пятница')
  expect(list.text(['viewCustomers'], Role.fields.permissions)).toBe('Клиенты: просмотр')
  expect(list.text(['Постоянный'], Discount.fields.tags)).toBe('Постоянный')
})
