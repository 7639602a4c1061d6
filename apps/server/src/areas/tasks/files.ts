import { TaskFile, TaskUpload } from '@ordinator/model/areas/tasks/file'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { fileRecords } from '../files/index.ts'
import { fileScope } from './scope.ts'

export const files = fileRecords(TaskUpload, fileScope)

/** Seen with the task, changed by its editors. That the file is one the actor sees, the engine's check of references says. */
export const taskFiles = records(TaskFile, {
  hooks: {
    async afterDelete({ records, tx }, row) {
      // A cover is one of the task's attachments.
      const covered = await tx.one(
        sql`select 1 from tasks_management_tasks where "id" = ${row.idTask} and "idCover" = ${row.idFile}`,
      )
      if (covered) await records.asSystem.update(Task, row.idTask, { idCover: null })
    },
  },
})
