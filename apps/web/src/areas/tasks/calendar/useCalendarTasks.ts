import { Task } from '@ordinator/model/areas/tasks/task'
import type { AnyFilter } from '@ordinator/model/client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { retries } from '#records/reads.ts'
import { notifyBoardFailure } from '../board/boardStore.ts'

type Calendar = Answer<'GET /tasks-management/tasks/calendar/:boardId'>
export type CalendarTask = Calendar['items'][number]

export interface Dates {
  dateStart: string | null
  dateEnd: string | null
}

const fields = [
  ...[
    'name',
    'importance',
    'isCompleted',
    'isWaitCheck',
    'isNeedChange',
    'isArchive',
    'dateStart',
    'dateEnd',
    'idUser',
  ],
  ...['executors.idMember', 'executors.member.idUser', 'responsible.idMember', 'responsible.member.idUser'],
]
const expand = ['executors.member', 'responsible.member']

/** Tasks of a workspace on these days; optimistic date changes, with undo. */
export function useCalendarTasks(
  idBoard: number,
  days: { dateStart: string; dateEnd: string },
  filter: AnyFilter,
  archive: boolean,
) {
  const client = useQueryClient()
  const query = { ...days, includeArchived: archive ? '1' : '0', filter } as const
  const queryKey = ['records', Task.path, 'calendar', idBoard, query]
  const answer = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api(
        'GET /tasks-management/tasks/calendar/:boardId',
        { params: { boardId: idBoard }, query: { ...query, fields: fields.join(), expand: expand.join() } },
        { signal, forbidden: 'silent' },
      ),
    placeholderData: keepPreviousData,
    retry: retries,
  })

  const show = (id: number, dates: Dates) =>
    client.setQueryData<Calendar>(
      queryKey,
      (data) => data && { ...data, items: data.items.map((task) => (task.id === id ? { ...task, ...dates } : task)) },
    )

  async function write(id: number, dates: Dates): Promise<void> {
    await records.update(Task, id, dates)
    await invalidateRecords(client, Task.path)
  }

  async function reschedule(id: number, before: Dates, after: Dates): Promise<boolean> {
    show(id, after)
    try {
      await write(id, after)
      notify.undo('Срок изменён', async () => {
        show(id, before)
        await write(id, before).catch(notifyBoardFailure)
      })
      return true
    } catch (error) {
      show(id, before)
      if (error instanceof ApiError && error.fields?.[0]) notify.error(error.fields[0].message)
      else notifyBoardFailure(error)
      return false
    }
  }
  return { answer, reschedule }
}
