import { type SemdStatus, semdStatuses } from '@ordinator/model/areas/egisz/semd'
import { Dot, HStack } from '#kit/Stacks.tsx'

const colors: Record<SemdStatus, string> = {
  draft: 'var(--mantine-color-red-6)',
  validated: 'var(--mantine-color-blue-6)',
  signedDoctor: 'var(--mantine-color-blue-6)',
  signedOrg: 'var(--mantine-color-blue-6)',
  sent: 'var(--mantine-color-yellow-6)',
  accepted: 'var(--mantine-color-yellow-6)',
  registered: 'var(--mantine-color-teal-6)',
  rejected: 'var(--mantine-color-red-6)',
  network: 'var(--mantine-color-red-6)',
  cancelled: 'var(--mantine-color-gray-5)',
  replaced: 'var(--mantine-color-gray-5)',
}

/** Status of a document, coloured. */
export const SemdMark = ({ status }: { status: SemdStatus }) => (
  <HStack component="span" gap={6} display="inline-flex" className="nowrap">
    <Dot color={colors[status]} />
    {semdStatuses[status]}
  </HStack>
)
