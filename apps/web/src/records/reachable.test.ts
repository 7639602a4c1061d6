import type { Actor } from '@ordinator/model/access'
import { PatientRequest } from '@ordinator/model/areas/consents/request'
import { expect, test } from 'vitest'
import { reachable } from './reachable.ts'

const actor = (permissions: Actor['permissions']): Actor => ({ id: 7, permissions })

test('a relation to what the person may not see is not asked for, nor what lies behind it', () => {
  const names = ['customer', 'customer.tags', 'responsible', 'noRelation'] as const
  expect(reachable(actor({}), PatientRequest, names)).toEqual(['responsible', 'noRelation'])
  expect(reachable(actor({ viewCustomers: true }), PatientRequest, names)).toEqual(names)
})
