import { Appeal, appealStatuses, outcomes } from '@ordinator/model/areas/appeals/appeal'
import type { Expanded } from '@ordinator/model/client'
import { pageByKey } from '@ordinator/model/pages'
import { CustomerChip } from '#areas/customers/index.ts'
import { formatDateTime, formatEnd } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { AppealPanel } from './AppealPanel.tsx'
import { AppealStatusBadge, SourceChip } from './SourceChip.tsx'

type Line = Expanded<typeof Appeal, 'customer' | 'owner' | 'cause'>

const appealFilters = filters(Appeal, {
  status: choice('status', { options: appealStatuses, any: 'Любое состояние' }),
  cause: refs('idCause', { label: 'Причина', any: 'Любая причина' }),
  owner: refs('idOwner', { label: 'Ответственный', any: 'Любой ответственный' }),
  late: flag('Срок вышел', () => ({ status: { neq: 'closed' }, deadline: { lt: new Date().toISOString() } }), {
    panel: 'Только те, у кого вышел срок',
  }),
  open: flag('Незакрытые', { status: { neq: 'closed' } }, { panel: 'Только незакрытые', toggle: true }),
})

const columns: readonly ((keyof typeof Appeal.fields & string) | ColumnSpec<Line>)[] = [
  {
    key: 'description',
    label: 'Суть',
    width: 300,
    cell: ({ description }) => description || <Muted>Суть не записана</Muted>,
  },
  { key: 'status', width: 120, cell: ({ status }) => <AppealStatusBadge status={status} /> },
  { key: 'entityType', label: 'Откуда', width: 150, cell: ({ entityType }) => <SourceChip source={entityType} /> },
  {
    key: 'idCustomer',
    width: 210,
    cell: ({ customer, customerFullName, customerPhone }) =>
      customer ? (
        <CustomerChip customer={customer} />
      ) : (
        customerFullName || (customerPhone ? <PhoneLink phone={customerPhone} bare /> : <Muted>—</Muted>)
      ),
  },
  { key: 'idCause', width: 170 },
  {
    key: 'idOwner',
    width: 170,
    cell: ({ owner }) => (owner ? <UserLink user={owner} /> : <Muted>никто</Muted>),
  },
  {
    key: 'deadline',
    width: 160,
    cell: ({ deadline, status }) =>
      deadline ? (
        <span className="tabular" style={late(deadline, status) ? { color: 'var(--mantine-color-error)' } : undefined}>
          {formatDateTime(deadline)}
        </span>
      ) : (
        <Muted>{formatEnd(deadline)}</Muted>
      ),
  },
  { key: 'outcome', width: 160, cell: ({ outcome, nextStep }) => (outcome ? outcomes[outcome] : nextStep) },
  { key: 'dateStart', width: 150 },
]

const late = (deadline: string, status: string): boolean => status !== 'closed' && Date.parse(deadline) < Date.now()

/** Обращения: the list, with owners and outcomes. */
export default function AppealsPage() {
  return (
    <RegistryPage
      page={pageByKey('appeals')}
      entity={Appeal}
      expand={['customer', 'owner', 'cause']}
      columns={columns}
      filters={appealFilters}
      form={{
        Обращение: ['description', 'idCause', 'idOwner', 'deadline', 'idFilial'],
        'Кто обратился': ['idCustomer', 'customerFullName', 'customerPhone'],
      }}
      panel={AppealPanel}
    />
  )
}
