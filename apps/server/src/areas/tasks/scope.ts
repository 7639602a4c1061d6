/**
 * The rights of packages/model/src/areas/tasks/rights.ts as SQL, so that the engine puts them into every list, count,
 * search, export, write and event. rights.property.test.ts holds the two equal.
 *
 * A row's fate is found by index alone: from a task to its cards (`assigned."idTask"`), by primary key to column and
 * board, to the one membership (`members("idUser", "idBoard")`), and to the people of the task
 * (`executors`, `responsible("idTask", "idMember")`). The other way round, from a user to all that he sees, goes by
 * `members("idUser")`, `boards("idUser")`, `columns("idBoard")` and `assigned("idColumn")`.
 */
import type { LinkType } from '@ordinator/model/areas/tasks/link'
import { type TaskRight, taskRights } from '@ordinator/model/areas/tasks/rights'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Asker, RowCondition, RowSql, Scope } from '#records/define.ts'
import { cardSight, seesTask, taskSight } from './sight.ts'

/** Holders see and do everything on every workspace (spec §6: the bypass flag). */
const unless = 'bypassTaskRights'

type MemberFlag = 'canEditBoard' | 'canEditColumn' | 'canCreateTask' | 'canManuallyDragTask' | 'canRelationBoard'

/** The user has a living membership of the board, with the flag where one is named. */
const isMember = (board: Sql, me: Sql, flag?: MemberFlag): Sql => sql`exists (
  select 1 from tasks_management_members sm where sm."idBoard" = ${board} and sm."idUser" = ${me} and not sm."deleted"
  ${flag ? sql`and sm.${raw(`"${flag}"`)}` : raw('')})`

/** The board lives, and the user owns it or is a member with the flag. */
const onBoard = (board: Sql, me: Sql, flag?: MemberFlag): Sql => sql`exists (
  select 1 from tasks_management_boards sb
  where sb."id" = ${board} and not sb."deleted" and (sb."idUser" = ${me} or ${isMember(sql`sb."id"`, me, flag)}))`

/** Somebody is executor or responsible of the task, or the user is. Those who left the workspace no longer count. */
const hasPeople = (task: Sql, me?: Sql): Sql => {
  const among = (table: string) => sql`exists (
    select 1 from ${raw(table)} sp join tasks_management_members pm on pm."id" = sp."idMember"
    where sp."idTask" = ${task} and not pm."deleted" ${me ? sql`and pm."idUser" = ${me}` : raw('')})`
  return sql`(${among('tasks_management_executors')} or ${among('tasks_management_responsible')})`
}

/** `reachesTask` for the member `m` and the task `own`, by the level that `levelOf` names. */
function reaches(right: TaskRight, task: Sql, creator: Sql, me: Sql): Sql {
  const templates = right === 'view' ? raw("'all'") : raw('m."permissionToEditTemplates"')
  const level = sql`(case when own."isTemplate" then ${templates} else m.${raw(`"${taskRights[right]}"`)} end)`
  return sql`(${level} = 'all'
    or ${level} in ('my', 'emptymy') and (${hasPeople(task, me)} or ${creator} = ${me} and ${hasPeople(task)})
    or ${level} = 'emptymy' and not ${hasPeople(task)})`
}

/** A living column `c` on a living board `b`, with the user's membership `m` there, if any. */
const columnOnBoard = (me: Sql): Sql => sql`tasks_management_columns c
  join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
  left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = ${me} and not m."deleted"`

/** The living columns of the living boards where the condition on board `b` and the user's membership `m` holds. */
const columnsWhere = (me: Sql, which: Sql): Sql => sql`select c."id" from tasks_management_boards b
  join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
  left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = ${me} and not m."deleted"
  where not b."deleted" and (${which})`

/**
 * `mayWithTask`: the user's right reaches the task through one of its cards; a task without a card on a living board is
 * its creator's. The columns of each level are found once for the user and then only looked up, row by row.
 * @param row alias of the task's row
 */
function withTask(right: TaskRight, row: Sql, me: Sql): Sql {
  const by = (level: Sql) => byLevel(level, sql`${row}."id"`, sql`${row}."idUser"`, me)
  const templates =
    right === 'view' ? sql`case when m."id" is not null then 'all' end` : raw('m."permissionToEditTemplates"')
  return sql`(case when ${row}."isTemplate" then ${by(templates)} else ${by(sql`m.${raw(`"${taskRights[right]}"`)}`)} end)`
}

/** The same by this level of the member `m`. */
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

/** The same right, for a row that names a living task. */
const withTaskOf =
  (right: TaskRight, field = 'idTask'): RowCondition =>
  ({ row, ...asker }) =>
    withTaskAt(right, sql`${row}.${raw(`"${field}"`)}`, asker)

/** The right to the living task of this id. */
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
 * A card's own board decides: its owner and its members to whom the right there reaches the task. Who sees the task
 * through another board learns nothing of this one. A deleted card is judged alike, so that it can be brought back.
 */
const card =
  (own: (about: RowSql) => Sql): RowCondition =>
  ({ row, me }) =>
    sql`exists (
  select 1 from ${columnOnBoard(me)} join tasks_management_tasks own on own."id" = ${row}."idTask" and not own."deleted"
  where c."id" = ${row}."idColumn" and not c."deleted" and (b."idUser" = ${me} or ${own({ row, me })}))`

/** A card whose task one may edit by the right on the card's own board: what its archive takes. */
export const editedCard: RowCondition = (about) => card(cardReach('edit'))(about)

const cardReach =
  (right: TaskRight) =>
  ({ row, me }: RowSql): Sql =>
    reaches(right, sql`${row}."idTask"`, sql`own."idUser"`, me)

/** The same for the level of seeing, which every column of a board asks of each card: the columns are found once. */
const seenCard: RowCondition = ({ row, me }) => {
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

/** Who sees a board at all; creating one is free to all who may use tasks. */
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

/** Seen with the board. */
export const columnScope: Scope = {
  unless,
  create: byBoard('canEditColumn'),
  update: byBoard('canEditColumn'),
  delete: byBoard('canEditColumn'),
}

/** What is inside a workspace: for its people alone, public or not. It is written with the board. */
export const insideScope: Scope = { unless, view: byBoard() }

/** Members see each other; on a public board nobody else does. The own membership may be changed in part, and left. */
export const memberScope: Scope = {
  unless,
  view: byBoard(),
  create: byBoard('canEditBoard'),
  update: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${onBoard(sql`${row}."idBoard"`, me, 'canEditBoard')})`,
  delete: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${onBoard(sql`${row}."idBoard"`, me, 'canEditBoard')})`,
}

/** The right to create a task is asked of its column's board, by the hook. */
export const taskScope: Scope = {
  unless,
  view: task('view'),
  sight: taskSight,
  create: everyone,
  update: task('edit'),
  delete: task('delete'),
}

/** Which of its fields one may change is told apart by the hook: a move and the archive take different rights. */
export const assignedScope: Scope = {
  unless,
  view: seenCard,
  sight: cardSight,
  create: card(({ row, me }) => sql`(m."canCreateTask" or m."canRelationBoard" or ${cardReach('edit')({ row, me })})`),
  update: card(
    ({ row, me }) => sql`(m."canManuallyDragTask" or m."canRelationBoard" or ${cardReach('edit')({ row, me })})`,
  ),
  delete: card(cardReach('delete')),
}

/** Seen with the task, given and taken by the right to assign. */
export const personScope: Scope = {
  unless,
  create: withTaskOf('assign'),
  update: withTaskOf('assign'),
  delete: withTaskOf('assign'),
}

/** A file is seen by who sent it, and with every task, comment, poll and workspace that it is attached to. */
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

/** A subtask is told of to those who see it and, unless its upper task is to be hidden from them, of what it is a part. */
export const subtaskScope: Scope = {
  unless,
  view: (about) =>
    sql`(${withTaskOf('view')(about)} and (${about.row}."canViewUpperTask" or ${withTaskOf('view', 'idParentTask')(about)}))`,
  create: withTaskOf('edit', 'idParentTask'),
  update: withTaskOf('edit', 'idParentTask'),
  delete: (about) => sql`(${withTaskOf('edit', 'idParentTask')(about)} or ${withTaskOf('edit')(about)})`,
}

/** What is linked to tasks goes with each of them; what is linked to none is its creator's. */
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

/** An item is ticked by its executor too: that it is not changed otherwise, the hook says. */
export const checkListItemScope: Scope = {
  unless,
  create: ofEditedCheckList,
  update: (about) => sql`(${ofEditedCheckList(about)}
    or exists (select 1 from tasks_management_members im where im."id" = ${about.row}."idExecutor" and im."idUser" = ${about.me} and not im."deleted"))`,
  delete: ofEditedCheckList,
}

/** Who sees a poll votes in it, for oneself. */
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

/** Comments are read and written by all who see what they are about; the author changes them, a master of the board removes them. */
export const commentScope: Scope = {
  unless,
  view: commented('view'),
  create: (about) => sql`(${about.row}."idUser" = ${about.me} and ${commented('view')(about)})`,
  update: (about) =>
    sql`(${about.row}."idUser" = ${about.me} and not ${about.row}."isSystem" and ${commented('view')(about)})`,
  delete: (about) =>
    sql`(not ${about.row}."isSystem" and (${about.row}."idUser" = ${about.me} and ${commented('view')(about)} or ${commented('delete', 'canEditBoard')(about)}))`,
}

/** One watches for oneself; whoever may assign people may also take a watcher off. */
export const watcherScope: Scope = {
  unless,
  create: (about) => sql`(${about.row}."idUser" = ${about.me} and ${withTaskOf('view')(about)})`,
  update: ({ row, me }) => sql`${row}."idUser" = ${me}`,
  delete: (about) => sql`(${about.row}."idUser" = ${about.me} or ${withTaskOf('assign')(about)})`,
}
