import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FilterParams } from '#records/sight.ts'
import { Audience, hears } from './audience.ts'
import type { Listener } from './messages.ts'

const filters: (FilterParams | undefined)[] = [undefined, { 'filter[x]': '1' }, { 'filter[y]': '2' }]

const listener = fc
  .record({
    path: fc.constantFrom('a', 'b'),
    id: fc.constantFrom(undefined, 1, 2),
    filter: fc.constantFrom(...filters),
  })
  .map((one): Listener => ({ ...one, key: JSON.stringify(one) }))

const step = fc.record({ ear: fc.constantFrom('ann', 'bob', 'eve'), listener, add: fc.boolean() })

test('finds exactly those who listen, after any adding and removing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const audience = new Audience<string>()
      const model = new Map<string, { ear: string; listener: Listener }>()
      for (const { ear, listener, add } of steps) {
        if (add) audience.add(ear, listener)
        else audience.remove(ear, listener)
        if (add) model.set(ear + listener.key, { ear, listener })
        else model.delete(ear + listener.key)
      }
      const left = [...model.values()]
      expect(audience.paths().sort()).toEqual([...new Set(left.map((one) => one.listener.path))].sort())
      for (const path of ['a', 'b']) {
        for (const id of [1, 2, 3]) {
          const hall = audience.at(path)
          const expected = left.filter((one) => one.listener.path === path && (one.listener.id ?? id) === id)
          const plain = new Set([...(hall?.all ?? []), ...(hall?.byId.get(id) ?? [])])
          expect(plain).toEqual(new Set(expected.filter((one) => !one.listener.filter).map((one) => one.ear)))
          for (const filter of [{ 'filter[x]': '1' }, { 'filter[y]': '2' }]) {
            const kept = hall?.byFilter.get(JSON.stringify(filter))
            const found = [...(kept?.ears ?? [])].filter(([, ids]) => hears(ids, id)).map(([ear]) => ear)
            const wanted = expected.filter((one) => JSON.stringify(one.listener.filter) === JSON.stringify(filter))
            expect(new Set(found)).toEqual(new Set(wanted.map((one) => one.ear)))
          }
        }
      }
    }),
  )
})
