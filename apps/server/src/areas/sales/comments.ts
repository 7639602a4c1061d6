import { LeadCommentFile } from '@ordinator/model/areas/sales/file'
import { LeadComment } from '@ordinator/model/areas/sales/lead'
import { wordsOfHtml } from '@ordinator/model/mentions'
import sql from 'sql-template-tag'
import { commentFileHooks, commentThread } from '#records/commentThread.ts'
import { records } from '#records/define.ts'
import { notifyOfLead } from './notices.ts'

/** Comments of a deal: edited by the author only, deleted by the author or an editor of deals. */
export const leadComments = records(LeadComment, {
  scope: {
    unless: 'editSalesManagement',
    create: ({ row, me }) => sql`${row}."idUser" = ${me}`,
    update: ({ row, me }) => sql`(${row}."idUser" = ${me} and not ${row}."isSystem")`,
  },
  hooks: commentThread(LeadComment, {
    subject: ['idLead'],
    foreign: 'Ответить можно на комментарий этой же сделки',
    async notifyMentioned(context, { idLead, message }, to) {
      await notifyOfLead(context, idLead, {
        event: 'mention',
        title: 'Вас упомянули в сделке',
        text: wordsOfHtml(message),
        to,
      })
      return to
    },
    async notifyOthers(context, { idLead, message }, { spoke, notified }) {
      const responsible = await context.tx.query<{ idUser: number }>(
        sql`select "idUser" from sales_management_responsible where "idLead" = ${idLead}`,
      )
      const concerned = new Set([...responsible.map(({ idUser }) => idUser), ...spoke])
      await notifyOfLead(context, idLead, {
        event: 'comment',
        title: 'Комментарий к сделке',
        text: wordsOfHtml(message),
        to: [...concerned].filter((id) => id !== context.actor.id && !notified.includes(id)),
      })
    },
  }),
})

export const leadCommentFiles = records(LeadCommentFile, { hooks: commentFileHooks(LeadComment) })
