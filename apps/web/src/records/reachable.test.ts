import type { Actor } from '@ordinator/model/access'
import { PatientRequest } from '@ordinator/model/areas/consents/request'
import { User } from '@ordinator/model/areas/staff/user'
import { expect, test } from 'vitest'
import { fillOmitted, reachable } from './reachable.ts'

const actor = (permissions: Actor['permissions']): Actor => ({ id: 7, permissions })

test('a relation to what the person may not see is not asked for, nor what lies behind it', () => {
  const names = ['customer', 'customer.tags', 'responsible', 'noRelation'] as const
  expect(reachable(actor({}), PatientRequest, names)).toEqual(['responsible', 'noRelation'])
  expect(reachable(actor({ viewCustomers: true }), PatientRequest, names)).toEqual(names)
})

test('what was left out is there as nothing: none of many, null of one, at any depth; what came is left alone', () => {
  expect(fillOmitted(User, { id: 1 }, ['roles.role', 'speciality'])).toEqual({ id: 1, roles: [], speciality: null })
  const came = { id: 1, roles: [{ id: 2 }, { id: 3, role: { id: 4 } }] }
  expect(fillOmitted(User, came, ['roles.role'])).toEqual({
    id: 1,
    roles: [
      { id: 2, role: null },
      { id: 3, role: { id: 4 } },
    ],
  })
  expect(fillOmitted(PatientRequest, { id: 1, customer: null }, ['customer.tags'])).toEqual({ id: 1, customer: null })
})
