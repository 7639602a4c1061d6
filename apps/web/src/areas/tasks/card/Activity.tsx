import { SegmentedControl } from '@mantine/core'
import { Task } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { HistoryList } from '#records/HistoryList.tsx'
import { Versions } from '#records/history/Versions.tsx'
import { invalidateRecords } from '#records/keys.ts'
import classes from './Comments.module.css'
import type { TaskRow } from './fullCard.ts'
import { taskWords } from './historyWords.ts'

const PORTION = 30

interface Props {
  task: TaskRow
  mayEdit: boolean
  /** Called with the saved task. */
  onTask: (task: TaskRow) => void
}

/** History of a task and its parts; versions of the description. */
export function Activity({ task, mayEdit, onTask }: Props) {
  const [shown, setShown] = useState<'all' | 'versions'>('all')
  const cache = useQueryClient()

  const write = async (description: string | null, version: number): Promise<TaskRow | undefined> => {
    try {
      const row = await quiet.update(Task, task.id, { description, _version: version })
      onTask(row)
      return row
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409
      notify.error(stale ? 'Задачу только что изменили. Посмотрите новую версию и повторите.' : errorMessage(error), {
        title: 'Описание не изменено',
      })
      void invalidateRecords(cache, Task.path)
      return undefined
    }
  }
  const restore = async (description: string | null) => {
    const before = task.description
    const row = await write(description, task._version)
    if (row) notify.undo('Описание возвращено', async () => void (await write(before, row._version)))
  }

  return (
    <div className={classes.activity}>
      <SegmentedControl
        size="xs"
        aria-label="Что показать"
        data={[
          { value: 'all', label: 'Все события' },
          { value: 'versions', label: 'Версии описания' },
        ]}
        value={shown}
        onChange={(value) => setShown(value as typeof shown)}
      />
      {shown === 'all' ? (
        <HistoryList entity={Task} id={task.id} limit={PORTION} parts words={taskWords} />
      ) : (
        <Versions entity={Task} id={task.id} field="description" onRestore={mayEdit ? restore : undefined} />
      )}
    </div>
  )
}

/** Errors are shown above. */
const quiet = recordsWith({ forbidden: 'silent' })
