import { Notification } from '@ordinator/model/areas/notifications/notification'
import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { notificationOperations } from './calls.ts'
import { startLetters } from './letters.ts'

export { type Notice, notify } from './notify.ts'
export { unreadCount } from './unread.ts'
export { whoSee } from './whoSee.ts'

/** Notices to users. */
export const notifications: Area = {
  name: 'notifications',
  title: 'Уведомления',
  records: [records(Notification, { scope: { view: ({ row, me }) => sql`${row}."idUser" = ${me}` } })],
  operations: notificationOperations,
  start: startLetters,
}
