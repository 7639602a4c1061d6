/** Counters of a task, and of a member's tasks, as SQL: computed only when `fields` requests them. */
import type { LinkType } from '@ordinator/model/areas/tasks/link'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { type ComputedSql, count } from '#records/define.ts'
import { withTaskAt } from './scope.ts'

const number = (from: Sql): Sql => sql`(select count(*)::int from ${from})`

const links = (type: LinkType) =>
  count('entities', { whoever: true, where: ({ row }) => sql`${row}."type" = ${raw(`'${type}'`)}` })

/** Counts only visible records: a number alone would reveal the others. */
const isTaskVisible = (id: Sql, about: ComputedSql): Sql =>
  about.holds('bypassTaskRights') ? raw('true') : withTaskAt('view', id, about)

const subtasksOf = (about: ComputedSql): Sql => sql`tasks_management_subtasks cs
  join tasks_management_tasks ct on ct."id" = cs."idTask" and not ct."deleted"
  where cs."idParentTask" = ${about.row}."id" and not cs."deleted" and ${isTaskVisible(sql`cs."idTask"`, about)}`

const commentsOf = (row: Sql): Sql => sql`tasks_management_comments cc
  where cc."type" = 'task' and cc."idEntity" = ${row}."id" and not cc."deleted" and not cc."isSystem"`

const counters: Record<string, (about: ComputedSql) => Sql> = {
  checkListCount: ({
    row,
  }) => sql`(select json_build_object('total', count(*)::int, 'complete', (count(*) filter (where ci."isCheck"))::int)
    from tasks_management_entities ce
    join tasks_management_check_lists cl on cl."id" = ce."idEntity" and not cl."deleted"
    join tasks_management_check_list_items ci on ci."idCheckList" = cl."id" and not ci."deleted"
    where ce."idTask" = ${row}."id" and ce."type" = 'checklist' and not ce."deleted")`,
  clientListCount: links('clientlist'),
  customersCount: ({ row }) => sql`(select count(distinct ci."idCustomer")::int from tasks_management_entities ce
    join tasks_management_client_list_items ci on ci."idClientList" = ce."idEntity" and not ci."deleted"
    where ce."idTask" = ${row}."id" and ce."type" = 'clientlist' and not ce."deleted")`,
  pollsCount: links('poll'),
  liveAssistCount: links('liveassist'),
  leadsCount: links('lead'),
  commentsCount: ({ row }) => number(commentsOf(row)),
  numberOfUnreadComments: ({ row, me }) =>
    number(sql`${commentsOf(row)} and cc."idUser" <> ${me} and cc."id" > coalesce((
    select cr."idComment" from tasks_management_comment_reads cr
    where cr."idUser" = ${me} and cr."type" = 'task' and cr."idEntity" = ${row}."id"), 0)`),
  subtasksCount: (about) => number(subtasksOf(about)),
  subtasksCompletedCount: (about) => number(sql`${subtasksOf(about)} and ct."isCompleted"`),
  parentTasksCount: (about) =>
    number(sql`tasks_management_subtasks cs
    join tasks_management_tasks ct on ct."id" = cs."idParentTask" and not ct."deleted"
    where cs."idTask" = ${about.row}."id" and not cs."deleted"
      and (cs."canViewUpperTask" or ${isTaskVisible(sql`cs."idParentTask"`, about)})`),
  isWatched: ({ row, me }) =>
    sql`exists (select 1 from tasks_management_watchers cw where cw."idTask" = ${row}."id" and cw."idUser" = ${me})`,
}

/** The counter's value for a task without links. */
const none = (counter: string): Sql => {
  if (counter === 'checkListCount') return raw(`'{"total":0,"complete":0}'::json`)
  return raw(counter === 'isWatched' ? 'false' : '0')
}

export const taskCounters = Object.fromEntries(
  Object.entries(counters).map(([name, of]) => [
    name,
    (about: ComputedSql): Sql => (about.isNew ? none(name) : of(about)),
  ]),
)

/**
 * Open tasks on the member's board that it executes and the user sees, with an end on these days of the user's
 * calendar.
 */
const openTasks =
  (which: (day: Sql, today: Sql) => Sql) =>
  (about: ComputedSql): Sql => {
    const { row, me } = about
    const zone = sql`coalesce((select nullif(cu."timeZone", '') from users cu where cu."id" = ${me}),
      ${clinicZone})`
    const day = sql`(ct."dateEnd" at time zone ${zone})::date`
    return number(sql`tasks_management_executors cx
      join tasks_management_tasks ct on ct."id" = cx."idTask" and not ct."deleted" and not ct."isCompleted"
        and not ct."isArchive" and not ct."isTemplate"
      where cx."idMember" = ${row}."id" and ${which(day, sql`(now() at time zone ${zone})::date`)}
        and ${isTaskVisible(sql`ct."id"`, about)}`)
  }

export const memberCounters: Record<string, (about: ComputedSql) => Sql> = {
  tasksToday: openTasks((day, today) => sql`${day} = ${today}`),
  tasksTomorrow: openTasks((day, today) => sql`${day} = ${today} + 1`),
  tasksYesterday: openTasks((day, today) => sql`${day} = ${today} - 1`),
  tasksOther: openTasks((day, today) => sql`(${day} is null or ${day} not between ${today} - 1 and ${today} + 1)`),
}
