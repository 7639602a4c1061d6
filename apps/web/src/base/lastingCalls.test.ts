import { type AnyFilter, listPath } from '@ordinator/model/client'
import { entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { expect, test } from 'vitest'
import { lastingCalls } from './lastingCalls.ts'

const customers = entityAt('customers') as Entity
const path = (filter: AnyFilter) => listPath(customers, { filter, limit: 5 })

test('neither what a person typed nor a moment in time is kept of an opening’s calls', () => {
  const kept = [
    path({ id: 5 }),
    '/user-settings?filter[name]=board-views%3A41&limit=1',
    path({ birthday: '2026-11-22' }),
  ]
  const passing = [
    path({ surname: { ilike: 'Иванова' } }),
    path({ or: [{ phone: { like: '%79' } }] }),
    path({ dateCreate: { lt: new Date().toISOString() } }),
  ]
  expect(lastingCalls([...kept, ...passing])).toEqual(kept)
})

test('an address asks for few things at once', () => {
  expect(lastingCalls(Array.from({ length: 30 }, (_, id) => path({ id })))).toHaveLength(8)
})
