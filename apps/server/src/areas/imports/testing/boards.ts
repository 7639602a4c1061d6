import type { ImportPreview } from '@ordinator/model/areas/imports/wire'
import { UserPermission } from '@ordinator/model/areas/staff/role'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, testApp } from '#testing/harness.ts'
import { importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'

export const T = '/tasks-management'

export type Body = Record<string, any>

/**
 * For tests: a clinic with people who import into boards. `owner` owns them, `anna` is a member, two people share a
 * name.
 */
export async function importClinic() {
  const ids: Record<string, number> = {}
  const clinic = await testApp({
    prepare: async (app) => {
      const people = [
        ['owner', 'Петров', 'Пётр'],
        ['anna', 'Иванова', 'Анна'],
        ['twin1', 'Сидоров', 'Иван'],
        ['twin2', 'Сидоров', 'Иван'],
      ] as const
      for (const [login, surname, name] of people)
        ids[login] = (await addPerson(app, login, ['viewTasksManagement'], { surname, name })).id
      // Logins are visible only with the right to manage people.
      await app.engine.for(systemActor).create(UserPermission, { idUser: ids.owner as number, permission: 'editUsers' })
    },
  })
  const owner = clinic.as('owner')
  const tasks = importFiles(clinic, 'tasks')
  return {
    clinic,
    owner,
    anna: clinic.as('anna'),
    ids,

    async board(rights: Body = {}): Promise<Body> {
      const made = good(await owner.post(`${T}/boards`, { name: 'Импорт' }), 201)
      for (const login of ['anna', 'twin1', 'twin2']) {
        const member = { idBoard: made.id, idUser: ids[login], ...(login === 'anna' && rights) }
        good(await owner.post(`${T}/members`, member), 201)
      }
      return made
    },

    preview: (who: Caller, file: string | Uint8Array, idBoard: number, name = 'задачи.csv'): Promise<Answer> =>
      tasks.preview(who, file, { idBoard }, name),
    previewTrello: (who: Caller, file: string): Promise<Answer> =>
      importFiles(clinic, 'trello').preview(who, file, {}, 'board.json'),
    begin: (who: Caller, preview: ImportPreview, more: Body = {}): Promise<Body> => tasks.begin(who, preview, more),
    /** Preview, start, and run all jobs to the end. */
    take: (who: Caller, file: string | Uint8Array, idBoard: number, more: Body = {}): Promise<Body> =>
      tasks.take(who, file, { idBoard }, more),

    cards: async (who: Caller, idBoard: number): Promise<Body[]> =>
      good(
        await who.get(
          `${T}/assigned?filter[column.idBoard]=${idBoard}&sort=order&limit=500&expand=column,task.tags,task.executors.member,task.responsible.member`,
        ),
      ).items,
  }
}

export const names = (found: Body[]) => found.map((one) => one.task.name)
