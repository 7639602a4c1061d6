import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'

const silent = { forbidden: 'silent' } as const

/** Calls of templates and copies; results show at once, errors in the specification's words. */
export function useTemplateCalls() {
  const client = useQueryClient()
  const after = () => Promise.all([Assigned, Task].map(({ path }) => invalidateRecords(client, path)))
  const afterCall = async <T>(failure: string, call: () => Promise<T>): Promise<T | undefined> => {
    try {
      const made = await call()
      await after()
      return made
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'network'))
        notify.error(errorMessage(error), { title: failure })
      return undefined
    }
  }
  const removeMade = async (idTasks: readonly number[]) => {
    await records.batch(Task, { delete: [...idTasks] }).catch((error) => notify.error(errorMessage(error)))
    await after()
  }
  return {
    removeMade,
    async makeTemplates(ids: readonly number[]) {
      const failure = ids.length > 1 ? 'Ошибка создания шаблонов' : 'Ошибка создания шаблона'
      const body = { ids: [...ids] }
      return (await afterCall(failure, () => api('POST /tasks-management/assigned/template', { body }, silent)))?.items
    },
    async duplicate(ids: readonly number[], to: { date: string | null; idColumn: number }) {
      const failure = 'Ошибка при дублировании задач'
      const body = { ids: [...ids], ...to }
      return (await afterCall(failure, () => api('POST /tasks-management/assigned/duplication', { body }, silent)))
        ?.items
    },
    createFrom: (id: number, body: { idColumn: number; dateStart: string | null; dateEnd: string | null }) =>
      afterCall('Ошибка создания задачи из шаблона', () =>
        api('POST /tasks-management/assigned/:id/create-from-template', { params: { id }, body }, silent),
      ),
  }
}
