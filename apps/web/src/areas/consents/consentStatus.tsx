import { type ConsentStatus, consentStatuses } from '@ordinator/model/areas/consents/consent'
import { Dot, HStack } from '#kit/Stacks.tsx'

const colors: Record<ConsentStatus, string> = {
  draft: 'var(--mantine-color-gray-5)',
  signed: 'var(--mantine-color-teal-6)',
  revoked: 'var(--mantine-color-red-6)',
  expired: 'var(--mantine-color-yellow-6)',
}

/** Status of a consent, coloured. */
export const StatusMark = ({ status }: { status: ConsentStatus }) => (
  <HStack component="span" gap={6} display="inline-flex" className="nowrap">
    <Dot color={colors[status]} />
    {consentStatuses[status]}
  </HStack>
)
