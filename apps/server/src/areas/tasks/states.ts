/**
 * Effects of a change of a task's state (design §10): its cards move to the linked columns of all its boards, a line is
 * written, the people concerned are notified, and parents whose last subtask has closed follow.
 * The rules themselves are in packages/model/src/areas/tasks/states.ts.
 */
import type { Board } from '@ordinator/model/areas/tasks/board'
import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import {
  isLate,
  needsComment,
  type Ruling,
  rulingOn,
  stateColumns,
  stateFlags,
  stateOf,
  type TaskState,
  transitionOf,
  type Verb,
  verbOfFlags,
  verbs,
  verbTo,
  writesOf,
} from '@ordinator/model/areas/tasks/states'
import { type Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Create, Row, Update } from '@ordinator/model/entity'
import { wordsOfHtml } from '@ordinator/model/mentions'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { columnOfState, putCards } from './bulk.ts'
import { type Concerned, notifyOfTask } from './notices.ts'
import { boardsOfTask, isBypass, relationTo, standingsOn } from './standing.ts'
import { changeState, mannerOf, type StateNote } from './stateWrites.ts'
import { closeParents } from './subtaskEnds.ts'
import { takeBackTo } from './takeBack.ts'

type TaskRow = Row<typeof Task>

/** Whether the actor may use the verb on the task, over all its boards. */
export async function rulingFor(
  { actor, tx }: Pick<WriteContext, 'actor' | 'tx'>,
  verb: Verb,
  task: TaskRow,
): Promise<Ruling> {
  const boards = (await boardsOfTask(tx, task.id)).map((on) => on.idBoard)
  const on = await standingsOn(tx, actor, boards)
  return rulingOn(verb, task, await relationTo(tx, actor.id, task.id), [...on.values()], isBypass(actor))
}

/** @throws ValidationError when flags contradict each other */
export function checkFlags(value: Update<typeof Task>, before: TaskRow | undefined): void {
  const asked = verbOfFlags(before ?? untouched, value)
  if ('field' in asked) throw new ValidationError([asked])
}

const untouched = { isCompleted: false, isWaitCheck: false, isNeedChange: false, dateWorkStart: null }

/**
 * Applies the rules of the verb that an update's flags map to; the verb determines the final values.
 * System code is trusted; the verb fills in the missing flags.
 */
export async function applyFlags(context: WriteContext, value: Update<typeof Task>, before: TaskRow): Promise<void> {
  // An undo is written as it was.
  if (mannerOf(context.tx, before.id) === 'silent') return
  const asked = verbOfFlags(before, value)
  const verb = 'verb' in asked ? asked.verb : undefined
  if (verb) {
    const now = new Date().toISOString()
    if (context.actor.system) {
      const to = verb === 'handIn' ? 'wait' : verb === 'complete' || verb === 'accept' ? 'completed' : 'work'
      Object.assign(value, { ...writesOf(verb, to, before, now), ...value })
    } else {
      if (verb === 'sendBack') throw new ValidationError([{ field: 'isNeedChange', message: needsComment }])
      const ruling = await rulingFor(context, verb, before)
      if (ruling.refused !== undefined) throw forbidden(ruling.refused)
      Object.assign(value, writesOf(verb, ruling.to, before, now))
    }
  }
  keepExpiry(value, before)
}

/** Clears the late mark of a task with a future end, or a completed one. */
function keepExpiry(value: Update<typeof Task>, before: TaskRow): void {
  if (!before.dateExpired) return
  const { dateEnd = before.dateEnd, isCompleted = before.isCompleted } = value
  if (isCompleted || !dateEnd || Date.parse(dateEnd) > Date.now()) Object.assign(value, { dateExpired: null })
}

/** After a write of a task: updates cards, line, notices and parents by its state. */
export async function followState(context: WriteContext, task: TaskRow, before: TaskRow): Promise<void> {
  const manner = mannerOf(context.tx, task.id)
  if (manner === 'silent') return
  const verb = transitionOf(before, task)
  if (!verb) {
    if (before.dateExpired && !task.dateExpired)
      await putCards(context.records, [task.id], columnOfState, sql`a."idColumn" = b."idColumnExpired"`)
    return
  }
  await putCards(context.records, [task.id], columnOfState, sql`true`, before.isCompleted)
  // Jobs write their own lines.
  if (context.actor.id !== 0) await say(context, task, verb, manner)
  if (verb === 'complete' || verb === 'accept') await closeParents(context, task.id)
}

const notices: Record<Verb, { event: string; title: string; to: readonly Concerned[] }> = {
  start: { event: 'started', title: 'Задача взята в работу', to: ['watchers'] },
  handIn: { event: 'handIn', title: 'Задача ждёт проверки', to: ['creator', 'responsible', 'watchers'] },
  accept: { event: 'accepted', title: 'Работа принята', to: ['executors', 'creator', 'watchers'] },
  sendBack: { event: 'sentBack', title: 'Нужны правки', to: ['executors', 'creator', 'watchers'] },
  complete: { event: 'completed', title: 'Задача завершена', to: ['executors', 'creator', 'watchers'] },
  reopen: { event: 'reopened', title: 'Задача снова в работе', to: ['executors', 'creator', 'watchers'] },
  withdraw: { event: 'withdrawn', title: 'Задача снята с проверки', to: ['creator', 'responsible', 'watchers'] },
  reset: { event: 'reset', title: 'Задача возвращена в новые', to: ['executors', 'creator', 'watchers'] },
}

async function say(
  context: WriteContext,
  task: TaskRow,
  verb: Verb,
  { comment, line = verbs[verb].line }: StateNote = {},
): Promise<void> {
  const { actor, records } = context
  const about = { type: 'task', idEntity: task.id, idUser: actor.id, meta: { verb } } as const
  await records.asSystem.create(TaskComment, { ...about, message: line, isSystem: true })
  if (comment) await records.asSystem.create(TaskComment, { ...about, message: comment })
  const { event, title, to } = notices[verb]
  const text = comment ? `${task.name}: ${wordsOfHtml(comment)}` : task.name
  await notifyOfTask(context, task, { event, title, text, to })
}

/** Sets the column's state on a task created in a linked column, unless its body has one. */
export async function giveState({ actor, tx }: WriteContext, value: Create<typeof Task>): Promise<void> {
  if (!value.idColumn || value.isTemplate || stateFlags.some((flag) => value[flag])) return
  const late = isLate({ ...untouched, dateEnd: value.dateEnd ?? null })
  if (!late && !actor.system && (await stateOfColumn(tx, value.idColumn)) === 'expired') throw forbidden(notLate)
  Object.assign(value, await stateInColumn(tx, value.idColumn))
}

/** Fields that the state of a linked column sets in a new task. */
export async function stateInColumn(db: Queryable, idColumn: number): Promise<Partial<TaskRow>> {
  const state = await stateOfColumn(db, idColumn)
  const verb = state && state !== 'expired' ? verbTo('new', state) : undefined
  return verb ? writesOf(verb, state as TaskState, untouched, new Date().toISOString()) : {}
}

const notLate = 'В колонке просроченных бывают только задачи, срок которых прошёл'

/** The state that the board links to the column. */
async function stateOfColumn(db: Queryable, idColumn: number): Promise<TaskState | 'expired' | undefined> {
  const board = await db.one<Row<typeof Board>>(sql`select b.* from tasks_management_boards b
    join tasks_management_columns c on c."idBoard" = b."id" where c."id" = ${idColumn}`)
  if (board?.idColumnExpired === idColumn) return 'expired'
  return (Object.keys(stateColumns) as TaskState[]).find((state) => board?.[stateColumns[state]] === idColumn)
}

/**
 * A card dropped into a linked column: the task gets the column's state, or the move is refused.
 * @throws HttpError 403 with the reason
 */
export async function dropInto(context: WriteContext, card: Row<typeof Assigned>): Promise<void> {
  const { tx, records } = context
  const target = await stateOfColumn(tx, card.idColumn)
  if (!target) return
  await tx.query(sql`select 1 from tasks_management_tasks where "id" = ${card.idTask} for no key update`)
  const task = await records.asSystem.row(Task, card.idTask)
  if (task.isTemplate) return
  if (target === 'expired') {
    if (!isLate(task)) throw forbidden(notLate)
    return
  }
  const verb = verbTo(stateOf(task), target)
  if (!verb) return
  const ruling = await rulingFor(context, verb, task)
  if (ruling.refused === undefined && ruling.to === target) return changeState(context, task, verb, target)
  // Moving a card back undoes its last move.
  if (await takeBackTo(context, task, target, card.id)) return
  throw forbidden(ruling.refused ?? 'Завершит задачу тот, кто её проверяет: перенесите её на проверку')
}
