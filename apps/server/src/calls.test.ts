/** A call stands once, in the model, and the server implements each exactly once. */
import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import { expect, it } from 'vitest'
import { areas } from './areas.ts'
import { realtimeOperations } from './realtime/operations.ts'

const operations = [
  ...realtimeOperations(() => {
    throw new Error('not asked')
  }),
  ...areas.flatMap((area) => area.operations ?? []),
]
const named = (calls: readonly Call[]) => calls.map(({ method, path }) => `${method} ${path}`).toSorted()

it('every declared call is implemented once, and nothing else is', () => {
  expect(named(operations)).toEqual(named(everyCall))
})
