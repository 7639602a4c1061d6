import { afterAll, beforeAll, expect, it } from 'vitest'
import { actorOfUser } from '../../auth/index.ts'
import type { ServerActor } from '../../records/actor.ts'
import { createVisibility } from '../../records/visibility.ts'
import { type Clinic, testApp } from '../../testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

let clinic: Clinic
let ids: Record<string, number>
beforeAll(async () => {
  clinic = await testApp({ prepare: async (app) => void (ids = await addPeople(app, { owner: [], stranger: [] })) })
})
afterAll(() => clinic.close())

it('the delete of a task is told to those who listen to its board, and to nobody else', async () => {
  const owner = clinic.as('owner')
  const [board, other] = [await hands(owner).board(), await hands(owner).board()]
  const task = await hands(owner).task(board.idColumnWork)
  const viewers = await Promise.all(
    ['owner', 'stranger'].map(async (login) => {
      const id = ids[login] as number
      return { id, actor: (await actorOfUser(clinic.db, id)) as ServerActor }
    }),
  )
  const { checkVisibility } = createVisibility(clinic.db, clinic.context.registry)
  const hear = async (idBoard: number) =>
    [
      ...(await checkVisibility('tasks-management/tasks', [task.id], viewers, {
        'filter[assigned.column.idBoard]': String(idBoard),
      })),
    ].map(([idUser]) => idUser)
  expect(await hear(board.id)).toEqual([ids.owner])
  good(await owner.delete(`/tasks-management/tasks/${task.id}`), 204)
  expect(await hear(board.id)).toEqual([ids.owner])
  expect(await hear(other.id)).toEqual([])
})
