import { afterAll, beforeAll, expect, it } from 'vitest'
import { actorOfUser } from '#auth/index.ts'
import type { ServerActor } from '#records/actor.ts'
import { createVisibility } from '#records/visibility.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

let clinic: Clinic
let ids: Record<string, number>
beforeAll(async () => {
  clinic = await testApp({ prepare: async (app) => void (ids = await addPeople(app, { owner: [], stranger: [] })) })
})
afterAll(() => clinic.close())

it('the delete of a task is announced to subscribers of its board only', async () => {
  const owner = clinic.as('owner')
  const [board, other] = [await hands(owner).board(), await hands(owner).board()]
  const task = await hands(owner).task(board.idColumnWork)
  const viewers = await Promise.all(
    ['owner', 'stranger'].map(async (login) => {
      const id = ids[login] as number
      return { id, actor: (await actorOfUser(clinic.db, id)) as ServerActor }
    }),
  )
  const { checkFilters } = createVisibility(clinic.db, clinic.context.registry)
  const recipients = async (idBoard: number) =>
    (
      await checkFilters(
        'tasks-management/tasks',
        [task.id],
        [{ filter: { 'filter[assigned.column.idBoard]': String(idBoard) }, viewers }],
      )
    ).flatMap((visible) => [...visible.keys()])
  expect(await recipients(board.id)).toEqual([ids.owner])
  good(await owner.delete(`/tasks-management/tasks/${task.id}`), 204)
  expect(await recipients(board.id)).toEqual([ids.owner])
  expect(await recipients(other.id)).toEqual([])
})

it('subscriber filters match the lists, several of one shape in one statement', async () => {
  const owner = clinic.as('owner')
  const board = await hands(owner).board()
  const bodies = [
    { name: 'а"б\\в{г},д', importance: 2, dateEnd: '2026-12-01T10:00:00+03:00' },
    { name: 'Проба 50%', importance: 5, description: '<p>текст</p>' },
    { name: "о'к, null", importance: 7 },
  ]
  const tasks: number[] = []
  for (const body of bodies) tasks.push((await hands(owner).task(board.idColumnWork, body)).id)
  const id = ids.owner as number
  const viewers = [{ id, actor: (await actorOfUser(clinic.db, id)) as ServerActor }]
  const { checkFilters } = createVisibility(clinic.db, clinic.context.registry)
  const cases: [string, string[]][] = [
    ['[name][ilike]', ['Б\\В{', '50%', "о'К", '_']],
    ['[name]', ['а"б\\в{г},д', "о'к, null"]],
    ['[importance][in]', ['2,5', '7', '9']],
    ['[importance][gte]', ['5', '6']],
    ['[dateEnd][lt]', ['2026-12-01T07:00:01Z', '2026-12-01T06:59:59Z']],
    ['[isArchive]', ['0', '1']],
    ['[description][null]', ['1']],
    ['[assigned.column.idBoard]', [String(board.id), '1']],
    ['[assigned.column.board.name][ilike]', ['доск', 'нет']],
  ]
  for (const [of, values] of cases) {
    const filters = values.map((value) => ({ [`filter${of}`]: value }))
    const asked = filters.map((filter) => ({ filter, viewers }))
    const matched = await checkFilters('tasks-management/tasks', tasks, asked)
    for (const [n, filter] of filters.entries()) {
      const { items } = good(
        await owner.get(`/tasks-management/tasks?fields=id&sort=id&${new URLSearchParams(filter)}`),
      )
      const listed = items.map((item: { id: number }) => item.id).filter((one: number) => tasks.includes(one))
      expect([of, values[n], [...(matched[n]?.get(id) ?? [])].sort((a, b) => a - b)]).toEqual([of, values[n], listed])
    }
  }
})
