import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FilterParams } from '#records/sight.ts'
import { Audience, listensTo } from './audience.ts'
import type { Listener } from './messages.ts'

const filters: (FilterParams | undefined)[] = [undefined, { 'filter[x]': '1' }, { 'filter[y]': '2' }]

const listener = fc
  .record({
    path: fc.constantFrom('a', 'b'),
    id: fc.constantFrom(undefined, 1, 2),
    filter: fc.constantFrom(...filters),
  })
  .map((one): Listener => ({ ...one, key: JSON.stringify(one) }))

const step = fc.record({ subscriber: fc.constantFrom('ann', 'bob', 'eve'), listener, add: fc.boolean() })

test('finds exactly those who listen, after any adding and removing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const audience = new Audience<string>()
      const model = new Map<string, { subscriber: string; listener: Listener }>()
      for (const { subscriber, listener, add } of steps) {
        if (add) audience.add(subscriber, listener)
        else audience.remove(subscriber, listener)
        if (add) model.set(subscriber + listener.key, { subscriber, listener })
        else model.delete(subscriber + listener.key)
      }
      const left = [...model.values()]
      expect(audience.paths().sort()).toEqual([...new Set(left.map((one) => one.listener.path))].sort())
      for (const path of ['a', 'b']) {
        for (const id of [1, 2, 3]) {
          const ofPath = audience.at(path)
          const expected = left.filter((one) => one.listener.path === path && (one.listener.id ?? id) === id)
          const plain = new Set([...(ofPath?.all ?? []), ...(ofPath?.byId.get(id) ?? [])])
          expect(plain).toEqual(new Set(expected.filter((one) => !one.listener.filter).map((one) => one.subscriber)))
          for (const filter of [{ 'filter[x]': '1' }, { 'filter[y]': '2' }]) {
            const kept = ofPath?.byFilter.get(JSON.stringify(filter))
            const found = [...(kept?.subscribers ?? [])]
              .filter(([, ids]) => listensTo(ids, id))
              .map(([subscriber]) => subscriber)
            const wanted = expected.filter((one) => JSON.stringify(one.listener.filter) === JSON.stringify(filter))
            expect(new Set(found)).toEqual(new Set(wanted.map((one) => one.subscriber)))
          }
        }
      }
    }),
  )
})
