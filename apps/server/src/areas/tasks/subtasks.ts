import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { subtaskScope } from './scope.ts'

export const subtasks = records(Subtask, {
  scope: subtaskScope,
  about: { path: Task.path, id: ({ row }) => sql`${row}."idParentTask"` },
  computed: {
    nameParentTask: ({ row }) =>
      sql`(select pt."name" from tasks_management_tasks pt where pt."id" = ${row}."idParentTask" and not pt."deleted")`,
  },
})
