import { Badge } from '@mantine/core'
import { type RegulationStatus, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { statusColors } from './looks.ts'

/** The status of a regulation. */
export function StatusChip({ status }: { status: RegulationStatus }) {
  return (
    <Badge color={statusColors[status]} variant={status === 'archived' ? 'outline' : 'light'}>
      {regulationStatuses[status]}
    </Badge>
  )
}
