import { Message } from '@ordinator/model/areas/messages/message'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'

/** True when a message can be resent. */
export const mayRepeat = ({ status }: { status: string }): boolean =>
  status === 'failed' || status === 'unknown' || status === 'cancelled'

/** Resends messages, as far as possible. */
export async function repeatMessages(cache: QueryClient, ids: readonly number[]): Promise<void> {
  for (const id of ids) await api('POST /messages/:id/repeat', { params: { id } }, { forbidden: 'toast' })
  await invalidateRecords(cache, Message.path)
  notify.success(ids.length === 1 ? 'Сообщение уйдёт ещё раз' : `Сообщения уйдут ещё раз: ${ids.length}`)
}
