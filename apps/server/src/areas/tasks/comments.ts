import { Board } from '@ordinator/model/areas/tasks/board'
import { taskCalls } from '@ordinator/model/areas/tasks/calls'
import { TaskComment, TaskCommentFile } from '@ordinator/model/areas/tasks/comment'
import { Task, Watcher } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import { commentThread } from '#records/commentThread.ts'
import { records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { notifyMentioned, notifyOthers } from './commentNotices.ts'
import { aboutTask } from './links.ts'
import { commentScope } from './scope.ts'
import { standingOn } from './standing.ts'

type CommentRow = Row<typeof TaskComment>

const thread = commentThread(TaskComment, {
  subject: ['type', 'idEntity'],
  foreign: 'Ответить можно на комментарий этого же обсуждения',
  notifyMentioned,
  notifyOthers,
})

export const comments = records(TaskComment, {
  scope: commentScope,
  about: aboutTask((row) => sql`(case when ${row}."type" = 'task' then ${row}."idEntity" end)`),
  hooks: {
    ...thread,
    async beforeCreate(context, value) {
      await subjectOf(context.records, context.tx, value)
      await thread.beforeCreate(context, value)
    },
    async afterCreate(context, comment, value) {
      if (!comment.isSystem) await watch(context, comment)
      await thread.afterCreate(context, comment, value)
    },
  },
})

/**
 * A file of a comment is attached and removed by its author. The engine's reference check ensures that the author sees
 * it.
 */
export const commentFiles = records(TaskCommentFile)

type Subject = Pick<CommentRow, 'type' | 'idEntity'>

/**
 * Authors must see the subject of the comment; comments of a workspace are for its members only, even if it is public.
 * @throws ValidationError on `idEntity` when it is not visible to the actor
 */
async function subjectOf(records: Records, db: Queryable, { type, idEntity }: Subject): Promise<void> {
  await assertVisible(records, type === 'task' ? Task : Board, idEntity, 'idEntity')
  if (type === 'task') return
  const on = await standingOn(db, records.actor, idEntity, 'idEntity')
  if (!on.isOwner && !on.bypass && !on.member) throw forbidden('Обсуждение пространства — для его участников')
}

/** The first comment on a task starts watching it, unless the user has stopped watching before. */
async function watch({ records, tx }: WriteContext, { id, type, idEntity, idUser }: CommentRow): Promise<void> {
  if (type !== 'task') return
  const before = await tx.one(sql`
    select 1 from tasks_management_watchers where "idTask" = ${idEntity} and "idUser" = ${idUser}
    union all select 1 from tasks_management_comments
      where "type" = 'task' and "idEntity" = ${idEntity} and "idUser" = ${idUser} and "id" <> ${id} and not "isSystem"
    limit 1`)
  // A concurrent first comment may have started it meanwhile.
  if (!before) await records.asSystem.createMany(Watcher, [{ idTask: idEntity, idUser }], { skipTaken: true })
}

/** Returns the previous read position, so that new comments can be marked. */
export const readComments = operation(
  taskCalls.readComments,
  async ({ app, records, actor, body: { type, idEntity, idComment } }) => {
    await subjectOf(records, app.db, { type, idEntity })
    const marked = await app.db.one<{ before: number; idComment: number }>(sql`
      with last as (
        select coalesce(max("id"), 0) as "id" from tasks_management_comments
        where "type" = ${type} and "idEntity" = ${idEntity} and "id" <= ${idComment ?? Number.MAX_SAFE_INTEGER}
      ), earlier as (
        select "idComment" from tasks_management_comment_reads
        where "idUser" = ${actor.id} and "type" = ${type} and "idEntity" = ${idEntity}
      ), noted as (
        insert into tasks_management_comment_reads as r ("idUser", "type", "idEntity", "idComment")
        select ${actor.id}, ${type}, ${idEntity}, "id" from last
        on conflict ("idUser", "type", "idEntity")
          do update set "idComment" = greatest(r."idComment", excluded."idComment")
        returning "idComment"
      ) select coalesce((select "idComment" from earlier), 0) as "before", "idComment" from noted`)
    return marked as { before: number; idComment: number }
  },
)
