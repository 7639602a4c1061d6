/** Restarts a completed repeating task: with its subtasks, its check lists and its cards. */
import { CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql, { raw } from 'sql-template-tag'
import type { WriteContext } from '#records/define.ts'
import { putCards } from './bulk.ts'
import { shifted } from './shift.ts'

export interface Round {
  /** The occurrences between which the dates move. */
  since: Date
  until: Date
  timeZone: string
}

/** Resets the progress of the task and of its subtasks at every depth, and moves their dates to the new occurrence. */
export async function startAnew(context: WriteContext, idTask: number, round: Round): Promise<void> {
  const { tx, records } = context
  const tree = await tx.query<{ id: number }>(sql`
    with recursive tree as (
      select ${idTask}::bigint as "id"
      union
      select s."idTask" from tree join tasks_management_subtasks s on s."idParentTask" = tree."id" and not s."deleted"
        join tasks_management_tasks t on t."id" = s."idTask" and not t."deleted" and not t."isTemplate"
    ) select "id" from tree order by "id"`)
  const ids = tree.map((one) => one.id)
  const pastHooks = 'a new round is begun by the job, not by a verb of somebody'
  await records.asSystem.updateWhere(
    Task,
    ({ row }) => sql`${row}."id" = any(${ids}::bigint[])`,
    ({ row }) => {
      const moved = (date: 'dateStart' | 'dateEnd') =>
        shifted(
          sql`${row}.${raw(`"${date}"`)}`,
          sql`${round.since}::timestamptz`,
          sql`${round.until}::timestamptz`,
          round.timeZone,
        )
      return {
        isCompleted: false,
        isWaitCheck: false,
        isNeedChange: false,
        dateWorkStart: null,
        dateCompleted: null,
        dateExpired: null,
        dateStart: moved('dateStart'),
        dateEnd: moved('dateEnd'),
        notificationRound: sql`case when ${row}."id" = ${idTask} then ${round.until}::timestamptz else ${row}."notificationRound" end`,
      }
    },
    { pastHooks },
  )
  await records.asSystem.updateWhere(
    CheckListItem,
    ({ row }) => sql`${row}."isCheck" and ${row}."idCheckList" in (select e."idEntity" from tasks_management_entities e
      where e."idTask" = any(${ids}::bigint[]) and e."type" = 'checklist' and not e."deleted")`,
    { isCheck: false },
    { pastHooks },
  )
  await putCards(records, ids, raw('b."idColumnNew"'))
  const [owner] = await tx.query<{ idUser: number }>(
    sql`select "idUser" from tasks_management_tasks where "id" = ${idTask}`,
  )
  await records.asSystem.create(TaskComment, {
    type: 'task',
    idEntity: idTask,
    message: '<p>Задача повторена</p>',
    isSystem: true,
    meta: { verb: 'repeat' },
    idUser: owner?.idUser as number,
  })
}
