import { Badge, type MantineSize } from '@mantine/core'
import { type PeriodStatus, periodStatuses } from '@ordinator/model/areas/payroll/states'

const colors: Record<PeriodStatus, string> = {
  open: 'gray',
  calculated: 'blue',
  checked: 'cyan',
  approved: 'teal',
  paid: 'green',
  closed: 'dark',
}

/** Status of a month. */
export const StatusBadge = ({ status, size }: { status: PeriodStatus; size?: MantineSize }) => (
  <Badge variant="light" color={colors[status]} size={size}>
    {periodStatuses[status]}
  </Badge>
)
