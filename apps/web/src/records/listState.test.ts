import { Board } from '@ordinator/model/areas/tasks/board'
import { Task } from '@ordinator/model/areas/tasks/task'
import { queryText } from '@ordinator/model/client'
import { entity } from '@ordinator/model/entity'
import { date } from '@ordinator/model/fields/date'
import { phone } from '@ordinator/model/fields/phone'
import { text } from '@ordinator/model/fields/text'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type FieldCondition,
  filterableFields,
  filterOf,
  operatorsOf,
  parseCondition,
  searchFilter,
} from './conditions.ts'
import { listQueryOf, readListState, writeListState } from './listState.ts'

const Person = entity('people', {
  label: ['Человек', 'человека', 'людей'],
  fields: {
    fio: text({ label: 'ФИО', search: true }),
    phone: phone({ label: 'Телефон', search: true }),
    day: date({ label: 'День' }),
    secret: text({ label: 'Тайна', hidden: 'mainSettings' }),
  },
  access: {},
})
const nobody = { id: 1, permissions: {} }

describe('garbage in the address never breaks a page', () => {
  const junk = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: false }),
    fc.string(),
    fc.constantFrom(
      '__proto__',
      'constructor.eq.1',
      'name.ilike.',
      'importance.gte.x',
      '-',
      '--name',
      'toString',
      '%',
      '\0',
    ),
  )
  test.each([
    ['tasks', Task],
    ['boards', Board],
    ['people', Person],
  ] as const)('%s', (_name, e) => {
    fc.assert(
      fc.property(
        fc.record(
          { q: junk, sort: junk, filter: fc.oneof(junk, fc.array(junk)), page: junk, limit: junk, view: junk },
          { requiredKeys: [] },
        ),
        (search) => {
          const state = readListState(e, search, {}, '', nobody)
          expect(state.page).toBeGreaterThanOrEqual(1)
          expect([20, 50, 100, 200, 500]).toContain(state.limit)
          expect(() => queryText(listQueryOf(e, state))).not.toThrow()
        },
      ),
      { numRuns: runs(200, 5_000) },
    )
  })
})

test('what is written is read back', () => {
  const op = fc.constantFrom<FieldCondition>(
    { field: 'importance', op: 'gte', value: '5' },
    { field: 'name', op: 'ilike', value: 'a.b,c*' },
    { field: 'dateEnd', op: 'null', value: '1' },
    { field: 'dateEnd', op: 'lte', value: '2026-11-05' },
    { field: 'idUser', op: 'in', value: '1,2' },
    { field: 'approvedAllChildrenTasks', op: 'in', value: 'none,wait' },
  )
  fc.assert(
    fc.property(
      fc.record({
        search: fc.string({ maxLength: 50 }),
        sort: fc.constantFrom('', 'name', '-dateCreate', '-id'),
        conditions: fc.array(op, { maxLength: 5 }),
        page: fc.integer({ min: 1, max: 1000 }),
        limit: fc.constantFrom(20, 50, 100, 200, 500),
        view: fc.constantFrom('', 'v1'),
      }),
      fc.constantFrom('', 'people_'),
      (state, prefix) => {
        const written = Object.fromEntries(
          Object.entries(writeListState(state, {}, prefix)).filter(([, v]) => v !== undefined),
        )
        expect(readListState(Task, written, {}, prefix)).toEqual(state)
      },
    ),
  )
})

test('defaults stay out of the address, and taking them away is kept', () => {
  const defaults = { sort: '-dateEnd', conditions: [{ field: 'isArchive', op: 'eq', value: '0' } as const] }
  const state = readListState(Task, {}, defaults)
  expect(state.conditions).toHaveLength(1)
  expect(Object.values(writeListState(state, defaults)).every((v) => v === undefined)).toBe(true)
  const cleared = writeListState({ ...state, conditions: [] }, defaults)
  expect(cleared.filter).toEqual([])
  expect(readListState(Task, cleared, defaults).conditions).toEqual([])
})

test('numbers that the router made of text are text again', () => {
  expect(readListState(Task, { q: 404 }).search).toBe('404')
  expect(readListState(Task, { page: '3', limit: '50' })).toMatchObject({ page: 3, limit: 50 })
})

test.each([
  'unknown.eq.1',
  'name.gte.5',
  'importance.gte.five',
  'dateEnd.gte.2026-02-31',
  'isArchive.null.1',
  'dateEnd.null.2',
  'approvedAllChildrenTasks.in.none,never',
  'idColumn.eq.1',
  'name.ilike.',
])('refuses %s', (written) => {
  expect(parseCondition(Task, written)).toBeUndefined()
})

test('a field that is hidden from the actor is neither filtered nor sorted by', () => {
  expect(filterableFields(Person, nobody).map(([name]) => name)).not.toContain('secret')
  const state = readListState(Person, { filter: 'secret.eq.x', sort: 'secret' }, {}, '', nobody)
  expect(state).toMatchObject({ conditions: [], sort: '' })
})

test('the search box looks into the marked fields, and into ids and phones by digits', () => {
  expect(searchFilter(Person, ' иван ')).toEqual({ or: [{ fio: { ilike: 'иван' } }] })
  expect(searchFilter(Person, '8 912')).toEqual({ or: [{ fio: { ilike: '8 912' } }, { phone: { ilike: '8 912' } }] })
  expect(searchFilter(Person, '42')).toEqual({ or: [{ fio: { ilike: '42' } }, { id: 42 }] })
  expect(searchFilter(Person, '  ')).toBeUndefined()
})

test('a day of moments goes from midnight to midnight of the person', () => {
  const filter = filterOf(Task, '', [{ field: 'dateEnd', op: 'eq', value: '2026-11-05' }]) as {
    and: { dateEnd: { gte: string; lt: string } }[]
  }
  const { gte, lt } = filter.and[0]?.dateEnd ?? { gte: '', lt: '' }
  expect(new Date(gte)).toEqual(new Date(2026, 10, 5))
  expect(new Date(lt)).toEqual(new Date(2026, 10, 6))
})

test('every operator offered is supported by the server for the field', () => {
  for (const e of [Task, Board, Person])
    for (const f of Object.values(e.all)) for (const op of operatorsOf(f)) expect(f.operators).toContain(op)
})
