import { type LinkType, TaskLink } from '@ordinator/model/areas/tasks/link'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql, { raw, type Sql } from 'sql-template-tag'
import { type About, records, type WriteContext } from '../../records/define.ts'

export const links = records(TaskLink)

/** The task that a linked thing belongs to, for its history. */
export const taskOfLinked = (type: LinkType, id: Sql): Sql => sql`(select le."idTask" from tasks_management_entities le
  where le."type" = ${raw(`'${type}'`)} and le."idEntity" = ${id} and not le."deleted" order by le."id" limit 1)`

export const aboutTask = (id: (row: Sql) => Sql): About => ({ path: Task.path, id: ({ row }) => id(row) })

/** Links a new check list, client list or poll to the task that it is made in. */
export const linkToTask =
  (type: LinkType) =>
  async ({ records }: WriteContext, row: { id: number }, value: { idTask?: number | null }): Promise<void> => {
    if (value.idTask) await records.create(TaskLink, { idTask: value.idTask, type, idEntity: row.id })
  }
