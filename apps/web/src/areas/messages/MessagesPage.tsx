import { holds } from '@ordinator/model/access'
import { messageEvents, messageWays } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import type { Expanded } from '@ordinator/model/client'
import { pageByKey } from '@ordinator/model/pages'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { CustomerLink } from '#areas/customers/index.ts'
import { useActor } from '#base/session.ts'
import { formatDateTime } from '#kit/clock.ts'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { ref } from '#records/filters/ref.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { MessagePanel } from './MessagePanel.tsx'
import { MessageStatusMark } from './MessageStatusMark.tsx'
import { mayRepeat, repeatMessages } from './repeat.ts'

const messageFilters = filters(Message, {
  status: choice('status', { any: 'Любое состояние' }),
  event: choice('event', { any: 'О чём угодно' }),
  channel: choice('channel', { any: 'Любой способ' }),
  customer: ref('idCustomer', { label: 'Клиент', any: 'Любой клиент' }),
  created: period('dateCreate', { label: 'Когда' }),
})

type Line = Expanded<typeof Message, 'customer'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'dateCreate',
    label: 'Когда',
    width: 150,
    cell: ({ dateSent, dateCreate }) => <span className="tabular">{formatDateTime(dateSent ?? dateCreate)}</span>,
  },
  {
    key: 'idCustomer',
    width: 200,
    sort: false,
    // Hidden from users without access to patients.
    cell: ({ customer }: Partial<Line>) => customer && <CustomerLink customer={customer} tab="messages" />,
  },
  { key: 'event', width: 190, cell: ({ event }) => messageEvents[event] },
  { key: 'channel', width: 180, cell: ({ channel }) => channel && messageWays[channel] },
  { key: 'status', width: 190, cell: ({ status }) => <MessageStatusMark status={status} /> },
  { key: 'text', width: 420, sort: false, cell: ({ text, reason }) => text ?? <Muted>{reason}</Muted> },
  { key: 'cost', width: 110 },
]

/** Сообщения: messages to patients with state and cost. */
export default function MessagesPage() {
  const actor = useActor()
  const cache = useQueryClient()
  return (
    <RegistryPage
      page={pageByKey('messages')}
      entity={Message}
      panel={MessagePanel}
      expand={['customer']}
      filters={messageFilters}
      columns={columns}
      removable={false}
      selectable={holds(actor, 'sendMessages')}
      actions={
        holds(actor, 'sendMessages')
          ? [
              {
                key: 'repeat',
                label: 'Повторить',
                icon: IconRefresh,
                allowed: (rows) => rows.length > 0 && rows.every(mayRepeat),
                run: (rows) =>
                  repeatMessages(
                    cache,
                    rows.map(({ id }) => id),
                  ).catch(notifyFailure),
              },
            ]
          : undefined
      }
    />
  )
}
