import { Notification } from '@ordinator/model/areas/notifications/notification'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'

/** Marks all notifications as read; a failure is shown in a toast. */
export async function readAllNotices(cache: QueryClient): Promise<void> {
  try {
    await api('POST /notifications/read-all', {}, { forbidden: 'toast' })
    await invalidateRecords(cache, Notification.path)
  } catch (error) {
    notify.error(errorMessage(error))
  }
}
