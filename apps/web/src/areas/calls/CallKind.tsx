import { type CallType, callTypes, MISSED } from '@ordinator/model/areas/calls/call'
import { HStack } from '#kit/Stacks.tsx'
import { callIcons } from './callLinks.ts'

/** Kind of a call with its icon; a missed one is red. */
export function CallKind({ callType }: { callType: CallType }) {
  const Icon = callIcons[callType]
  return (
    <HStack component="span" gap={6} c={callType === MISSED ? 'var(--mantine-color-error)' : undefined}>
      <Icon size={16} aria-hidden /> {callTypes[callType]}
    </HStack>
  )
}
