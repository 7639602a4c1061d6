import { Task } from '@ordinator/model/areas/tasks/task'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesOf, chosenBody, compareVersions, same } from './conflict.ts'

const base = { id: 1, _version: 3, name: 'A', importance: 1, description: null, dateChange: 'x' }

test('parts what both changed from what only one did', () => {
  const saved = { ...base, _version: 5, name: 'B', importance: 7, dateChange: 'y' }
  const conflict = compareVersions(Task, base, { name: 'C', description: '<p>d</p>' }, saved)
  expect(conflict).toEqual({
    both: [{ field: 'name', base: 'A', mine: 'C', saved: 'B' }],
    mine: ['description'],
    theirs: [{ field: 'importance', from: 1, to: 7 }],
    version: 5,
  })
  expect(chosenBody(conflict, { name: 'C', description: '<p>d</p>' }, {})).toEqual({
    _version: 5,
    name: 'C',
    description: '<p>d</p>',
  })
  expect(chosenBody(conflict, { name: 'C', description: '<p>d</p>' }, { name: 'saved' })).toEqual({
    _version: 5,
    description: '<p>d</p>',
  })
})

test('the same change on both sides is no conflict', () => {
  expect(compareVersions(Task, base, { name: 'B' }, { ...base, _version: 4, name: 'B' })).toMatchObject({
    both: [],
    mine: [],
    theirs: [],
  })
})

test('what is chosen as mine is in the body, what is chosen as saved is not, and nothing of the other is overwritten', () => {
  const value = fc.constantFrom('', 'A', 'B', 'C')
  const row = fc.record({ name: value, description: value, importance: fc.constantFrom(1, 2, 3) })
  fc.assert(
    fc.property(
      row,
      row,
      row,
      fc.dictionary(fc.constantFrom('name', 'description', 'importance'), fc.constantFrom('mine', 'saved')),
      (was, mine, now, choices) => {
        const changes = changesOf(was, mine)
        const conflict = compareVersions(Task, was, changes, { ...now, _version: 9 })
        const body = chosenBody(conflict, changes, choices as Record<string, 'mine' | 'saved'>)
        const result = { ...now, ...body } as Record<string, unknown>
        for (const field of ['name', 'description', 'importance'] as const) {
          const touched = !same(was[field], mine[field])
          const disputed = conflict.both.some((b) => b.field === field)
          if (!touched) expect(result[field]).toBe(now[field])
          else if (disputed)
            expect(result[field]).toBe((choices[field] ?? 'mine') === 'mine' ? mine[field] : now[field])
          else expect(same(result[field], mine[field])).toBe(true)
        }
      },
    ),
  )
})

test('nothing is nothing, however it is written', () => {
  expect(same(null, '')).toBe(true)
  expect(same(undefined, null)).toBe(true)
  expect(same(0, '')).toBe(false)
  expect(same(false, null)).toBe(false)
  expect(same({ a: 1, b: [1] }, { b: [1], a: 1 })).toBe(true)
})
