/** Recipients of comment notices: each once, and only if the comment is visible to them. */
import { Board } from '@ordinator/model/areas/tasks/board'
import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { notify, whoSee } from '#areas/notifications/index.ts'
import type { WriteContext } from '#records/define.ts'
import { notifyOfTask } from './notices.ts'

type CommentRow = Row<typeof TaskComment>

/** Notifies the people of the task or the workspace, and the participants of the thread. */
export async function notifyOthers(
  context: WriteContext,
  comment: CommentRow,
  { spoke, notified }: { spoke: readonly number[]; notified: readonly number[] },
): Promise<void> {
  // A comment with a state change is announced with the change itself.
  if (comment.meta && 'verb' in (comment.meta as object)) return
  if (comment.type === 'task') {
    const task = await context.records.asSystem.row(Task, comment.idEntity)
    await notifyOfTask(context, task, {
      event: 'comment',
      title: `Комментарий к задаче «${task.name}»`,
      text: wordsOfHtml(comment.message),
      to: ['creator', 'executors', 'responsible', 'watchers'],
      also: spoke,
      except: notified,
    })
    return
  }
  const board = await context.records.asSystem.row(Board, comment.idEntity)
  const others = [board.idUser, ...spoke].filter((id) => !notified.includes(id))
  await notifyBoard(context, comment, board, 'comment', 'Комментарий в пространстве', others)
}

/** @returns those who see the comment, and so were notified */
export async function notifyMentioned(
  context: WriteContext,
  comment: CommentRow,
  idUsers: readonly number[],
): Promise<number[]> {
  const seers = await whoSee(context, TaskComment, comment.id, idUsers)
  if (seers.length === 0) return seers
  if (comment.type === 'task') {
    const task = await context.records.asSystem.row(Task, comment.idEntity)
    await notifyOfTask(context, task, {
      event: 'mention',
      title: `Вас упомянули в задаче «${task.name}»`,
      text: wordsOfHtml(comment.message),
      to: [],
      also: seers,
    })
  } else {
    const board = await context.records.asSystem.row(Board, comment.idEntity)
    await notifyBoard(context, comment, board, 'mention', 'Вас упомянули в пространстве', seers)
  }
  return seers
}

async function notifyBoard(
  context: WriteContext,
  comment: CommentRow,
  board: Row<typeof Board>,
  event: 'comment' | 'mention',
  words: string,
  idUsers: readonly number[],
): Promise<void> {
  await notify(context, await whoSee(context, TaskComment, comment.id, idUsers), {
    kind: `task.${event}`,
    title: `${words} «${board.name}»`,
    text: wordsOfHtml(comment.message).slice(0, 1000),
    path: Board.path,
    idEntity: board.id,
    link: `/tasks?board=${board.id}`,
  })
}
