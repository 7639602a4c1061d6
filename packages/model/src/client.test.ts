import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Task } from './areas/tasks/task.ts'
import { type AnyListQuery, exportPath, listPath, queryText, type Request, recordsClient } from './client.ts'

const decoded = (query: AnyListQuery) => decodeURIComponent(queryText(query))

test.each<[AnyListQuery, string]>([
  [{}, ''],
  [{ filter: { name: 'x' } }, '?filter[name]=x'],
  [{ filter: { name: { ilike: 'а&б' } } }, '?filter[name][ilike]=а&б'],
  [{ filter: { isArchive: false, dateEnd: null } }, '?filter[isArchive]=0&filter[dateEnd][null]=1'],
  [{ filter: { dateEnd: { null: false } } }, '?filter[dateEnd][null]=0'],
  [{ filter: { importance: { gte: 2, lt: 5 } } }, '?filter[importance][gte]=2&filter[importance][lt]=5'],
  [{ filter: { id: { in: [1, 2] } } }, '?filter[id][in]=1,2'],
  [{ filter: { name: { in: ['a,b', 'c'] } } }, '?filter[name][in]=a,b&filter[name][in]=c'],
  [{ filter: { 'executors.idMember': 5 } }, '?filter[executors.idMember]=5'],
  [{ filter: { or: [{ name: 'a' }, { importance: 1 }] } }, '?filter[or][0][name]=a&filter[or][1][importance]=1'],
  [{ filter: { not: { and: [{ name: 'a' }] } } }, '?filter[not][and][0][name]=a'],
  [
    { sort: ['-dateCreate', 'name'], limit: 50, page: 2, count: true },
    '?sort=-dateCreate,name&limit=50&page=2&count=1',
  ],
  [{ after: '' }, '?after='],
  [{ fields: ['id', 'name'], expand: ['executors.member', 'tags'] }, '?fields=id,name&expand=executors.member,tags'],
])('query %j', (query, text) => {
  expect(decoded(query)).toBe(text)
})

test('a value never breaks out of its parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const read = new URLSearchParams(queryText({ filter: { name: { ilike: value } } }))
      expect([...read]).toEqual([['filter[name][ilike]', value]])
    }),
  )
})

test('an export is of the whole list', () => {
  expect(exportPath(Task, 'xlsx', { sort: 'name', page: 3, limit: 20, count: true })).toBe(
    '/tasks-management/tasks/export?format=xlsx&sort=name',
  )
  expect(listPath(Task)).toBe('/tasks-management/tasks')
})

test('calls become requests', async () => {
  const sent: Request[] = []
  const client = recordsClient(async (request) => void sent.push(request))
  await client.list(Task, { limit: 1 })
  await client.view(Task, 5, { expand: ['user'] })
  await client.create(Task, { name: 'a' })
  await client.update(Task, 5, { name: 'b', _version: 2 })
  await client.remove(Task, 5)
  await client.restore(Task, 5)
  await client.move(Task, 5, { before: 4, to: { idColumn: 1 } })
  await client.batch(Task, { delete: [1] })
  await client.history(Task, 5, { page: 2 })
  expect(sent.map(({ method, path, body }) => [method, path.replace('/tasks-management/tasks', ''), body])).toEqual([
    ['GET', '?limit=1', undefined],
    ['GET', '/5?expand=user', undefined],
    ['POST', '', { name: 'a' }],
    ['PUT', '/5', { name: 'b', _version: 2 }],
    ['DELETE', '/5', undefined],
    ['POST', '/5/restore', {}],
    ['POST', '/5/move', { before: 4, to: { idColumn: 1 } }],
    ['POST', '/batch', { delete: [1] }],
    ['GET', '/5/history?page=2', undefined],
  ])
})
