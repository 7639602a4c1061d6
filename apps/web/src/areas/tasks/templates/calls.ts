import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import { records } from '../../../base/client.ts'
import { http } from '../../../base/http.ts'
import { notify } from '../../../kit/notify.tsx'
import { invalidateRecords } from '../../../records/keys.ts'

type AssignedRow = Row<typeof Assigned>
type MadeTask = Row<typeof Task> & { assigned: AssignedRow[] }

/** The calls of templates and of copies; what is made shows at once, and a failure is told in the specification's words. */
export function useTemplateCalls() {
  const client = useQueryClient()
  const after = () => Promise.all([Assigned, Task].map(({ path }) => invalidateRecords(client, path)))
  const call = async <T>(path: string, body: object, failure: string): Promise<T | undefined> => {
    try {
      const made = await http.post<T>(`/tasks-management/assigned/${path}`, body, { forbidden: 'silent' })
      await after()
      return made
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'network'))
        notify.error(errorMessage(error), { title: failure })
      return undefined
    }
  }
  const takeBack = async (idTasks: readonly number[]) => {
    await records.batch(Task, { delete: [...idTasks] }).catch((error) => notify.error(errorMessage(error)))
    await after()
  }
  return {
    takeBack,
    async makeTemplates(ids: readonly number[]) {
      const failure = ids.length > 1 ? 'Ошибка создания шаблонов' : 'Ошибка создания шаблона'
      return (await call<{ items: AssignedRow[] }>('template', { ids }, failure))?.items
    },
    duplicate: async (ids: readonly number[], to: { date: string | null; idColumn: number }) =>
      (await call<{ items: AssignedRow[] }>('duplication', { ids, ...to }, 'Ошибка при дублировании задач'))?.items,
    createFrom: (id: number, to: { idColumn: number; dateStart: string | null; dateEnd: string | null }) =>
      call<{ main: MadeTask; subtasks: MadeTask[] }>(
        `${id}/create-from-template`,
        to,
        'Ошибка создания задачи из шаблона',
      ),
  }
}
