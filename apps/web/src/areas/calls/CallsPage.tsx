import { Call, INTERNAL, OUTGOING } from '@ordinator/model/areas/calls/call'
import type { Expanded } from '@ordinator/model/client'
import { formatDuration } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useBulkEnd } from '#areas/appeals/index.ts'
import { CustomerChip } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { formatDateTime } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { CallByHand } from './CallByHand.tsx'
import { CallKind } from './CallKind.tsx'
import { CallPanel } from './CallPanel.tsx'
import { callFilters } from './callFilters.ts'
import { RecallBadge } from './RecallBadge.tsx'

type Line = Expanded<typeof Call, 'customer' | 'user' | 'outcome' | 'filial'>

const columns: readonly ((keyof typeof Call.fields & string) | ColumnSpec<Line>)[] = [
  { key: 'dateCreate', width: 140, cell: ({ dateCreate }) => formatDateTime(dateCreate) },
  {
    key: 'callType',
    width: 152,
    cell: (call) => (
      <VStack component="span" gap={2} py={4} align="flex-start">
        <CallKind {...call} />
        <RecallBadge {...call} />
      </VStack>
    ),
  },
  {
    key: 'idCustomer',
    label: 'Собеседник',
    width: 166,
    // Plain text: a click in the row opens the call and never dials.
    cell: (call) => (
      <VStack component="span" gap={2} py={4} align="flex-start">
        {call.customer ? (
          <CustomerChip customer={call.customer} />
        ) : (
          call.idCustomer !== null && <Muted>карта не видна</Muted>
        )}
        <span className="tabular nowrap">{numberOf(call)}</span>
      </VStack>
    ),
  },
  {
    key: 'destPhone',
    label: 'Линия',
    width: 160,
    cell: ({ filial, destPhone, callType, queue }) =>
      callType === OUTGOING || callType === INTERNAL
        ? ''
        : [filial?.nameFilial ?? phoneText(destPhone), queue].filter(Boolean).join(', '),
  },
  {
    key: 'idUser',
    width: 130,
    cell: ({ user }) => (user ? <UserLink user={user} /> : <Muted>никто</Muted>),
  },
  { key: 'waitS', label: 'Ждал', width: 72, align: 'right', cell: ({ waitS }) => duration(waitS) },
  {
    key: 'talkS',
    label: 'Разговор',
    width: 96,
    align: 'right',
    cell: ({ talkS, hasRecord }) => (
      <HStack component="span" gap={4} justify="flex-end">
        {hasRecord && (
          <span role="img" aria-label="Есть запись" title="Есть запись">
            <IconPlayerPlay size={14} aria-hidden />
          </span>
        )}
        {duration(talkS)}
      </HStack>
    ),
  },
  {
    key: 'idOutcome',
    width: 162,
    cell: ({ outcome, nextStep, needsEnd }) => outcome?.name ?? nextStep ?? (needsEnd && <Muted>не указан</Muted>),
  },
  {
    key: 'duration',
    label: 'Длительность',
    width: 128,
    align: 'right',
    hidden: true,
    cell: (call) => duration(call.duration),
  },
  { key: 'contactPhone', label: 'Телефон', width: 176, hidden: true, cell: numberOf },
  { key: 'recallS', label: 'Перезвонили', width: 140, hidden: true, cell: (call) => <RecallBadge {...call} /> },
  { key: 'source', width: 140, hidden: true },
  { key: 'isPrimaryCustomer', label: 'Первичный', width: 112, hidden: true },
  { key: 'hasRecord', label: 'Запись', width: 90, sort: false, hidden: true },
]

function numberOf({ contactPhone, callType, localPhone, destPhone }: Line): string {
  if (contactPhone) return phoneText(contactPhone)
  return callType === INTERNAL ? [localPhone, destPhone].filter(Boolean).join(' → ') : 'Номер скрыт'
}

const duration = (seconds: number | null) => (seconds === null ? '' : formatDuration(seconds))

/** Звонки: the journal of calls, with missed ones and their call backs. */
export default function CallsPage() {
  const { action, dialog } = useBulkEnd<Line>({
    entity: Call,
    label: 'Итог…',
    title: 'Чем закончились звонки',
    forms: ['звонок', 'звонка', 'звонков'],
    keeps: ({ callType, dateEnd }) =>
      callType === INTERNAL ? 'звонок внутренний' : dateEnd === null ? 'разговор ещё идёт' : undefined,
    run: (ids, ending) => api('POST /calls/end-many', { body: { ids, ...ending } }),
  })
  return (
    <>
      <RegistryPage
        page={pageByKey('calls')}
        entity={Call}
        expand={['customer', 'user', 'outcome', 'filial']}
        columns={columns}
        filters={callFilters}
        panel={CallPanel}
        create={CallByHand}
        removable={false}
        actions={[action]}
        selectable
      />
      {dialog}
    </>
  )
}
