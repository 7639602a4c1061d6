import { Badge } from '@mantine/core'
import { applicationStatuses, type ApplicationStatus as Status } from '@ordinator/model/areas/attachment/rules'

const colors: Record<Status, string> = {
  new: 'blue',
  check: 'indigo',
  needInfo: 'orange',
  approved: 'teal',
  sent: 'cyan',
  attached: 'green',
  refused: 'red',
  withdrawn: 'gray',
}

export const ApplicationStatus = ({ status, size }: { status: Status; size?: 'lg' }) => (
  <Badge color={colors[status]} variant="light" size={size}>
    {applicationStatuses[status]}
  </Badge>
)
