/**
 * Undo of a state change. All effects of the change are in history under one transaction: the flags of the task and of
 * the parents that followed, the places of their cards, its line, its comment and its notices.
 */
import { Notification } from '@ordinator/model/areas/notifications/notification'
import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { type StateFields, stateFlags, stateOf, type TaskState } from '@ordinator/model/areas/tasks/states'
import { Assigned, Executor, Responsible, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import sql, { join, raw } from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { putState } from './stateWrites.ts'

/** Minutes for which the author of a state change may undo it. */
const MINUTES = 15

const fields = [...stateFlags, 'dateWorkStart'] as const
const restored = [...fields, 'dateCompleted', 'dateExpired'] as const
type TaskRow = Row<typeof Task>

interface Change {
  /** Of the transaction. */
  xid: string
  changes: Record<string, [unknown, unknown]>
  mine: boolean
}

/** @throws HttpError 409 when the last state change is another's, too old, or missing */
export async function takeBack(context: WriteContext, task: TaskRow): Promise<void> {
  const last = await lastChange(context, task.id)
  if (!last?.mine) throw new HttpError(409, 'Отменить уже нельзя: состояние задачи с тех пор изменилось')
  await undo(context, task, last)
}

/** The same, if it leads to this state. `idCard` was moved to its place already. */
export async function takeBackTo(
  context: WriteContext,
  task: TaskRow,
  state: TaskState,
  idCard: number,
): Promise<boolean> {
  const last = await lastChange(context, task.id)
  if (!last?.mine || stateOf({ ...task, ...former(last) } as StateFields) !== state) return false
  await undo(context, task, last, idCard)
  return true
}

/**
 * Undoes the user's own transfer of a card to a related workspace: its place, state and people.
 * @throws HttpError 409 when the last move of the card is another's, too old, or not along a relation
 */
export async function moveBack(context: WriteContext, idCard: number): Promise<void> {
  const { tx, actor, records } = context
  const moves = await tx.query<Change & { idTask: number }>(sql`
    select h."xid"::text as xid, h."changes", h."idParent" as "idTask",
      h."idUser" = ${actor.id} and h."dateCreate" > now() - make_interval(mins => ${MINUTES}) as mine
    from history h where h."path" = ${Assigned.path} and h."idEntity" = ${idCard} and h."changes" ? 'idColumn' and h."xid" = (
      select l."xid" from history l where l."path" = ${Assigned.path} and l."idEntity" = ${idCard}
        and l."action" = 'update' and l."changes" ? 'idColumn' order by l."id" desc limit 1)
    order by h."id"`)
  const [first, last] = [moves[0], moves.at(-1)]
  const [from, to] = [first?.changes.idColumn?.[0], last?.changes.idColumn?.[1]] as [number, number]
  const apart =
    first?.mine &&
    (await tx.one(sql`select 1 from tasks_management_columns f join tasks_management_columns t on t."id" = ${to}
      join tasks_management_relations r on r."idBoard" = f."idBoard" and r."idRelationBoard" = t."idBoard" and not r."deleted"
      where f."id" = ${from} and not f."deleted"`))
  if (!first || !apart) throw new HttpError(409, 'Отменить уже нельзя: карточку с тех пор переносили')
  const { idTask } = first
  const state = await lastChange(context, idTask)
  if (state?.xid === first.xid) await undo(context, await records.asSystem.row(Task, idTask), state, idCard)
  await putBack(context, idCard, { ...first.changes, idColumn: [from, to] })
  await bringPeople(context, idTask, first.xid)
}

/** Restores people removed because they are no members of the other workspace. */
async function bringPeople({ records, tx }: WriteContext, idTask: number, xid: string): Promise<void> {
  for (const entity of [Executor, Responsible]) {
    const gone = await tx.query<{ idMember: number }>(sql`
      select (h."changes" -> 'idMember' ->> 0)::bigint as "idMember" from history h
      join tasks_management_members m on m."id" = (h."changes" -> 'idMember' ->> 0)::bigint and not m."deleted"
      where h."xid" = ${xid}::xid8 and h."path" = ${entity.path} and h."action" = 'delete' and h."idParent" = ${idTask}
        and not exists (select 1 from ${raw(entity.table)} p where p."idTask" = ${idTask} and p."idMember" = m."id")`)
    for (const { idMember } of gone) await records.asSystem.create(entity, { idTask, idMember })
  }
}

const former = ({ changes }: Change): Partial<TaskRow> =>
  Object.fromEntries(restored.flatMap((name) => (changes[name] ? [[name, changes[name][0]]] : [])))

/**
 * The latest change of the task's state; `mine`: by the actor, recent, and not itself an undo, which writes no line.
 */
function lastChange({ actor, tx }: Pick<WriteContext, 'actor' | 'tx'>, idTask: number): Promise<Change | undefined> {
  return tx.one<Change>(sql`
    select h."xid"::text as xid, h."changes",
      h."idUser" = ${actor.id} and h."dateCreate" > now() - make_interval(mins => ${MINUTES}) and exists (
        select 1 from history said where said."xid" = h."xid" and said."path" = ${TaskComment.path}
          and said."action" = 'create' and said."pathAbout" = ${Task.path} and said."idAbout" = ${idTask}
      ) as mine
    from history h where h."path" = ${Task.path} and h."idEntity" = ${idTask} and h."action" = 'update'
      and h."changes" ?| array[${join(fields)}]::text[]
    order by h."id" desc limit 1`)
}

async function undo(context: WriteContext, task: TaskRow, change: Change, except = 0): Promise<void> {
  const { tx } = context
  const tasks = [task.id]
  await putState(context, task.id, former(change))
  for (const id of await ancestors(context, task.id)) {
    const theirs = await lastChange(context, id)
    if (theirs?.xid !== change.xid) continue
    tasks.push(id)
    await putState(context, id, former(theirs))
  }
  const written = await tx.query<{ path: string; id: number; changes: Change['changes'] }>(sql`
    select h."path", h."idEntity" as id, h."changes" from history h where h."xid" = ${change.xid}::xid8 and (
      h."path" = ${Assigned.path} and h."action" = 'update' and h."idParent" = any(${tasks}::bigint[])
      or h."path" = ${TaskComment.path} and h."action" = 'create' and h."idAbout" = any(${tasks}::bigint[])
      or h."path" = ${Notification.path} and h."action" = 'create') order by h."id" desc`)
  for (const row of written) {
    if (row.path === Assigned.path) {
      if (row.id !== except) await putBack(context, row.id, row.changes)
    } else if (row.path === TaskComment.path) await removeLine(context, row.id)
    else await removeNotice(context, row.id, tasks)
  }
}

async function ancestors({ tx }: WriteContext, idTask: number): Promise<number[]> {
  const found = await tx.query<{ id: number }>(sql`
    with recursive up as (
      select s."idParentTask" as id from tasks_management_subtasks s where s."idTask" = ${idTask} and not s."deleted"
      union
      select s."idParentTask" from up join tasks_management_subtasks s on s."idTask" = up.id and not s."deleted"
    ) select id from up order by id`)
  return found.map(({ id }) => id)
}

/** Moves a card back if it is still where the change put it; its column may be deleted. */
async function putBack({ records, tx }: WriteContext, id: number, changes: Change['changes']): Promise<void> {
  if (!changes.idColumn) return
  const [from, to] = changes.idColumn as [number, number]
  const card = await tx.one(sql`select 1 from tasks_management_assigned a
    join tasks_management_columns c on c."id" = ${from} and not c."deleted"
    where a."id" = ${id} and a."idColumn" = ${to} and not a."deleted" for update of a`)
  if (!card) return
  const [order] = changes.order ?? []
  const [isArchive] = changes.isArchive ?? []
  await records.asSystem.update(Assigned, id, {
    idColumn: from,
    ...(order === undefined ? {} : { order: Number(order) }),
    ...(isArchive === undefined ? {} : { isArchive: isArchive === true }),
  })
}

async function removeLine({ records, tx }: WriteContext, id: number): Promise<void> {
  const alive = await tx.one(
    sql`select 1 from tasks_management_comments where "id" = ${id} and "meta" ? 'verb' and not "deleted"`,
  )
  if (alive) await records.asSystem.remove(TaskComment, id)
}

async function removeNotice({ records, tx }: WriteContext, id: number, tasks: readonly number[]): Promise<void> {
  const alive = await tx.one(sql`select 1 from notifications
    where "id" = ${id} and "path" = ${Task.path} and "idEntity" = any(${tasks}::bigint[]) and not "deleted"`)
  if (alive) await records.asSystem.remove(Notification, id)
}
