import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import type { Expanded } from '@ordinator/model/client'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconClockExclamation } from '@tabler/icons-react'
import { CustomerChip } from '#areas/customers/index.ts'
import { formatDate } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { Figures } from './Figures.tsx'
import { PlanStatusBadge } from './PlanStatusBadge.tsx'
import { planFilters } from './planFilters.ts'

type Line = Expanded<typeof TreatmentPlan, 'customer' | 'doctor'>
type MoneyKey = 'sum' | 'agreed' | 'done' | 'paid' | 'left'

const money = (key: MoneyKey): ColumnSpec<Line> => ({
  key,
  width: 120,
  align: 'right',
  cell: ({ [key]: sum }) => (sum ? <span className="tabular">{formatMoney(sum)}</span> : <Muted>—</Muted>),
})

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'name',
    label: 'План',
    width: 280,
    cell: ({ name, variant }) => (
      <>
        {name}
        {variant && <Muted> · {variant}</Muted>}
      </>
    ),
  },
  {
    key: 'status',
    width: 150,
    cell: ({ status, overdue }) => (
      <HStack component="span" gap={6} display="inline-flex">
        <PlanStatusBadge status={status} />
        {overdue && (
          <IconClockExclamation
            size={18}
            color="var(--mantine-color-orange-6)"
            aria-label="Давно без визита"
            role="img"
          />
        )}
      </HStack>
    ),
  },
  { key: 'idCustomer', width: 210, cell: ({ customer }) => customer && <CustomerChip customer={customer} /> },
  { key: 'idDoctor', width: 170, cell: ({ doctor }) => doctor && <UserLink user={doctor} /> },
  { key: 'dateCreate', width: 120, cell: ({ dateCreate }) => formatDate(dateCreate) },
  { key: 'stagesCount', width: 90, align: 'right' },
  money('sum'),
  money('agreed'),
  money('done'),
  money('paid'),
  money('left'),
  {
    key: 'lastVisit',
    width: 140,
    cell: ({ lastVisit }) => (lastVisit ? formatDay(lastVisit) : <Muted>—</Muted>),
  },
]

/** Планы лечения: offered and agreed plans, progress, and patients without a visit for long. */
export default function PlansPage() {
  return (
    <RegistryPage
      page={pageByKey('customerPlans')}
      entity={TreatmentPlan}
      pageOf={(id) => pagePath('customerPlan', { id })}
      expand={['customer', 'doctor']}
      columns={columns}
      filters={planFilters}
      isMuted={({ status }) => status === 'refused'}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <Figures />
          {list}
        </VStack>
      )}
    />
  )
}
