import { ExchangeMessage, failedStatuses } from '@ordinator/model/areas/exchange/exchangeMessage'
import { pageByKey } from '@ordinator/model/pages'
import { type Message, MessageBody, MessageStatus } from '#areas/exchange/index.ts'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { MessageFigures } from './Figures.tsx'
import { SetUpNotice } from './SetUpNotice.tsx'

const columns: readonly ColumnSpec<Message>[] = [
  { key: 'dateCreate', width: 150 },
  { key: 'direction', width: 120 },
  { key: 'operation', width: 220 },
  { key: 'status', width: 150, cell: (message) => <MessageStatus {...message} /> },
  {
    key: 'correlationId',
    label: 'Связь (messageId)',
    width: 300,
    cell: ({ correlationId }) => correlationId && <Muted className="tabular">{correlationId}</Muted>,
  },
  { key: 'errorCode', width: 140 },
  { key: 'attempts', width: 96 },
  { key: 'errorText', width: 280 },
  { key: 'durationMs', label: 'Длилось, мс', width: 120 },
]

const messageFilters = filters(ExchangeMessage, {
  direction: choice('direction', { any: 'Любое направление' }),
  status: choice('status', { any: 'Любое состояние' }),
  date: period('dateCreate', { label: 'Когда' }),
  failed: flag('С ошибками', { status: { in: [...failedStatuses] } }, { panel: 'Только с ошибками', toggle: true }),
})

/** ЕГИСЗ: сообщения: requests to the register and НСИ with responses, and figures of the last month. */
export default function MessagesPage() {
  return (
    <RegistryPage
      page={pageByKey('egiszMessages')}
      entity={ExchangeMessage}
      filter={{ adapter: { in: ['egisz', 'nsi'] } }}
      columns={columns}
      filters={messageFilters}
      tabs={{ said: { label: 'Содержание', panel: (message) => <MessageBody key={message.id} message={message} /> } }}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <SetUpNotice />
          <MessageFigures />
          {list}
        </VStack>
      )}
      wide
    />
  )
}
