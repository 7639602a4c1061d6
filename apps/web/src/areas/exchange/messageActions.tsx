import { Badge } from '@mantine/core'
import { ExchangeMessage, exchangeStatuses, failedStatuses } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconCheck, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import type { BulkAction } from '#records/table/BulkBar.tsx'

export type Message = Row<typeof ExchangeMessage>

const FORMS = ['сообщение', 'сообщения', 'сообщений'] as const

/** True when a message can be repeated: only of our own outbox. */
export const mayRepeat = ({ idWebhook, dateNext, queue }: Message): boolean =>
  queue === 'dead' || queue === 'unknown' || queue === 'awaiting' || (idWebhook !== null && dateNext === null)
export const mayCancel = ({ idWebhook, dateNext, queue }: Message): boolean =>
  queue === 'waiting' || queue === 'unknown' || queue === 'awaiting' || (idWebhook !== null && dateNext !== null)
/** True when a user may mark a message as delivered. */
export const maySettle = ({ queue }: Message): boolean => queue === 'unknown'

const results = {
  repeat: { done: 'Отправляем снова', none: 'Эти сообщения уже в очереди, или повтор их небезопасен' },
  cancel: { done: 'Больше не отправляем', none: 'Эти сообщения больше не ждут отправки' },
  settle: { done: 'Отмечены отправленными', none: 'Об этих сообщениях уже известно, дошли ли они' },
} as const

/** Resends, gives up, or marks as delivered. @returns true if done */
export async function act(cache: QueryClient, what: keyof typeof results, ids: number[]): Promise<boolean> {
  try {
    const { changed, left } = await api(`POST /exchange/messages/${what}`, { body: { ids } })
    const { done, none } = results[what]
    if (changed > 0) notify.success(`${done}: ${counted(changed, FORMS)}${left > 0 ? `, без изменений ${left}` : ''}`)
    else notify.error(none)
    await invalidateRecords(cache, ExchangeMessage.path)
    return true
  } catch (error) {
    notifyFailure(error as Error)
    return false
  }
}

/** Bulk actions on messages. */
export function useMessageActions(): BulkAction<Message>[] {
  const cache = useQueryClient()
  const ids = (rows: Message[]) => rows.map(({ id }) => id)
  return [
    {
      key: 'repeat',
      label: 'Отправить снова',
      icon: IconRefresh,
      allowed: (rows) => rows.some(mayRepeat),
      run: (rows) => act(cache, 'repeat', ids(rows.filter(mayRepeat))),
    },
    {
      key: 'cancel',
      label: 'Больше не отправлять',
      icon: IconPlayerStop,
      allowed: (rows) => rows.some(mayCancel),
      run: (rows) => act(cache, 'cancel', ids(rows.filter(mayCancel))),
    },
    {
      key: 'settle',
      label: 'Отметить отправленными',
      icon: IconCheck,
      allowed: (rows) => rows.some(maySettle),
      run: (rows) => act(cache, 'settle', ids(rows.filter(maySettle))),
    },
  ]
}

const failed: readonly string[] = failedStatuses

/** Status of a message, coloured. */
export function MessageStatus({ status }: Pick<Message, 'status'>) {
  const color = failed.includes(status) ? 'red' : status === 'done' || status === 'accepted' ? 'teal' : 'gray'
  return (
    <Badge color={color} variant="light" tt="none" fw={500}>
      {exchangeStatuses[status]}
    </Badge>
  )
}
