import { UserPermission } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import type { Permission } from '@ordinator/model/permissions'
import { hashPassword, storePassword } from '#auth/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'

const T = '/tasks-management'

/** For tests: people who may use tasks and sign in with the harness's password; ids by login. */
export async function addPeople(
  app: AppContext,
  logins: Record<string, readonly Permission[]>,
): Promise<Record<string, number>> {
  const hash = await hashPassword('demo')
  const ids: Record<string, number> = {}
  for (const [login, more] of Object.entries(logins)) {
    await app.engine.for(systemActor).tx(async (records, tx) => {
      const { id } = await records.create(User, { login, surname: login, name: 'Тест' })
      for (const permission of ['viewTasksManagement', ...more] as Permission[])
        await records.create(UserPermission, { idUser: id, permission })
      await storePassword(tx, id, hash, false)
      ids[login] = id
    })
  }
  return ids
}

export { good }

/** For tests: helpers for a person's operations on boards. */
export const hands = (caller: Caller) => ({
  board: async (body: object = {}) => good(await caller.post(`${T}/boards`, { name: 'Доска', ...body }), 201),
  member: async (idBoard: number, idUser: number, rights: object = {}) =>
    good(await caller.post(`${T}/members`, { idBoard, idUser, ...rights }), 201),
  task: async (idColumn: number | undefined, body: object = {}) =>
    good(await caller.post(`${T}/tasks`, { name: 'Задача', ...(idColumn ? { idColumn } : {}), ...body }), 201),
  card: async (idTask: number) => good(await caller.get(`${T}/assigned?filter[idTask]=${idTask}`)).items[0],
  names: async (query: string) =>
    good(await caller.get(`${T}/${query}`)).items.map((one: { name: string }) => one.name),
  status: async (method: string, path: string, body?: unknown) =>
    (await caller.call(method, `${T}/${path}`, body)).status,
})
