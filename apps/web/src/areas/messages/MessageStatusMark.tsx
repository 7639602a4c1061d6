import { messageStatuses } from '@ordinator/model/areas/messages/events'
import { statusMark } from '#kit/statusMark.tsx'

/** Status of a message, coloured. */
export const MessageStatusMark = statusMark(messageStatuses, {
  queued: 'gray-5',
  accepted: 'blue-5',
  delivered: 'teal-5',
  read: 'teal-7',
  unknown: 'yellow-6',
  failed: 'red-6',
  cancelled: 'gray-5',
})
