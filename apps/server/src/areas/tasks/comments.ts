import { Board } from '@ordinator/model/areas/tasks/board'
import { Comment, CommentFile, commentSubjects } from '@ordinator/model/areas/tasks/comment'
import { Task, Watcher } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { mentionsOf } from '@ordinator/model/mentions'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Queryable } from '../../platform/db.ts'
import { forbidden, HttpError, ValidationError } from '../../platform/errors.ts'
import { records, type WriteContext } from '../../records/define.ts'
import { operation } from '../../records/operation.ts'
import type { Records } from '../../records/records.ts'
import { tellMentioned, tellOfComment } from './commentNotices.ts'
import { aboutTask } from './links.ts'
import { commentScope } from './scope.ts'
import { missing, standingOn } from './standing.ts'

type CommentRow = Row<typeof Comment>

export const comments = records(Comment, {
  scope: commentScope,
  about: aboutTask((row) => sql`(case when ${row}."type" = 'task' then ${row}."idEntity" end)`),
  hooks: {
    async beforeCreate(context, value) {
      await subjectOf(context.records, context.tx, value)
      if (value.idComment) value.idComment = await threadOf(context, value, value.idComment)
    },
    async afterCreate(context, comment) {
      if (comment.isSystem) return
      await watch(context, comment)
      await tellOfComment(context, comment)
    },
    // The scope says so too, but not to a holder of the bypass.
    beforeUpdate({ actor }, value, before) {
      if (!actor.system && (before.idUser !== actor.id || before.isSystem))
        throw forbidden('Изменить можно только свой комментарий')
      if (value.message !== undefined && value.message !== before.message)
        Object.assign(value, { dateChange: new Date().toISOString() })
    },
    beforeDelete({ actor }, comment) {
      if (!actor.system && comment.isSystem) throw forbidden('Системную запись нельзя удалить')
    },
    async afterUpdate(context, comment, before) {
      const known = mentionsOf(before.message)
      await tellMentioned(
        context,
        comment,
        mentionsOf(comment.message).filter((id) => !known.includes(id)),
      )
    },
  },
})

/** A file of a comment is put there and taken away by its author. That the author sees it, the engine's check of references says. */
export const commentFiles = records(CommentFile)

type Subject = Pick<CommentRow, 'type' | 'idEntity'>

/**
 * Who comments sees what is commented on; the inside of a workspace is for its people alone, public or not.
 * @throws ValidationError on `idEntity` when it is not there for the actor
 */
async function subjectOf(records: Records, db: Queryable, { type, idEntity }: Subject): Promise<void> {
  try {
    await records.view(type === 'task' ? Task : Board, idEntity, { fields: 'id' })
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) throw missing('idEntity')
    throw error
  }
  if (type === 'task') return
  const on = await standingOn(db, records.actor, idEntity, 'idEntity')
  if (!on.isOwner && !on.bypass && !on.member) throw forbidden('Обсуждение пространства — для его участников')
}

/** Threads are one level deep: the answer to an answer goes to the comment that began them. */
async function threadOf({ tx }: WriteContext, { type, idEntity }: Subject, idComment: number): Promise<number> {
  const parent = await tx.one<{ id: number; idComment: number | null }>(sql`
    select "id", "idComment" from tasks_management_comments
    where "id" = ${idComment} and "type" = ${type} and "idEntity" = ${idEntity} and not "deleted"`)
  if (!parent)
    throw new ValidationError([{ field: 'idComment', message: 'Ответить можно на комментарий этого же обсуждения' }])
  return parent.idComment ?? parent.id
}

/** With the first word on a task one begins to watch it; who has stopped watching is left alone. */
async function watch({ records, tx }: WriteContext, { id, type, idEntity, idUser }: CommentRow): Promise<void> {
  if (type !== 'task') return
  const before = await tx.one(sql`
    select 1 from tasks_management_watchers where "idTask" = ${idEntity} and "idUser" = ${idUser}
    union all select 1 from tasks_management_comments
      where "type" = 'task' and "idEntity" = ${idEntity} and "idUser" = ${idUser} and "id" <> ${id} and not "isSystem"
    limit 1`)
  if (!before) await records.asSystem.create(Watcher, { idTask: idEntity, idUser })
}

/** Answers where the reading had come to before, so that the new ones can be told from the rest. */
export const readComments = operation({
  method: 'POST',
  path: '/tasks-management/comments/read',
  summary: 'Отметить комментарии задачи или рабочего пространства прочитанными, до названного или все',
  access: 'viewTasksManagement',
  body: z.strictObject({
    type: z.enum(Object.keys(commentSubjects) as [keyof typeof commentSubjects]),
    idEntity: z.int().positive().max(2_147_483_647),
    idComment: z.int().positive().optional(),
  }),
  answer: z.object({ before: z.number().int(), idComment: z.number().int() }),
  async handler({ app, records, actor, body: { type, idEntity, idComment } }) {
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
})
