import { Task } from '@ordinator/model/areas/tasks/task'
import sql, { join } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { WriteContext } from '#records/define.ts'
import { withTaskAt } from './scope.ts'

/** Recipients of task notices: people of the task, and watchers. */
export type Concerned = 'creator' | 'executors' | 'responsible' | 'watchers'

interface TaskNotice {
  /** Second part of the kind: `assigned`, `comment`. */
  event: string
  title: string
  text?: string
  to: readonly Concerned[]
  /** Additional recipients, if they see the task. */
  also?: readonly number[]
  /** Excluded recipients, whatever their role in the task. */
  except?: readonly number[]
}

/**
 * Notifies the people of a task, each with a link to a card that this user can open. Users without access to the task
 * by now (left the workspace, lost the permission) are skipped.
 */
export async function notifyOfTask(
  context: WriteContext,
  task: { id: number; name: string },
  { event, title, text, to, also = [], except = [] }: TaskNotice,
): Promise<void> {
  const people = (await peopleOf(context, task.id, to, also)).filter(({ idUser }) => !except.includes(idUser))
  const links = Map.groupBy(people, ({ link }) => link)
  for (const [link, recipients] of links) {
    await notify(
      context,
      recipients.map((person) => person.idUser),
      {
        kind: `task.${event}`,
        title: title.slice(0, 255),
        text: (text ?? task.name).slice(0, 1000),
        path: Task.path,
        idEntity: task.id,
        link,
        own: recipients.filter((person) => person.own).map((person) => person.idUser),
      },
    )
  }
}

interface Recipient {
  idUser: number
  own: boolean
  link: string
}

/**
 * The task's people by role who are members of an active board with its card, and see it; `own`: not only a watcher.
 */
function peopleOf(
  { tx }: WriteContext,
  idTask: number,
  to: readonly Concerned[],
  also: readonly number[],
): Promise<Recipient[]> {
  const roles = to.length ? join(to) : sql`''`
  const others = also.length ? sql`m."idUser" in (${join(also)})` : sql`false`
  const idPerson = sql`person."idUser"`
  return tx.query<Recipient>(sql`select * from (
    select distinct on (m."idUser") m."idUser", p.role is distinct from 'watchers' as own,
      '/tasks?board=' || c."idBoard" || '&assignedColumn=' || a."id" as link
    from tasks_management_assigned a
    join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
    join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
    join tasks_management_members m on m."idBoard" = b."id" and not m."deleted"
    left join lateral (
      select 'creator' as role from tasks_management_tasks t where t."id" = a."idTask" and t."idUser" = m."idUser"
      union all select 'executors' from tasks_management_executors e
        join tasks_management_members em on em."id" = e."idMember" where e."idTask" = a."idTask" and em."idUser" = m."idUser"
      union all select 'responsible' from tasks_management_responsible r
        join tasks_management_members rm on rm."id" = r."idMember" where r."idTask" = a."idTask" and rm."idUser" = m."idUser"
      union all select 'watchers' from tasks_management_watchers w where w."idTask" = a."idTask" and w."idUser" = m."idUser"
    ) p on true
    where a."idTask" = ${idTask} and not a."deleted" and (p.role in (${roles}) or ${others})
    order by m."idUser", (p.role is distinct from 'watchers') desc, a."id"
  ) person where ${holdsSql(idPerson, 'viewTasksManagement')}
    and (${withTaskAt('view', sql`${idTask}::bigint`, { me: idPerson })} or ${holdsSql(idPerson, 'bypassTaskRights')})`)
}
