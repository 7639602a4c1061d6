import { Notification } from '@ordinator/model/areas/notifications/notification'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { operation } from '../../records/operation.ts'

const readAll = operation({
  method: 'POST',
  path: '/notifications/read-all',
  summary: 'Отметить все свои уведомления прочитанными',
  access: 'signed-in',
  answer: z.object({ read: z.number().int() }),
  async handler({ records }) {
    const read = await records.asSystem.updateWhere(
      Notification,
      ({ row, me }) => sql`${row}."idUser" = ${me} and ${row}."dateRead" is null`,
      { dateRead: raw('now()') },
      { byRights: true },
    )
    return { read: read.length }
  },
})

const channels = operation({
  method: 'GET',
  path: '/notifications/channels',
  summary: 'Куда сервер умеет присылать уведомления, кроме самой программы',
  access: 'signed-in',
  answer: z.object({ mail: z.boolean() }),
  handler: async ({ app }) => ({ mail: app.config.smtpUrl !== undefined }),
})

export const notificationOperations = [readAll, channels]
