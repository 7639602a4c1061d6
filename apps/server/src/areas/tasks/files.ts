import { TaskFile, TaskUpload } from '@ordinator/model/areas/tasks/file'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql, { raw, type Sql } from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { type Definition, type FoundSql, records } from '#records/define.ts'
import { cardAddress } from './cardLinks.ts'
import { fileScope } from './scope.ts'

/** The first task with this attachment in the user's scope. */
const taskOf = ({ row, visible }: FoundSql, what: Sql) => sql`(select tt.${what} from tasks_management_task_files tf
  join tasks_management_tasks tt on tt."id" = tf."idTask"
  where tf."idFile" = ${row}."id" and not tf."deleted" and ${visible(Task, raw('tt'))} order by tf."id" limit 1)`

export const files: Definition = {
  ...fileRecords(TaskUpload, fileScope),
  found: {
    on: 'tasks',
    group: 'Файлы задач',
    by: ['name'],
    opens: (about) => cardAddress(about, taskOf(about, raw('"id"'))),
    hint: (about) => taskOf(about, raw('"name"')),
  },
}

/** Visible with the task, changed by its editors. The engine's reference check ensures that the actor sees the file. */
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
