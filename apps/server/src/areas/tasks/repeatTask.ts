/** A repeating task that was done begins anew: with its subtasks, its check lists and its cards. */
import { CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { WriteContext } from '../../records/define.ts'
import { noted, putCards } from './bulk.ts'
import { shifted } from './shift.ts'

export interface Round {
  /** The occurrences that the dates move from and to. */
  since: Date
  until: Date
  timeZone: string
}

/** Resets the progress of the task and of its subtasks of every depth, and moves their dates to the new occurrence. */
export async function startAnew(context: WriteContext, idTask: number, round: Round): Promise<void> {
  const { actor, tx, records } = context
  const tree = await tx.query<{ id: number }>(sql`
    with recursive tree as (
      select ${idTask}::bigint as "id"
      union
      select s."idTask" from tree join tasks_management_subtasks s on s."idParentTask" = tree."id" and not s."deleted"
        join tasks_management_tasks t on t."id" = s."idTask" and not t."deleted" and not t."isTemplate"
    ) select "id" from tree order by "id"`)
  const ids = join(tree.map((one) => one.id))
  const date = (name: string) => {
    const column = raw(`t."${name}"`)
    const moved = shifted(column, sql`${round.since}::timestamptz`, sql`${round.until}::timestamptz`, round.timeZone)
    return sql`${raw(`"${name}"`)} = ${moved}`
  }
  await change(
    context,
    Task,
    sql`"isCompleted" = false, "isWaitCheck" = false, "isNeedChange" = false, "dateWorkStart" = null,
      "dateCompleted" = null, "dateExpired" = null, ${date('dateStart')}, ${date('dateEnd')}, "dateChange" = now()`,
    sql`t."id" in (${ids})`,
    raw('null::bigint'),
  )
  await tx.query(sql`update tasks_management_tasks set "notificationRound" = ${round.until} where "id" = ${idTask}`)
  await change(
    context,
    CheckListItem,
    sql`"isCheck" = false`,
    sql`t."isCheck" and not t."deleted" and t."idCheckList" in (select e."idEntity" from tasks_management_entities e
      where e."idTask" in (${ids}) and e."type" = 'checklist' and not e."deleted")`,
    raw('made."idCheckList"'),
    sql`(select le."idTask" from tasks_management_entities le where le."type" = 'checklist'
      and le."idEntity" = made."idCheckList" and not le."deleted" order by le."id" limit 1)`,
  )
  await putCards(
    tx,
    actor,
    tree.map((one) => one.id),
    raw('b."idColumnNew"'),
  )
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

/** Writes `sets` into the rows `t` of `which`, each with its history line. */
async function change(
  { tx, actor }: WriteContext,
  entity: Entity,
  sets: Sql,
  which: Sql,
  parent: Sql,
  about: Sql = parent,
): Promise<void> {
  const table = raw(entity.table)
  const names = Object.entries(entity.fields).filter(([, f]) => isStored(f) && f.options.auto !== 'changed')
  const changes = sql`(select coalesce(jsonb_object_agg(n.key, jsonb_build_array(made.was -> n.key, n.value)), '{}')
    from jsonb_each(to_jsonb(made)) n where n.key in (${join(names.map(([name]) => name))})
      and n.value is distinct from made.was -> n.key)`
  await tx.query(sql`
    with before as (select t."id", to_jsonb(t) as was from ${table} t where ${which} order by t."id" for update),
    made as (update ${table} t set ${sets}, "_version" = t."_version" + 1
      from before where t."id" = before."id" returning t.*, before.was),
    noted as (${noted(entity.path, 'update', actor, changes, parent, about)})
    select count(*) from made`)
}
