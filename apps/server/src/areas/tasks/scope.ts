/**
 * The rights of packages/model/src/areas/tasks/rights.ts as SQL, so that the engine applies them to every list, count,
 * search, export, write and event. rights.property.test.ts checks that the two are equal.
 *
 * A row is evaluated by index only: from a task to its cards (`assigned."idTask"`), by primary key to column and board,
 * to the one membership (`members("idUser", "idBoard")`), and to the people of the task (`executors`,
 * `responsible("idTask", "idMember")`). The reverse, from a user to all visible tasks, uses `members("idUser")`,
 * `boards("idUser")`, `columns("idBoard")` and `assigned("idColumn")`.
 */
import type { LinkType } from '@ordinator/model/areas/tasks/link'
import { type TaskRight, taskRights } from '@ordinator/model/areas/tasks/rights'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Asker, RowCondition, RowSql, Scope } from '#records/define.ts'
import { cardSight, seesTask, taskSight } from './sight.ts'

/** Users with this right see and do everything on every workspace (spec §6: the bypass flag). */
const unless = 'bypassTaskRights'

type MemberFlag = 'canEditBoard' | 'canEditColumn' | 'canCreateTask' | 'canManuallyDragTask' | 'canRelationBoard'

/** SQL condition: the user has an active membership of the board, with the given flag. */
const isMember = (board: Sql, me: Sql, flag?: MemberFlag): Sql => sql`exists (
  select 1 from tasks_management_members sm where sm."idBoard" = ${board} and sm."idUser" = ${me} and not sm."deleted"
  ${flag ? sql`and sm.${raw(`"${flag}"`)}` : raw('')})`

/** SQL condition: the board is active, and the user owns it or is a member with the flag. */
const onBoard = (board: Sql, me: Sql, flag?: MemberFlag): Sql => sql`exists (
  select 1 from tasks_management_boards sb
  where sb."id" = ${board} and not sb."deleted" and (sb."idUser" = ${me} or ${isMember(sql`sb."id"`, me, flag)}))`

/**
 * SQL condition: the task has an executor or responsible, or the user is one. People who left the workspace do not
 * count.
 */
const hasPeople = (task: Sql, me?: Sql): Sql => {
  const among = (table: string) => sql`exists (
    select 1 from ${raw(table)} sp join tasks_management_members pm on pm."id" = sp."idMember"
    where sp."idTask" = ${task} and not pm."deleted" ${me ? sql`and pm."idUser" = ${me}` : raw('')})`
  return sql`(${among('tasks_management_executors')} or ${among('tasks_management_responsible')})`
}

/** `reachesTask` for the member `m` and the task `own`, by the level named by `levelOf`. */
function reaches(right: TaskRight, task: Sql, creator: Sql, me: Sql): Sql {
  const templates = right === 'view' ? raw("'all'") : raw('m."permissionToEditTemplates"')
  const level = sql`(case when own."isTemplate" then ${templates} else m.${raw(`"${taskRights[right]}"`)} end)`
  return sql`(${level} = 'all'
    or ${level} in ('my', 'emptymy') and (${hasPeople(task, me)} or ${creator} = ${me} and ${hasPeople(task)})
    or ${level} = 'emptymy' and not ${hasPeople(task)})`
}

/** An active column `c` on an active board `b`, with the user's membership `m` there, if any. */
const columnOnBoard = (me: Sql): Sql => sql`tasks_management_columns c
  join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
  left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = ${me} and not m."deleted"`

/** The active columns of active boards that match the condition on board `b` and the user's membership `m`. */
const columnsWhere = (me: Sql, which: Sql): Sql => sql`select c."id" from tasks_management_boards b
  join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
  left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = ${me} and not m."deleted"
  where not b."deleted" and (${which})`

/**
 * `mayWithTask`: the user's right reaches the task through one of its cards; a task without a card on an active board
 * belongs to its creator. The columns of each level are computed once for the user and then looked up row by row.
 * @param row alias of the task's row
 */
function withTask(right: TaskRight, row: Sql, me: Sql): Sql {
  const by = (level: Sql) => byLevel(level, sql`${row}."id"`, sql`${row}."idUser"`, me)
  const templates =
    right === 'view' ? sql`case when m."id" is not null then 'all' end` : raw('m."permissionToEditTemplates"')
  return sql`(case when ${row}."isTemplate" then ${by(templates)} else ${by(sql`m.${raw(`"${taskRights[right]}"`)}`)} end)`
}

/** The same for this level of the member `m`. */
function byLevel(level: Sql, task: Sql, creator: Sql, me: Sql): Sql {
  const whole = columnsWhere(me, sql`b."idUser" = ${me} or ${level} = 'all'`)
  const own = columnsWhere(me, sql`${level} in ('my', 'emptymy')`)
  const empty = columnsWhere(me, sql`${level} = 'emptymy'`)
  const card = (which: Sql) => sql`exists (
    select 1 from tasks_management_assigned a where a."idTask" = ${task} and not a."deleted" and (${which}))`
  return sql`(${card(sql`a."idColumn" in (${whole})
      or a."idColumn" in (${own}) and ${hasPeople(sql`a."idTask"`, me)}
      or a."idColumn" in (${empty}) and not ${hasPeople(sql`a."idTask"`)}`)}
    or ${creator} = ${me} and (not ${onSomeBoard(task)} or ${hasPeople(task)} and ${card(sql`a."idColumn" in (${own})`)}))`
}

const onSomeBoard = (task: Sql): Sql => sql`exists (
  select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
  join tasks_management_boards b on b."id" = c."idBoard"
  where a."idTask" = ${task} and not a."deleted" and not c."deleted" and not b."deleted")`

/** The same right, for a row that refers to an active task. */
const withTaskOf =
  (right: TaskRight, field = 'idTask'): RowCondition =>
  ({ row, ...asker }) =>
    withTaskAt(right, sql`${row}.${raw(`"${field}"`)}`, asker)

/** The right to the active task of this id. */
export const withTaskAt = (right: TaskRight, id: Sql, asker: Asker): Sql =>
  right === 'view'
    ? seesTask(id, asker)
    : sql`exists (select 1 from tasks_management_tasks st where st."id" = ${id} and not st."deleted"
  and ${withTask(right, raw('st'), asker.me)})`

const task =
  (right: TaskRight): RowCondition =>
  ({ row, me }) =>
    withTask(right, row, me)

/**
 * Scope of a card by its own board: the owner and members whose right there reaches the task. Access to the task
 * through another board does not count. A deleted card is treated alike, so that it can be restored.
 */
const card =
  (own: (about: RowSql) => Sql): RowCondition =>
  ({ row, me }) =>
    sql`exists (
  select 1 from ${columnOnBoard(me)} join tasks_management_tasks own on own."id" = ${row}."idTask" and not own."deleted"
  where c."id" = ${row}."idColumn" and not c."deleted" and (b."idUser" = ${me} or ${own({ row, me })}))`

/** A card whose task is editable by the right on the card's own board: required for its archive. */
export const editedCard: RowCondition = (about) => card(cardReach('edit'))(about)

const cardReach =
  (right: TaskRight) =>
  ({ row, me }: RowSql): Sql =>
    reaches(right, sql`${row}."idTask"`, sql`own."idUser"`, me)

/** The same for the view level, which every column of a board queries for each card: the columns are computed once. */
const isCardVisible: RowCondition = ({ row, me }) => {
  const level = sql`m."permissionToViewTasks"`
  const task = sql`own."id"`
  return sql`exists (select 1 from tasks_management_tasks own where own."id" = ${row}."idTask" and not own."deleted" and (
    own."isTemplate" and ${row}."idColumn" in (${columnsWhere(me, raw('m."id" is not null'))})
    or ${row}."idColumn" in (${columnsWhere(me, sql`b."idUser" = ${me} or ${level} = 'all'`)})
    or ${row}."idColumn" in (${columnsWhere(me, sql`${level} in ('my', 'emptymy')`)})
      and (${hasPeople(task, me)} or own."idUser" = ${me} and ${hasPeople(task)})
    or ${row}."idColumn" in (${columnsWhere(me, sql`${level} = 'emptymy'`)}) and not ${hasPeople(task)}))`
}

const everyone: RowCondition = () => raw('true')

/** Scope of boards; creating one is open to all task users. */
export const boardScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."isPublic" or ${row}."idUser" = ${me} or ${isMember(sql`${row}."id"`, me)})`,
  create: everyone,
  update: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${isMember(sql`${row}."id"`, me, 'canEditBoard')})`,
  delete: ({ row, me }) => sql`${row}."idUser" = ${me}`,
}

const byBoard =
  (flag?: MemberFlag): RowCondition =>
  ({ row, me }) =>
    onBoard(sql`${row}."idBoard"`, me, flag)

/** Visible with the board. */
export const columnScope: Scope = {
  unless,
  create: byBoard('canEditColumn'),
  update: byBoard('canEditColumn'),
  delete: byBoard('canEditColumn'),
}

/** Contents of a workspace: for its members only, even if it is public. Written with the board. */
export const insideScope: Scope = { unless, view: byBoard() }

/**
 * Members see each other; non-members of a public board do not see them. The own membership can be changed in part, and
 * left.
 */
export const memberScope: Scope = {
  unless,
  view: byBoard(),
  create: byBoard('canEditBoard'),
  update: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${onBoard(sql`${row}."idBoard"`, me, 'canEditBoard')})`,
  delete: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${onBoard(sql`${row}."idBoard"`, me, 'canEditBoard')})`,
}

/** The hook checks the right to create a task on the column's board. */
export const taskScope: Scope = {
  unless,
  view: task('view'),
  sight: taskSight,
  create: everyone,
  update: task('edit'),
  delete: task('delete'),
}

/** The hook checks the changed fields: a move and the archive need different rights. */
export const assignedScope: Scope = {
  unless,
  view: isCardVisible,
  sight: cardSight,
  create: card(({ row, me }) => sql`(m."canCreateTask" or m."canRelationBoard" or ${cardReach('edit')({ row, me })})`),
  update: card(
    ({ row, me }) => sql`(m."canManuallyDragTask" or m."canRelationBoard" or ${cardReach('edit')({ row, me })})`,
  ),
  delete: card(cardReach('delete')),
}

/** Visible with the task, assigned and removed by the right to assign. */
export const personScope: Scope = {
  unless,
  create: withTaskOf('assign'),
  update: withTaskOf('assign'),
  delete: withTaskOf('assign'),
}

/** A file is visible to its author, and with every task, comment, poll and workspace it is attached to. */
export const fileScope: Scope = {
  unless,
  view: ({ row, ...asker }) => sql`(${row}."idUser" = ${asker.me} or exists (
    select 1 from tasks_management_task_files f where f."idFile" = ${row}."id" and not f."deleted"
    and ${withTaskOf('view')({ row: raw('f'), ...asker })}) or exists (
    select 1 from tasks_management_comment_files cf join tasks_management_comments co on co."id" = cf."idComment"
    where cf."idFile" = ${row}."id" and not cf."deleted" and not co."deleted"
    and ${commented('view')({ row: raw('co'), ...asker })}) or exists (
    select 1 from tasks_management_resources re where re."idFile" = ${row}."id" and not re."deleted"
    and ${onBoard(sql`re."idBoard"`, asker.me)}) or exists (
    select 1 from tasks_management_polls pl where pl."image" = ${row}."id" and not pl."deleted"
    and ${(linkedScope('poll').view as RowCondition)({ row: raw('pl'), ...asker })}))`,
}

/** A subtask link is visible to those who see the subtask and, if its parent must be hidden from them, the parent. */
export const subtaskScope: Scope = {
  unless,
  view: (about) =>
    sql`(${withTaskOf('view')(about)} and (${about.row}."canViewUpperTask" or ${withTaskOf('view', 'idParentTask')(about)}))`,
  create: withTaskOf('edit', 'idParentTask'),
  update: withTaskOf('edit', 'idParentTask'),
  delete: (about) => sql`(${withTaskOf('edit', 'idParentTask')(about)} or ${withTaskOf('edit')(about)})`,
}

/** Linked records are visible with each of their tasks; unlinked ones belong to their creator. */
export const linkedScope = (type: LinkType): Scope => {
  const linked = (row: Sql, more: Sql) => sql`exists (select 1 from tasks_management_entities le
    where le."type" = ${raw(`'${type}'`)} and le."idEntity" = ${row}."id" and not le."deleted" ${more})`
  const by =
    (right: TaskRight): RowCondition =>
    ({ row, ...asker }) =>
      sql`(${linked(row, sql`and ${withTaskAt(right, sql`le."idTask"`, asker)}`)} or ${row}."idUser" = ${asker.me} and not ${linked(row, raw(''))})`
  return { unless, view: by('view'), create: everyone, update: by('edit') }
}

const ofEditedCheckList: RowCondition = ({ row, ...asker }) => sql`exists (select 1 from tasks_management_check_lists cl
  where cl."id" = ${row}."idCheckList" and not cl."deleted" and ${(linkedScope('checklist').update as RowCondition)({ row: raw('cl'), ...asker })})`

/** An item is also ticked by its executor; the hook rejects other changes. */
export const checkListItemScope: Scope = {
  unless,
  create: ofEditedCheckList,
  update: (about) => sql`(${ofEditedCheckList(about)}
    or exists (select 1 from tasks_management_members im where im."id" = ${about.row}."idExecutor" and im."idUser" = ${about.me} and not im."deleted"))`,
  delete: ofEditedCheckList,
}

/** Users who see a poll vote in it, for themselves. */
export const pollResultScope: Scope = {
  unless,
  create: ({ row, ...asker }) => sql`(${row}."idUser" = ${asker.me} and exists (
    select 1 from tasks_management_poll_options po join tasks_management_polls pl on pl."id" = po."idPoll" and not pl."deleted"
    where po."id" = ${row}."idOption" and not po."deleted" and ${(linkedScope('poll').view as RowCondition)({ row: raw('pl'), ...asker })}))`,
  update: ({ row, me }) => sql`${row}."idUser" = ${me}`,
  delete: ({ row, me }) => sql`${row}."idUser" = ${me}`,
}

const commented =
  (right: TaskRight, flag?: MemberFlag): RowCondition =>
  ({ row, ...asker }) =>
    sql`(${row}."type" = 'task' and ${withTaskAt(right, sql`${row}."idEntity"`, asker)}
      or ${row}."type" = 'board' and ${onBoard(sql`${row}."idEntity"`, asker.me, flag)})`

/**
 * Comments are read and written by all who see their subject; the author edits them, a master of the board deletes
 * them.
 */
export const commentScope: Scope = {
  unless,
  view: commented('view'),
  create: (about) => sql`(${about.row}."idUser" = ${about.me} and ${commented('view')(about)})`,
  update: (about) =>
    sql`(${about.row}."idUser" = ${about.me} and not ${about.row}."isSystem" and ${commented('view')(about)})`,
  delete: (about) =>
    sql`(not ${about.row}."isSystem" and (${about.row}."idUser" = ${about.me} and ${commented('view')(about)} or ${commented('delete', 'canEditBoard')(about)}))`,
}

/** Users watch for themselves; users who assign people may remove a watcher. */
export const watcherScope: Scope = {
  unless,
  create: (about) => sql`(${about.row}."idUser" = ${about.me} and ${withTaskOf('view')(about)})`,
  update: ({ row, me }) => sql`${row}."idUser" = ${me}`,
  delete: (about) => sql`(${about.row}."idUser" = ${about.me} or ${withTaskOf('assign')(about)})`,
}
