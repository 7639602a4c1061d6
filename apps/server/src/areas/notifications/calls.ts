import { notificationCalls } from '@ordinator/model/areas/notifications/calls'
import { Notification } from '@ordinator/model/areas/notifications/notification'
import sql, { raw } from 'sql-template-tag'
import { mailerOf } from '#areas/settings/index.ts'
import { operation } from '#records/operation.ts'

const readAll = operation(notificationCalls.readAll, async ({ records }) => {
  const read = await records.asSystem.updateWhere(
    Notification,
    ({ row, me }) => sql`${row}."idUser" = ${me} and ${row}."dateRead" is null`,
    { dateRead: raw('now()') },
    { byRights: true },
  )
  return { read: read.length }
})

const channels = operation(notificationCalls.channels, async ({ app }) => ({
  mail: (await mailerOf(app)) !== undefined,
}))

export const notificationOperations = [readAll, channels]
