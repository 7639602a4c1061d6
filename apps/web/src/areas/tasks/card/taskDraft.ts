import { Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { RecordDraft } from '../../../records/recordDraft.ts'

export type TaskRow = Row<typeof Task>
export type TaskChanges = Partial<Pick<TaskRow, 'name' | 'description' | 'importance' | 'dateStart' | 'dateEnd'>>

/** The changes of an open task on their way to the server. */
export const taskDraft = (task: TaskRow, onSaved: (task: TaskRow) => void) =>
  new RecordDraft(Task, task, onSaved, { key: 'task', notSaved: 'Задача не сохранена' })
