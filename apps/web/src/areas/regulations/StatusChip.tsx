import { type RegulationStatus, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { Chip } from './Chip.tsx'
import { statusColors } from './looks.ts'

/** The status of a regulation. */
export function StatusChip({ status }: { status: RegulationStatus }) {
  return (
    <Chip color={statusColors[status]} outline={status === 'archived'}>
      {regulationStatuses[status]}
    </Chip>
  )
}
