import { overdueToDo } from '@ordinator/model/areas/tasks/mine'
import { mayCreateTask, mayWithTask } from '@ordinator/model/areas/tasks/rights'
import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Assigned, Executor, Responsible, Task, TaskTag, Watcher, wrongDates } from '@ordinator/model/areas/tasks/task'
import { queryText } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { forbidden, ValidationError } from '#platform/errors.ts'
import { announceReset } from '#realtime/index.ts'
import { type ComputedSql, count, records, type WriteContext } from '#records/define.ts'
import { firstColumn } from './boards.ts'
import { cardAddress, cardPlace } from './cardLinks.ts'
import { taskCounters } from './counters.ts'
import { notifyOfTask } from './notices.ts'
import { hasReminder, keepReminder } from './reminders.ts'
import { personScope, taskScope, watcherScope } from './scope.ts'
import { taskContains, taskText } from './search.ts'
import { boardsOfTask, relationTo, standingAtColumn } from './standing.ts'
import { applyFlags, checkFlags, followState, giveState } from './states.ts'
import { prepareSubtask } from './subtasks.ts'
import { checkNewTemplate } from './templates.ts'

/** The people of the task, each once; those who left a workspace do not count. */
const countPeople = ({ row, isNew }: ComputedSql): Sql =>
  isNew
    ? raw('0')
    : sql`(select count(distinct m."idUser")::int from (
      select "idMember" from tasks_management_executors where "idTask" = ${row}."id"
      union all select "idMember" from tasks_management_responsible where "idTask" = ${row}."id"
    ) p join tasks_management_members m on m."id" = p."idMember" and not m."deleted")`

export const task = records(Task, {
  found: {
    on: 'tasks',
    group: 'Задачи',
    by: ['name'],
    day: 'dateEnd',
    opens: (about) =>
      sql`case when not ${about.row}."isTemplate"
        then coalesce(${cardAddress(about, sql`${about.row}."id"`)}, '/tasks/mine?task=' || ${about.row}."id") end`,
    hint: (about) => sql`coalesce(${cardPlace(about, sql`${about.row}."id"`)}, 'вне пространств')`,
  },
  thread: {
    of: 'customers',
    kind: 'tasks',
    name: 'Задачи',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`not ${row}."isTemplate" and ${row}."id" in (
      select tl."idTask" from tasks_management_client_list_items ci
      join tasks_management_client_lists cl on cl."id" = ci."idClientList" and not cl."deleted"
      join tasks_management_entities tl on tl."type" = 'clientlist' and tl."idEntity" = cl."id" and not tl."deleted"
      where ci."idCustomer" = ${id} and not ci."deleted")`,
    title: ({ row }) => sql`${row}."name"`,
    hint: (about) => cardPlace(about, sql`${about.row}."id"`),
    opens: (about) => cardAddress(about, sql`${about.row}."id"`),
    author: ({ row }) => sql`${row}."idUser"`,
  },
  // The overdue ones of «Мои задачи».
  awaiting: {
    page: 'myTasks',
    of: (me) =>
      Object.fromEntries(new URLSearchParams(queryText({ filter: overdueToDo(me, new Date().toISOString()) }))),
  },
  scope: taskScope,
  computed: {
    usersTotalCount: countPeople,
    filesCount: count('files'),
    text: taskText,
    ...taskCounters,
  },
  contains: { text: taskContains },
  hooks: {
    prepare(value, before) {
      const { dateStart = before?.dateStart, dateEnd = before?.dateEnd } = value
      checkDates({ dateStart, dateEnd })
      checkFlags(value, before)
      if (!before && value.isCompleted) Object.assign(value, { dateCompleted: new Date().toISOString() })
    },
    createTakesHooks: (value) =>
      [value.idColumn, value.idParentTask, value.idCover].some((id) => id != null) ||
      value.isTemplate === true ||
      hasReminder(value),
    async beforeCreate(context, value) {
      const { actor, tx } = context
      keepReminder({ actor }, value)
      if (value.idCover)
        throw new ValidationError([{ field: 'idCover', message: 'Обложкой может быть только вложение задачи' }])
      await prepareSubtask(context, value)
      if (value.isTemplate) await checkNewTemplate({ actor, tx }, value)
      else if (value.idColumn && !mayCreateTask(await standingAtColumn(tx, actor, value.idColumn))) {
        throw forbidden('Вам нельзя создавать задачи в этом рабочем пространстве')
      }
      await giveState(context, value)
    },
    async afterCreate(context, task, value) {
      const system = context.records.asSystem
      if (value.idColumn) {
        await system.create(Assigned, { idTask: task.id, idColumn: value.idColumn })
        await givePeople(context, task, value.idColumn)
      }
      if (value.idParentTask) await system.create(Subtask, { idParentTask: value.idParentTask, idTask: task.id })
    },
    async beforeUpdate(context, value, before) {
      keepReminder(context, value, before)
      await applyFlags(context, value, before)
      if (value.idCover && value.idCover !== before.idCover) await checkCover(context.tx, before.id, value.idCover)
    },
    afterUpdate: followState,
    // The task's columns may be deleted meanwhile; it is restored to its boards.
    async afterRestore({ records, tx }, task) {
      const lost = await tx.query<{ id: number; idBoard: number }>(sql`
        select a."id", c."idBoard" from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
        where a."idTask" = ${task.id} and not a."deleted" and c."deleted"`)
      for (const card of lost) {
        const idColumn = await firstColumn(tx, card.idBoard)
        if (idColumn) await records.asSystem.update(Assigned, card.id, { idColumn })
      }
    },
  },
})

function checkDates(value: { dateStart?: string | null; dateEnd?: string | null }): void {
  const message = wrongDates(value)
  if (message) throw new ValidationError([{ field: 'dateEnd', message }])
}

async function checkCover(tx: WriteContext['tx'], idTask: number, idFile: number): Promise<void> {
  const attached =
    await tx.one(sql`select 1 from tasks_management_task_files f join tasks_management_files x on x."id" = f."idFile"
    where f."idTask" = ${idTask} and f."idFile" = ${idFile} and not f."deleted" and not x."deleted" and x."meta" ->> 'category' = 'image'`)
  if (!attached)
    throw new ValidationError([{ field: 'idCover', message: 'Обложкой может быть только картинка из вложений задачи' }])
}

/**
 * Assigns people to a new task by the members' settings; a creator who would otherwise lose access to the task (level
 * «свои» requires an assignment) becomes its executor.
 */
async function givePeople(
  { actor, records, tx }: WriteContext,
  task: Row<typeof Task>,
  idColumn: number,
): Promise<void> {
  const system = records.asSystem
  const on = await standingAtColumn(tx, actor, idColumn)
  const defaults = await tx.query<{ id: number; idUser: number; responsible: boolean; executor: boolean }>(sql`
    select "id", "idUser",
      "isDefaultResponsible" or ("idUser" = ${task.idUser} and "isTaskDefaultResponsible") as responsible,
      "idUser" = ${task.idUser} and "isTaskDefaultExecutor" as executor
    from tasks_management_members where "idBoard" = ${on.idBoard} and not "deleted"
      and ("isDefaultResponsible" or "idUser" = ${task.idUser}) order by "id"`)
  for (const { id: idMember, responsible, executor } of defaults) {
    if (responsible) await system.create(Responsible, { idTask: task.id, idMember })
    if (executor) await system.create(Executor, { idTask: task.id, idMember })
  }
  const creator = defaults.find((member) => member.idUser === task.idUser)
  if (!creator || !on.member || creator.id !== on.idMember) return
  const maySee = mayWithTask('view', await relationTo(tx, task.idUser, task.id), [on])
  // With level «none» being executor gives no access: such a member submits tasks and does not see them again.
  if (!maySee && !creator.executor && on.member.permissionToViewTasks !== 'none') {
    await system.create(Executor, { idTask: task.id, idMember: creator.id })
  }
}

/** The member of a person's row must be of a board with the task. */
async function checkPerson({ tx }: WriteContext, value: { idTask: number; idMember: number }): Promise<void> {
  const boards = (await boardsOfTask(tx, value.idTask)).map((on) => on.idBoard)
  const member = await tx.one<{ idBoard: number }>(
    sql`select "idBoard" from tasks_management_members where "id" = ${value.idMember} and not "deleted"`,
  )
  if (!member || !boards.includes(member.idBoard)) {
    throw new ValidationError([
      { field: 'idMember', message: 'Назначить можно только участника рабочего пространства задачи' },
    ])
  }
}

/** An assignment gives access to the task, for members who see only their own. */
async function resetPerson({ tx }: WriteContext, { idMember }: { idMember: number }): Promise<void> {
  const member = await tx.one<{ idUser: number }>(
    sql`select "idUser" from tasks_management_members where "id" = ${idMember}
      and "permissionToViewTasks" in ('my', 'emptymy') and not "deleted"`,
  )
  if (member) await announceReset(tx, [member.idUser], [Task.path, Assigned.path])
}

interface PersonRow {
  id: number
  idMember: number
  idTask: number
}

/** Notifies a person about an assigned task, unless they have it already by another membership. */
const notifyPerson =
  (table: 'executors' | 'responsible', title: string) =>
  async (context: WriteContext, row: PersonRow): Promise<void> => {
    await resetPerson(context, row)
    const person = await context.tx.one<{ idUser: number }>(sql`
      select m."idUser" from tasks_management_members m
      join tasks_management_tasks t on t."id" = ${row.idTask} and not t."isTemplate"
      where m."id" = ${row.idMember} and not exists (
        select 1 from ${raw(`tasks_management_${table}`)} p join tasks_management_members pm on pm."id" = p."idMember"
        where p."idTask" = ${row.idTask} and p."id" <> ${row.id} and pm."idUser" = m."idUser")`)
    if (!person || person.idUser === context.actor.id) return
    const task = await context.records.asSystem.row(Task, row.idTask)
    await notifyOfTask(context, task, { event: 'assigned', title, to: [], also: [person.idUser] })
  }

const personHooks = (table: 'executors' | 'responsible', title: string) => ({
  beforeCreate: checkPerson,
  afterCreate: notifyPerson(table, title),
  afterDelete: resetPerson,
})
export const executors = records(Executor, {
  scope: personScope,
  hooks: personHooks('executors', 'Вам назначена задача'),
})
export const responsible = records(Responsible, {
  scope: personScope,
  hooks: personHooks('responsible', 'Вы отвечаете за задачу'),
})
/** Visible with the task, changed by its editors. */
export const tags = records(TaskTag)
export const watchers = records(Watcher, { scope: watcherScope })
