/** Effects on a task when its last subtask closes (`approvedAllChildrenTasks`, spec §4). */
import type { endActions } from '@ordinator/model/areas/tasks/board'
import { stateOf } from '@ordinator/model/areas/tasks/states'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql from 'sql-template-tag'
import type { WriteContext } from '#records/define.ts'
import { changeState } from './stateWrites.ts'

const line = 'Закрыты все подзадачи'

/**
 * Locks each parent before counting its subtasks: of two concurrent closes of the last two subtasks, the second sees
 * the first.
 */
export async function closeParents(context: WriteContext, idTask: number): Promise<void> {
  const { tx, records } = context
  const parents = await tx.query<{ id: number }>(sql`
    select p."id" from tasks_management_subtasks s join tasks_management_tasks p on p."id" = s."idParentTask"
    where s."idTask" = ${idTask} and not s."deleted" and not p."deleted" and not p."isCompleted" and not p."isTemplate"
    order by p."id" for update of p`)
  for (const { id } of parents) {
    const action = await endActionOf(context, id)
    if (action === 'none' || (await hasOpenSubtasks(context, id))) continue
    const parent = await records.asSystem.row(Task, id)
    if (action === 'complete' && !parent.isCompleted)
      await changeState(context, parent, stateOf(parent) === 'wait' ? 'accept' : 'complete', 'completed', {
        line: `${line}: задача завершена`,
      })
    else if (action === 'wait' && !parent.isWaitCheck)
      await changeState(context, parent, 'handIn', 'wait', { line: `${line}: задача отправлена на проверку` })
  }
}

/** Archived subtasks do not block. */
async function hasOpenSubtasks({ tx }: WriteContext, idParent: number): Promise<boolean> {
  const open = await tx.one(sql`
    select 1 from tasks_management_subtasks s join tasks_management_tasks t on t."id" = s."idTask"
    where s."idParentTask" = ${idParent} and not s."deleted" and not t."deleted" and not t."isCompleted" and not t."isArchive"
    limit 1`)
  return open !== undefined
}

/** The task's own setting, else that of its first board that has one. */
async function endActionOf({ tx }: WriteContext, idTask: number): Promise<keyof typeof endActions> {
  const found = await tx.one<{ action: keyof typeof endActions }>(sql`
    select coalesce(nullif(t."approvedAllChildrenTasks", 'none'), (
      select b."approvedAllChildrenTasks" from tasks_management_assigned a
      join tasks_management_columns c on c."id" = a."idColumn"
      join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
      where a."idTask" = t."id" and not a."deleted" and b."approvedAllChildrenTasks" <> 'none' order by a."id" limit 1
    ), 'none') as action from tasks_management_tasks t where t."id" = ${idTask}`)
  return found?.action ?? 'none'
}
