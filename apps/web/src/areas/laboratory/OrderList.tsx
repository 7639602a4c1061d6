import { LabOrder, paidStates } from '@ordinator/model/areas/laboratory/order'
import { orderStatuses } from '@ordinator/model/areas/laboratory/states'
import { urgencies } from '@ordinator/model/areas/laboratory/words'
import type { Expanded, Filter } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import type { Page } from '@ordinator/model/page'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconAlertOctagon, IconBolt, IconClockExclamation } from '@tabler/icons-react'
import { CustomerChip } from '#areas/customers/index.ts'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { NewOrderButton } from './NewOrderButton.tsx'
import classes from './words.module.css'
import { OrderBadge } from './words.tsx'

type Line = Expanded<typeof LabOrder, 'customer' | 'doctor' | 'filial'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'number',
    width: 130,
    cell: ({ number, urgency, isCritical }) => (
      <HStack component="span" gap={6} display="inline-flex">
        <span className="tabular">{number}</span>
        {urgency === 'cito' && (
          <IconBolt size={16} color="var(--mantine-color-orange-6)" aria-label={urgencies.cito} role="img" />
        )}
        {isCritical && (
          <IconAlertOctagon
            size={16}
            color="var(--mantine-color-red-6)"
            aria-label="Критическое значение, никому не сообщили"
            role="img"
          />
        )}
      </HStack>
    ),
  },
  { key: 'dateCreate', width: 110, cell: ({ dateCreate, filial }) => formatDate(dateCreate) || filial?.nameFilial },
  { key: 'idCustomer', width: 220, cell: ({ customer }) => customer && <CustomerChip customer={customer} /> },
  { key: 'status', width: 160, cell: ({ status }) => <OrderBadge status={status} /> },
  { key: 'tests', width: 280 },
  { key: 'tubes', width: 90, align: 'right' },
  {
    key: 'sum',
    width: 110,
    align: 'right',
    cell: ({ sum }) => (sum ? <span className="tabular">{formatMoney(sum)}</span> : <Muted>—</Muted>),
  },
  {
    key: 'paidStatus',
    width: 150,
    needed: true,
    cell: ({ paidStatus }) =>
      paidStatus === 'unpaid' || paidStatus === 'part' ? (
        <span className={classes.owed}>{paidStates[paidStatus]}</span>
      ) : (
        paidStates[paidStatus]
      ),
  },
  {
    key: 'dueAt',
    width: 180,
    needed: true,
    cell: ({ dueAt, isLate, filial }) =>
      dueAt ? (
        <span className={isLate ? `tabular ${classes.lateTerm}` : 'tabular'}>
          {isLate && <IconClockExclamation size={16} className={classes.late} aria-label="Просрочен" role="img" />}
          {formatDateTime(dueAt, filial?.timeZone)}
        </span>
      ) : (
        <Muted>—</Muted>
      ),
  },
  { key: 'idDoctor', width: 170, needed: true, cell: ({ doctor }) => doctor && <UserLink user={doctor} /> },
]

const orderFilters = filters(LabOrder, {
  status: choice('status', { options: orderStatuses, any: 'Любое состояние' }),
  made: period('dateCreate', { label: 'Дата' }),
  laboratory: refs('items.idLaboratory', { label: 'Лаборатория', any: 'Любая лаборатория' }),
  doctor: refs('idDoctor', { label: 'Назначил', any: 'Любой врач' }),
  filial: refs('idFilial', { label: 'Филиал', any: 'Любой филиал' }),
  urgency: choice('urgency', { any: 'Любая срочность' }),
  late: flag('Просрочены', { isLate: true }, { panel: 'Только просроченные', toggle: true }),
  unpaid: flag(
    'Не оплачены',
    { paidStatus: { in: ['unpaid', 'part'] } },
    { panel: 'Только неоплаченные', toggle: true },
  ),
})

/** List of orders; opening and creating have their own pages. */
export function OrderList({ page, filter }: { page: Page; filter?: Filter<typeof LabOrder> }) {
  return (
    <RegistryPage
      page={page}
      entity={LabOrder}
      pageOf={(id) => pagePath('labOrder', { id })}
      newAt={`/${pageByKey('newLabOrder').path}`}
      expand={['customer', 'doctor', 'filial']}
      columns={columns}
      filters={orderFilters}
      filter={filter}
      isMuted={({ status }) => status === 'cancelled'}
      tools={<NewOrderButton />}
    />
  )
}
