import { Badge } from '@mantine/core'
import {
  type DueKind,
  dueKinds,
  type LocalStatus,
  localStatuses,
  type SfrState,
  sfrStates,
} from '@ordinator/model/areas/eln/rules'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

const colors: Record<LocalStatus, string> = {
  draft: 'gray',
  toSign: 'blue',
  sent: 'indigo',
  accepted: 'teal',
  rejected: 'red',
  dispute: 'orange',
}

export const LeaveStatus = ({ status, size }: { status: LocalStatus; size?: 'lg' }) => (
  <Badge color={colors[status]} variant="light" size={size}>
    {localStatuses[status]}
  </Badge>
)

/** «030 Закрыт»; empty if the Social Fund does not have the sheet. */
export const SfrStateText = ({ state }: { state: SfrState | null }) =>
  state === null ? (
    <Fine>СФР ещё не знает</Fine>
  ) : (
    <span className="nowrap">
      <Fine>{state}</Fine> {sfrStates[state]}
    </span>
  )

const dueColors: Record<DueKind, string> = {
  overdue: 'red',
  today: 'orange',
  chairman: 'grape',
  dispute: 'orange',
  rejected: 'red',
  former: 'red',
  sign: 'blue',
  none: 'gray',
}

export const DueMark = ({ due }: { due: DueKind }) =>
  due === 'none' ? null : (
    <HStack component="span" gap={6} display="inline-flex" miw={0} maw="100%">
      <Dot color={`var(--mantine-color-${dueColors[due]}-6)`} />
      <span className="truncate" title={dueKinds[due]}>
        {dueKinds[due]}
      </span>
    </HStack>
  )
