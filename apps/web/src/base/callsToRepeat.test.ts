import { type AnyFilter, listPath } from '@ordinator/model/client'
import { entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { expect, test, vi } from 'vitest'
import { callsToRemember, callsToRepeat } from './callsToRepeat.ts'
import { thisMinute } from './minute.ts'

const customers = entityAt('customers') as Entity
const path = (filter: AnyFilter) => listPath(customers, { filter, limit: 5 })

test('neither what a person typed nor a moment in time is kept of an opening’s calls', () => {
  const kept = [
    path({ id: 5 }),
    '/user-settings?filter[name]=board-views%3A41&limit=1',
    path({ birthday: '2026-11-22' }),
    // The start of a day, in a time zone.
    path({ dateCreate: { gte: '2026-11-25T21:00:00.000Z' } }),
  ]
  const passing = [
    path({ surname: { ilike: 'Иванова' } }),
    path({ or: [{ phone: { like: '%79' } }] }),
    path({ dateCreate: { lt: '2026-11-25T21:00:04.120Z' } }),
  ]
  expect(callsToRemember([...kept, ...passing])).toEqual(kept)
})

test('what is asked of a day is not asked on the next', () => {
  const always = path({ id: 5 })
  const ofDay = [path({ birthday: '2026-11-22' }), path({ dateCreate: { gte: '2026-11-25T21:00:00.000Z' } })]
  expect(callsToRepeat([always, ...ofDay], false)).toEqual([always])
  expect(callsToRepeat([always, ...ofDay], true)).toEqual([always, ...ofDay])
})

test('what was counted as of its minute is counted as of this one', () => {
  vi.useFakeTimers({ now: new Date('2026-11-26T12:34:56Z') })
  const late = () => path({ dateCreate: { lt: thisMinute() } })
  const kept = callsToRemember([late()])
  vi.setSystemTime(new Date('2026-11-27T08:01:02Z'))
  expect(callsToRepeat(kept, false)).toEqual([late()])
  vi.useRealTimers()
})

test('an address asks for few things at once', () => {
  expect(callsToRemember(Array.from({ length: 30 }, (_, id) => path({ id })))).toHaveLength(24)
})
