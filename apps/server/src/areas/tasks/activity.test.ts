import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller
const id = (login: string) => ids[login] as number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => void (ids = await addPeople(app, { owner: [], anna: [], boris: [] })),
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
})
afterAll(() => clinic.close())

interface Line {
  path: string
  action: string
  idEntity: number
  idParent: number | null
  changes: Record<string, [unknown, unknown]>
}
const history = async (who: Caller, idTask: number, query = 'parts=1') =>
  good(await who.get(`${T}/tasks/${idTask}/history?limit=100&${query}`)) as {
    items: Line[]
    names: Record<string, Record<string, string>>
  }

it("describes changes of a task's parts with their names", async () => {
  const board = await hands(owner).board()
  const member = await hands(owner).member(board.id, id('anna'), { permissionToViewTasks: 'all' })
  const task = await hands(owner).task(board.idColumnNew)
  const executor = good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: member.id }), 201)
  good(await owner.delete(`${T}/executors/${executor.id}`), 204)
  const list = good(await owner.post(`${T}/check-lists`, { idTask: task.id, name: 'Перед приёмом' }), 201)
  const item = good(await owner.post(`${T}/check-list-items`, { idCheckList: list.id, name: 'Карта' }), 201)
  good(await owner.put(`${T}/check-list-items/${item.id}`, { isCheck: true }))
  const { items, names } = await history(anna, task.id)
  const members = items.filter((line) => line.path.endsWith('/executors'))
  expect(members.map((line) => [line.action, line.changes.idMember])).toEqual([
    ['delete', [member.id, null]],
    ['create', [null, member.id]],
  ])
  expect(names['tasks-management/members']).toEqual({ [member.id]: 'anna Тест' })
  const tick = items.find((line) => line.path.endsWith('/check-list-items') && line.action === 'update')
  expect(tick).toMatchObject({ idEntity: item.id, idParent: list.id, changes: { isCheck: [false, true] } })
  expect(names['tasks-management/check-list-items']).toEqual({ [item.id]: 'Карта' })
  expect(names['tasks-management/check-lists']).toEqual({ [list.id]: 'Перед приёмом' })
  expect(names['tasks-management/columns']?.[board.idColumnNew]).toBe('Новые')
})

it('hides names that the reader may not see', async () => {
  const [open, closed] = [await hands(owner).board({ name: 'Общая' }), await hands(owner).board({ name: 'Закрытая' })]
  await hands(owner).member(open.id, id('anna'), { permissionToViewTasks: 'all' })
  const hidden = await hands(owner).member(closed.id, id('boris'))
  const task = await hands(owner).task(open.idColumnNew)
  const secret = good(await owner.post(`${T}/columns`, { idBoard: closed.id, name: 'Тайная колонка' }), 201)
  good(await owner.post(`${T}/assigned`, { idTask: task.id, idColumn: secret.id }), 201)
  good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: hidden.id }), 201)
  const all = await history(owner, task.id)
  expect(all.names['tasks-management/members']?.[hidden.id]).toBe('boris Тест')
  const shown = await history(anna, task.id)
  expect(shown.names['tasks-management/members']).toBeUndefined()
  expect(JSON.stringify(shown.names)).not.toContain('Тайная колонка')
})

it('filters by one field', async () => {
  const board = await hands(owner).board()
  const task = await hands(owner).task(board.idColumnNew, { description: '<p>один</p>' })
  good(await owner.put(`${T}/tasks/${task.id}`, { importance: 5 }))
  good(await owner.put(`${T}/tasks/${task.id}`, { description: '<p>два</p>' }))
  const { items } = await history(owner, task.id, 'field=description')
  expect(items.map((line) => line.changes.description)).toEqual([
    ['<p>один</p>', '<p>два</p>'],
    [null, '<p>один</p>'],
  ])
  expect((await owner.get(`${T}/tasks/${task.id}/history?field=secret`)).status).toBe(400)
})
