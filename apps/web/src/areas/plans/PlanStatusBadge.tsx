import { Badge } from '@mantine/core'
import { type ItemStatus, itemStatuses, type PlanStatus, planStatuses } from '@ordinator/model/areas/plans/rules'

const colors: Record<PlanStatus, string> = {
  draft: 'gray',
  offered: 'blue',
  agreed: 'teal',
  inWork: 'teal',
  done: 'teal',
  refused: 'red',
}

export const PlanStatusBadge = ({ status, size }: { status: PlanStatus; size?: 'lg' }) => (
  <Badge color={colors[status]} variant={status === 'inWork' ? 'filled' : 'light'} size={size}>
    {planStatuses[status]}
  </Badge>
)

const itemColors: Record<ItemStatus, string> = { planned: 'gray', booked: 'blue', done: 'teal', cancelled: 'red' }

export const ItemStatusBadge = ({ status }: { status: ItemStatus }) => (
  <Badge color={itemColors[status]} variant="light" size="sm">
    {itemStatuses[status]}
  </Badge>
)
