import { Task } from '@ordinator/model/areas/tasks/task'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readListState } from '../listState.ts'
import { contentsOf, isSame, readColumns, readViews, type SavedView, stateOfView } from './views.ts'

test('a view opens the list that it was made of', () => {
  const state = readListState(Task, { q: 'калий', sort: '-importance', filter: 'importance.gte.5', page: 3 })
  const view: SavedView = { key: 'k', name: 'Мой', ...contentsOf(state, ['name', 'dateEnd']) }
  expect(readViews(JSON.parse(JSON.stringify({ items: [view] }))).items).toEqual([view])
  expect(stateOfView(Task, view)).toEqual({
    search: 'калий',
    sort: '-importance',
    conditions: state.conditions,
    view: 'k',
  })
  expect(isSame(view, contentsOf(state, ['name', 'dateEnd']))).toBe(true)
  expect(isSame(view, contentsOf(state, ['name']))).toBe(false)
})

test('whatever is stored, the screen opens', () => {
  fc.assert(
    fc.property(fc.anything(), (stored) => {
      expect(Array.isArray(readViews(stored).items)).toBe(true)
      expect(Array.isArray(readViews({ items: [stored] }).items)).toBe(true)
      expect(Array.isArray(readColumns(stored).shown)).toBe(true)
    }),
  )
})
