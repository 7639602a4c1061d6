import { Call, INTERNAL, MISSED } from '@ordinator/model/areas/calls/call'
import type { Expanded } from '@ordinator/model/client'
import { formatDuration } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlayerPlay } from '@tabler/icons-react'
import { api } from '../../base/api.ts'
import { formatDateTimeSeconds } from '../../kit/clock.ts'
import { PhoneLink } from '../../kit/PhoneLink.tsx'
import { HStack } from '../../kit/Stacks.tsx'
import { UserLink } from '../../kit/UserLink.tsx'
import { Muted } from '../../kit/Words.tsx'
import { RegistryPage } from '../../records/RegistryPage.tsx'
import type { ColumnSpec } from '../../records/table/columns.ts'
import { useBulkEnd } from '../appeals/index.ts'
import { CustomerChip } from '../customers/index.ts'
import { CallKind } from './CallKind.tsx'
import { CallPanel } from './CallPanel.tsx'
import { callFilters } from './callFilters.ts'
import { RecallBadge } from './RecallBadge.tsx'

type Line = Expanded<typeof Call, 'customer' | 'user' | 'outcome'>

const columns: readonly ((keyof typeof Call.fields & string) | ColumnSpec<Line>)[] = [
  { key: 'dateCreate', width: 164, cell: ({ dateCreate }) => formatDateTimeSeconds(dateCreate) },
  { key: 'callType', width: 140, cell: (call) => <CallKind {...call} /> },
  {
    key: 'idCustomer',
    width: 184,
    cell: ({ customer, idCustomer }) =>
      customer ? (
        <CustomerChip customer={customer} />
      ) : idCustomer === null ? (
        <Muted>—</Muted>
      ) : (
        <Muted>не виден</Muted>
      ),
  },
  {
    key: 'contactPhone',
    label: 'Телефон',
    width: 176,
    cell: ({ contactPhone, callType, localPhone, destPhone }) =>
      contactPhone ? (
        <PhoneLink phone={contactPhone} bare />
      ) : (
        <span className="tabular nowrap">{callType === INTERNAL ? `${localPhone} → ${destPhone}` : 'Номер скрыт'}</span>
      ),
  },
  {
    key: 'idUser',
    width: 152,
    cell: ({ user }) => (user ? <UserLink user={user} /> : <Muted>никто</Muted>),
  },
  { key: 'waitS', label: 'Ждал', width: 96, align: 'right', cell: ({ waitS }) => duration(waitS) },
  {
    key: 'duration',
    label: 'Длительность',
    width: 152,
    align: 'right',
    cell: ({ callType, duration: length }) => (callType === MISSED ? '' : duration(length)),
  },
  { key: 'recallS', label: 'Перезвонили', width: 150, cell: (call) => <RecallBadge {...call} /> },
  {
    key: 'idOutcome',
    width: 168,
    cell: ({ outcome, nextStep, needsEnd }) => outcome?.name ?? nextStep ?? (needsEnd && <Muted>не указан</Muted>),
  },
  { key: 'isPrimaryCustomer', label: 'Первичный', width: 132 },
  {
    key: 'hasRecord',
    label: 'Запись',
    width: 90,
    sort: false,
    cell: ({ hasRecord }) =>
      hasRecord && (
        <HStack gap={4} c="dimmed">
          <IconPlayerPlay size={16} aria-hidden /> есть
        </HStack>
      ),
  },
]

const duration = (seconds: number | null) => (seconds === null ? '' : formatDuration(seconds))

/** Звонки: the journal of all conversations, with what was missed and how soon it was answered. */
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
        expand={['customer', 'user', 'outcome']}
        columns={columns}
        filters={callFilters}
        panel={CallPanel}
        actions={[action]}
        selectable
      />
      {dialog}
    </>
  )
}
