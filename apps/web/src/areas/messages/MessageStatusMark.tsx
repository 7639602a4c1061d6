import { type MessageStatus, messageStatuses } from '@ordinator/model/areas/messages/events'
import { Dot, HStack } from '#kit/Stacks.tsx'

const colors: Record<MessageStatus, string> = {
  queued: 'var(--mantine-color-gray-5)',
  accepted: 'var(--mantine-color-blue-5)',
  delivered: 'var(--mantine-color-teal-5)',
  read: 'var(--mantine-color-teal-7)',
  unknown: 'var(--mantine-color-yellow-6)',
  failed: 'var(--mantine-color-red-6)',
  cancelled: 'var(--mantine-color-gray-5)',
}

/** Status of a message, coloured. */
export const MessageStatusMark = ({ status }: { status: MessageStatus }) => (
  <HStack component="span" gap={6} display="inline-flex" className="nowrap">
    <Dot color={colors[status]} />
    {messageStatuses[status]}
  </HStack>
)
