import { LeadCommentFile } from '@ordinator/model/areas/sales/file'
import { LeadComment } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import { mentionsOf, wordsOfHtml } from '@ordinator/model/mentions'
import sql from 'sql-template-tag'
import { forbidden, ValidationError } from '../../platform/errors.ts'
import { records, type WriteContext } from '../../records/define.ts'
import { tellLead } from './notices.ts'

type CommentRow = Row<typeof LeadComment>

/** More than this one comment does not call. */
const MAX_MENTIONS = 50

/** What is said of a deal: changed by its author alone, taken away by the author or by who edits deals. */
export const leadComments = records(LeadComment, {
  scope: {
    unless: 'editSalesManagement',
    create: ({ row, me }) => sql`${row}."idUser" = ${me}`,
    update: ({ row, me }) => sql`(${row}."idUser" = ${me} and not ${row}."isSystem")`,
  },
  hooks: {
    async beforeCreate(context, value) {
      if (value.idComment) value.idComment = await threadOf(context, value.idLead, value.idComment)
    },
    async afterCreate(context, comment) {
      if (!comment.isSystem) await tellOfComment(context, comment)
    },
    beforeUpdate({ actor }, value, before) {
      if (!actor.system && (before.idUser !== actor.id || before.isSystem))
        throw forbidden('Изменить можно только свой комментарий')
      if (value.message !== undefined && value.message !== before.message)
        Object.assign(value, { dateChange: new Date().toISOString() })
    },
    async afterUpdate(context, comment, before) {
      const known = mentionsOf(before.message)
      await tellMentioned(
        context,
        comment,
        mentionsOf(comment.message).filter((id) => !known.includes(id)),
      )
    },
    beforeDelete({ actor }, comment) {
      if (!actor.system && comment.isSystem) throw forbidden('Системную запись нельзя удалить')
    },
  },
})

/** A file of a comment is put there and taken away by its author. */
export const leadCommentFiles = records(LeadCommentFile, {
  hooks: {
    beforeCreate: (context, { idComment }) => ofAuthor(context, idComment),
    beforeDelete: (context, { idComment }) => ofAuthor(context, idComment),
  },
})

async function ofAuthor({ actor, tx }: WriteContext, idComment: number): Promise<void> {
  if (actor.system) return
  const own = await tx.one(
    sql`select 1 from sales_management_lead_comments where "id" = ${idComment} and "idUser" = ${actor.id}`,
  )
  if (!own) throw forbidden('Файлы комментария меняет только его автор')
}

/** Threads are one level deep: the answer to an answer goes to the comment that began them. */
async function threadOf({ tx }: WriteContext, idLead: number, idComment: number): Promise<number> {
  const parent = await tx.one<{ id: number; idComment: number | null }>(sql`
    select "id", "idComment" from sales_management_lead_comments
    where "id" = ${idComment} and "idLead" = ${idLead} and not "deleted" and not "isSystem"`)
  if (!parent)
    throw new ValidationError([{ field: 'idComment', message: 'Ответить можно на комментарий этой же сделки' }])
  return parent.idComment ?? parent.id
}

/** Those named in it, then the responsible and those who have spoken in the thread; nobody twice for one comment. */
async function tellOfComment(context: WriteContext, comment: CommentRow): Promise<void> {
  const mentioned = mentionsOf(comment.message).slice(0, MAX_MENTIONS)
  await tellMentioned(context, comment, mentioned)
  const others = (await concerned(context, comment)).filter((id) => id !== context.actor.id && !mentioned.includes(id))
  await tellLead(context, comment.idLead, {
    event: 'comment',
    title: 'Комментарий к сделке',
    text: wordsOfHtml(comment.message),
    to: others,
  })
}

async function tellMentioned(context: WriteContext, comment: CommentRow, ids: readonly number[]): Promise<void> {
  await tellLead(context, comment.idLead, {
    event: 'mention',
    title: 'Вас упомянули в сделке',
    text: wordsOfHtml(comment.message),
    to: ids.slice(0, MAX_MENTIONS).filter((id) => id !== context.actor.id),
  })
}

async function concerned({ tx }: WriteContext, { idLead, id, idComment }: CommentRow): Promise<number[]> {
  const people = await tx.query<{ idUser: number }>(sql`
    select r."idUser" from sales_management_responsible r where r."idLead" = ${idLead}
    union select c."idUser" from sales_management_lead_comments c
      where (c."id" = ${idComment} or c."idComment" = ${idComment}) and c."id" <> ${id} and not c."deleted" and not c."isSystem"
        and c."idUser" is not null`)
  return people.map(({ idUser }) => idUser)
}
